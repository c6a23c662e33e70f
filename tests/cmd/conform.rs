use std::process::Command;

use batchlab::Registry;
use batchlab::policies::policy::PolicyError;
use batchlab::policies::{Policy, PolicySpec, Turn};

use super::misbehaving::GREEDY;
use super::{Done, Folder};

/// Starts jobs in order as long as the first one fits.
struct Plain;

impl Policy for Plain {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        while let Some(head) = turn.head().filter(|&head| turn.fits(head)) {
            turn.start(head)?;
        }
        Ok(())
    }
}

const HOARDER: PolicySpec = PolicySpec {
    name: "hoarder",
    summary: "keeps some memory for ever each time it is made",
    build: |_, _| {
        Vec::leak(vec![1_u8; 300_000]);
        Ok(Box::new(Plain))
    },
    ..GREEDY
};

const PARENT: PolicySpec = PolicySpec {
    name: "parent",
    summary: "starts a process that it does not wait for each time it is made",
    build: |_, _| {
        drop(Command::new("sleep").arg("5").spawn());
        Ok(Box::new(Plain))
    },
    ..GREEDY
};

/// Not a test by itself: the program with these policies, which the tests below run in a separate process.
#[test]
fn program() {
    let mut registry = Registry::builtin();
    for spec in [GREEDY, HOARDER, PARENT] {
        registry.register_policy(spec).unwrap();
    }
    super::program(&registry);
}

fn run(folder: &Folder, arguments: &str) -> Done {
    folder.run_test("cmd::conform::program", arguments.strip_prefix("batchlab ").unwrap())
}

fn commands(page: &str) -> Vec<&str> {
    page.lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with("batchlab "))
        .collect()
}

#[test]
fn a_difference_is_shown_by_a_log_that_replays() {
    let folder = Folder::new();
    let done = folder.run(&["conform", "easy", "--like", "fcfs", "--check", "agrees", "--keep", "w"]);
    assert_eq!((done.code, done.err.as_str()), (1, "error: 1 of 1 check failed\n"));
    assert!(done.out.contains("rule: ") && done.out.contains("; MaxProcs: "), "{}", done.out);
    assert!(done.out.ends_with("easy does not conform: agrees (300 cases, seed 1)\n"), "{}", done.out);
    let shown = commands(&done.out);
    assert_eq!(shown.len(), 2, "{}", done.out);
    let words: Vec<&str> = shown[0].split(' ').skip(1).collect();
    let again = folder.run(&words);
    assert_eq!(again.code, 1, "{}", again.err);
    let what =
        |page: &str| page.split("\n\nagrees: ").nth(1).unwrap().split("\nseen ").next().unwrap().to_owned();
    assert_eq!(what(&again.out), what(&done.out), "the log alone shows the same difference");
    let words: Vec<&str> =
        shown[1].split(' ').skip(1).chain(["-q", "--format", "csv", "--metrics", "mean_wait"]).collect();
    let replay = folder.run(&words);
    let waits: Vec<&str> =
        replay.succeeded().lines().skip(1).map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_ne!(waits[0], waits[1], "{}", replay.out);
}

#[test]
fn a_witness_of_a_policy_of_ones_own_replays() {
    let folder = Folder::new();
    let done = run(&folder, "batchlab conform greedy --check legal --keep w -q");
    assert_eq!((done.code, done.err.as_str()), (1, "error: 1 of 1 check failed\n"));
    assert!(folder.path("w/legal.swf").exists());
    let shown = commands(&done.out);
    let [conform, replay] = [run(&folder, shown[0]), run(&folder, shown[1])];
    assert_eq!(conform.code, 1, "{}", conform.err);
    let refusal = done.out.lines().find_map(|line| line.strip_prefix("legal: ")).unwrap();
    assert!(refusal.starts_with("policy `greedy` at 0 s: cannot place job 2 at 0 s: it needs "), "{refusal}");
    assert!(conform.out.contains(refusal), "{}", conform.out);
    assert_eq!((replay.code, replay.err.contains(refusal)), (4, true), "{}", replay.err);
}

#[test]
#[cfg(target_os = "linux")]
fn leaked_memory_and_processes_are_counted() {
    let folder = Folder::new();
    let done = run(&folder, "batchlab conform hoarder --check clean --cases 16");
    assert_eq!(done.code, 1, "{}", done.out);
    assert!(done.out.contains(" KB of memory are left after 45 replays"), "{}", done.out);
    let done = run(&folder, "batchlab conform parent --check clean --cases 8");
    assert!(done.out.contains("45 of its processes are left after 45 replays"), "{}", done.out);
}
