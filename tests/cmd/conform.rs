//! Tests of `batchlab conform` on the command line.

use std::ffi::OsString;
use std::process::Command;

use batchlab::Registry;
use batchlab::policies::policy::PolicyError;
use batchlab::policies::{Needs, Policy, PolicySpec, Turn};
use batchlab::traces::Citation;
use batchlab::traces::JobId;
use serde_json::Value;

use super::{Done, Folder};

/// Starts every job on arrival, whether it fits or not.
struct Greedy;

impl Policy for Greedy {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let waiting: Vec<JobId> = turn.waiting().collect();
        for job in waiting {
            turn.start(job)?;
        }
        Ok(())
    }
}

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

const GREEDY: PolicySpec = PolicySpec {
    name: "greedy",
    family: "wrong",
    summary: "starts every job as it comes",
    cite: Citation::foreign("this test"),
    rule: "",
    params: &[],
    needs: Needs::POOL,
    build: |_, _| Ok(Box::new(Greedy)),
};

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

const ARGUMENTS: &str = "BATCHLAB_TEST_CONFORM";

/// Not a test by itself: the program with these policies, which the tests below run in a separate process.
#[test]
fn program() {
    let Some(arguments) = std::env::var_os(ARGUMENTS) else { return };
    let mut registry = Registry::builtin();
    for spec in [GREEDY, HOARDER, PARENT] {
        registry.register_policy(spec).unwrap();
    }
    let arguments = arguments.into_string().unwrap();
    let code = batchlab::cli::run(&registry, arguments.split(' ').map(OsString::from));
    std::process::exit(code.into());
}

/// Runs the program with the policies of this file.
fn run(folder: &Folder, arguments: &str) -> Done {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "cmd::conform::program", "--nocapture", "--test-threads=1"])
        .env(ARGUMENTS, arguments)
        .current_dir(folder.0.path())
        .output()
        .unwrap();
    let mut done = Done::of(output);
    let (_, out) = done.out.split_once("running 1 test\n").unwrap();
    done.out = out.strip_prefix("test cmd::conform::program ... ").unwrap_or(out).to_owned();
    done
}

/// Returns the commands that a page shows.
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

#[test]
fn programs_and_continuous_integration_get_their_forms() {
    let folder = Folder::new();
    let args = ["conform", "easy", "--like", "fcfs", "--check", "legal,agrees,blind", "--cases", "40"];
    let json = folder.run(&[&args[..], &["--format", "json", "--keep", "w"]].concat());
    assert_eq!(json.code, 1);
    let report: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        (&report["policy"], &report["like"], &report["cases"]),
        (&"easy".into(), &"fcfs".into(), &40.into())
    );
    let checks = report["checks"].as_array().unwrap();
    let status: Vec<&str> = checks.iter().map(|check| check["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["holds", "holds", "failed"]);
    let found = &checks[2]["found"];
    assert_eq!(found["witness"]["swf"].as_str(), Some(folder.read("w/agrees.swf").as_str()));
    assert!(found["again"][0].as_str().unwrap().contains(" --on w/agrees.swf --like fcfs "));
    let junit = folder.run(&[&args[..], &["--format", "junit"]].concat());
    let page = roxmltree::Document::parse(&junit.out).unwrap();
    let tests: Vec<_> = page.descendants().filter(|node| node.has_tag_name("testcase")).collect();
    let failed = tests.iter().filter(|test| test.children().any(|node| node.has_tag_name("failure")));
    assert_eq!((tests.len(), failed.count()), (3, 1));
    assert!(junit.out.contains("; MaxProcs: "), "the log is there");
}

/// The Python examples, if Python is installed: the order and the rule that they implement give the same
/// starts.
#[test]
fn policies_in_child_processes_are_tried_too() {
    if Command::new("python3").arg("--version").output().is_err() {
        return eprintln!("skipped: there is no python3");
    }
    let folder = Folder::new();
    let spec =
        |name: &str| format!("exec:(python3 {}/policies/abi/python/{name}.py)", env!("CARGO_MANIFEST_DIR"));
    let (fcfs, easy) = (spec("fcfs"), spec("easy"));
    let few =
        ["-q", "--cases", "8", "--check", "describes,legal,agrees", "--resources", "1", "--events", "batch"];
    for (spec, like) in [(fcfs.as_str(), "fcfs"), (easy.as_str(), "easy")] {
        let done = folder.run(&[&["conform", spec, "--like", like], &few[..]].concat());
        assert!(done.succeeded().contains("conforms: 3 checks held"), "{}", done.out);
    }
    folder.run(&["conform", "exec:(python3 -c pass)"]).failed(4, "error: ");
}
