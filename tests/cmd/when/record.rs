//! Forecasts that are recorded, and made anew as files change.

use super::*;

/// The export ten minutes later, at 09:50: job 2 started at 09:30, as foretold, job 3 five minutes later than foretold.
const ENDED: &str = "\
JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList
1|ann|2024-03-04T08:00:00|2024-03-04T08:30:00|2024-03-04T09:30:00|3600|60|COMPLETED|4|4|n1
2|ann|2024-03-04T08:40:00|2024-03-04T09:30:00|2024-03-04T09:40:00|600|10|COMPLETED|4|4|n1
3|bob|2024-03-04T08:50:00|2024-03-04T09:45:00|Unknown|300|10|RUNNING|2|2|n1
4|bob|2024-03-04T08:55:00|Unknown|Unknown|0|90|PENDING|2|0|None assigned
";

const WATCH: [&str; 12] = [
    "when",
    "sacct.txt",
    "--procs",
    "4",
    "--calibrate",
    "0",
    "--draws",
    "10",
    "--watch",
    "--record",
    "r.csv",
    "--every",
];

/// Replaces a file as a careful writer does: it is there as a whole, or not yet.
fn replace(folder: &Folder, name: &str, text: &str) {
    folder.write("new", text);
    std::fs::rename(folder.path("new"), folder.path(name)).unwrap();
}

#[test]
fn a_watch_forecasts_anew_as_the_files_change() {
    let folder = Folder::new();
    folder.write("sacct.txt", EXPORT);
    let args = [&WATCH[..], &["1s", "--format", "json"]].concat();
    let mut child = std::process::Command::new(folder.command().get_program())
        .args(args)
        .current_dir(folder.0.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut said = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    // A round is a line. The queue is half written until a round has met it, and then another one.
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let first = next();
    assert_eq!((&first["waiting"], &first["record"]["open"]), (&3.into(), &3.into()));
    replace(&folder, "sacct.txt", "JobIDRaw|User|Sub");
    let mut before = Vec::new();
    while !before.last().is_some_and(|line: &String| line.contains("; this round is left out")) {
        before.push(said.next().unwrap().unwrap());
    }
    replace(&folder, "sacct.txt", ENDED);
    let is_later = |answer: &Value| answer["waiting"] == 1;
    let later = std::iter::repeat_with(&mut next).find(is_later).unwrap();
    assert_eq!((&later["record"]["judged"], &later["record"]["held"]), (&2.into(), &1.into()));
    // Both intervals are points; one start lies 300 s outside, at a level of 90 %.
    assert_eq!(later["record"]["mean_length"], 0.0);
    let score = later["record"]["mean_interval_score"].as_f64().unwrap();
    assert!((score - 3000.0).abs() < 1e-6, "{score}");
    child.kill().unwrap();
    child.wait().unwrap();
    // What was said of a round is not said again of the next one.
    let said = before.into_iter().chain(said.map(Result::unwrap)).collect::<Vec<_>>().join("\n");
    assert_eq!(said.matches("[when-no-history]").count(), 1, "{said}");
    // The record of the watch is that of single calls.
    let once =
        folder.run(&["when", "sacct.txt", "--procs", "4", "-q", "--calibrate", "0", "--record", "r.csv"]);
    let words = once.succeeded().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("so far 1 of 2 recorded intervals held, where 2 were to"), "{words}");
    assert!(words.contains("their mean interval score is 3,000 s, their mean length 0 s"), "{words}");
}

#[test]
fn a_watch_prints_a_block_a_round_without_colour() {
    let folder = Folder::new();
    folder.write("sacct.txt", EXPORT);
    let done = folder.run(&[&WATCH[..], &["1s", "--rounds", "2", "-q"]].concat());
    let blocks: Vec<&str> = done.succeeded().split("\n\nForetold starts").collect();
    assert_eq!((blocks.len(), done.err.as_str()), (2, ""), "{}", done.out);
    assert!(!done.out.contains('\u{1b}'), "{}", done.out);
    // The same queue tells nothing new.
    assert_eq!(folder.read("r.csv").lines().count(), 4);
    // A closed pipe ends it.
    let done = folder.run_and_leave(&[&WATCH[..], &["1s", "--rounds", "9", "-q"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    // A file that is not there is an error of the first round.
    let absent = ["when", "no.txt", "--procs", "4", "--watch", "--record", "r.csv"];
    folder.run(&absent).failed(3, "no.txt");
    let refused = |args: &[&str], words: &str| folder.run(args).failed(2, words);
    refused(&["when", "sacct.txt", "--procs", "4", "--watch"], "--record <FILE>");
    refused(&["when", "-", "--procs", "4", "--watch", "--record", "r.csv"], "can be read once only");
    refused(&["when", "sacct.txt", "--procs", "4", "--rounds", "2"], "--watch");
    refused(&[&WATCH[..], &["0s"]].concat(), "it is a time from 1s to 1d");
    refused(&[&WATCH[..], &["9s", "--at", "5m"]].concat(), "cannot be used with");
}

#[cfg(target_os = "linux")]
#[test]
fn a_watch_that_is_interrupted_leaves_a_whole_record() {
    let folder = Folder::new();
    folder.write("sacct.txt", EXPORT);
    let mut child = std::process::Command::new(folder.command().get_program())
        .args([&WATCH[..], &["1d", "-q", "--format", "json"]].concat())
        .current_dir(folder.0.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line)
        .unwrap();
    crate::cmd::send(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(folder.read("r.csv").lines().count(), 4);
    assert!(folder.read("r.csv").ends_with('\n') && folder.files() == ["r.csv", "sacct.txt"]);
}

#[test]
fn calls_that_overlap_leave_a_whole_record() {
    let folder = Folder::new();
    folder.write("sacct.txt", EXPORT);
    let call = || {
        std::process::Command::new(folder.command().get_program())
            .args(["when", "sacct.txt", "--procs", "4", "-q", "--calibrate", "0", "--record", "r.csv"])
            .current_dir(folder.0.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut calls: Vec<_> = (0..6).map(|_| call()).collect();
    assert!(calls.iter_mut().all(|call| call.wait().unwrap().success()));
    // All calls forecast the same jobs at the same instant: the first one alone writes.
    assert_eq!(folder.read("r.csv").lines().filter(|line| line.starts_with("batchlab")).count(), 1);
    assert_eq!(folder.read("r.csv").lines().count(), 4);
}
