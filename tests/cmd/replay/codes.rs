//! Tests of exit codes, error messages, and output streams.

use super::{Folder, four_jobs, log, with};

#[test]
fn a_log_that_does_not_say_the_size_of_its_machine_is_replayed_on_its_largest_job() {
    let folder = with(four_jobs().strip_prefix("; MaxProcs: 4\n").unwrap());
    let done = folder.run(&["replay", "a.swf", "--policy", "easy"]);
    assert!(done.succeeded().contains("4 processors"), "{}", done.out);
    assert!(done.err.contains("WARNING[machine-size-guessed]"), "{}", done.err);
}

#[test]
fn a_header_with_nodes_and_no_processors_gives_the_size_of_the_machine() {
    let rest = four_jobs().strip_prefix("; MaxProcs: 4\n").unwrap().to_owned();
    for (header, procs) in [("; MaxNodes: 64\n", 64), ("; MaxNodes: 3\n", 6)] {
        let folder = with(&format!("{header}{rest}"));
        let done = folder.run(&["replay", "a.swf", "--policy", "easy"]);
        assert!(done.succeeded().contains(&format!("{procs} processors")), "{}", done.out);
        assert!(done.err.contains("WARNING[machine-size-of-nodes]"), "{}", done.err);
    }
    let folder = with(&format!("; MaxProcs : 16\n; MaxNodes: 64\n{rest}"));
    let done = folder.run(&["replay", "a.swf", "--policy", "easy"]);
    assert!(done.succeeded().contains("16 processors"), "{}", done.out);
    assert!(!done.err.contains("machine-size"), "{}", done.err);
}

#[test]
fn options_beyond_the_range_of_the_clock_are_refused() {
    let folder = with(&four_jobs());
    let easy = |args: &[&str]| folder.run(&[&["replay", "a.swf", "--policy", "easy"], args].concat());
    easy(&["--scale-run", "1e30"]).failed(3, "job-beyond-time");
    assert!(easy(&["--load", "1e-30"]).err.contains("job-beyond-time"));
    easy(&["--load", "1e-30", "--strict"]).failed(3, "job-beyond-time");
    easy(&["--events", "periodic:1e30"]).failed(2, "periodic:S (1s <= S <= 52w)");
    easy(&["--estimate", "factor:1e30"]).failed(2, "factor:X (0 < X <= 1000000)");
    easy(&["--load", "0"]).failed(2, "it must be above zero");
    let endless = with(&log(4, &[(0, -1, i64::MAX / 2_000_000, 1, 10, 1)]));
    endless.run(&["replay", "a.swf", "--policy", "easy"]).failed(3, "job-beyond-time");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = Folder::with_log();
    let policies = ["--policy", "easy", "--policy", "fcfs", "--policy", "conservative"];
    let many = ["--format", "json", "--classes", "feitelson4x4", "--clairvoyant"];
    let done = folder.run_and_leave(&[&["replay", "week.swf", "-q"], &policies[..], &many].concat());
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let schedule = ["replay", "week.swf", "--policy", "easy", "--schedule", "-", "-q"];
    let done = folder.run_and_leave(&schedule);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}
