//! Exit codes, reasons, and what goes where.

use super::{Folder, SHORT_LINE, four_jobs, log, with};

#[test]
fn what_cannot_be_replayed_ends_with_the_code_for_it() {
    let folder = with(SHORT_LINE);
    let replay = |args: &[&str]| folder.run(&[&["replay", "a.swf"], args].concat());
    replay(&[]).failed(2, "--policy <SPEC>");
    replay(&["--policy", "easy", "--strict"]).failed(3, "refused by --strict: warning[swf-short-line]");
    replay(&["--policy", "easy", "--procs", "1", "-q"]).failed(3, "no job is left to replay");
    folder.run(&["replay", "none.swf", "--policy", "easy"]).failed(3, "cannot read none.swf: ");
    let strict = replay(&["--policy", "easy", "--strict", "--schedule", "a.csv"]);
    assert_eq!((strict.code, folder.files()), (3, vec!["a.swf".to_owned()]));
}

#[test]
fn wrong_usage_names_what_is_nearest() {
    let folder = with(&four_jobs());
    let easy = |args: &[&str]| folder.run(&[&["replay", "a.swf", "--policy", "easy"], args].concat());
    let policy = |spec: &str| folder.run(&["replay", "a.swf", "--policy", spec]);
    policy("fsfc").failed(2, "did you mean `fcfs`?");
    policy("fcfs:oder=sjf").failed(2, "has no parameter `oder` (did you mean `order`?)");
    policy("fcfs:order=sjff").failed(2, "did you mean `sjf`?");
    easy(&["--policy", "easy:order=fcfs"]).failed(2, "--policy easy is given twice");
    easy(&["--metrics", "mean_wiat"]).failed(2, "did you mean mean_wait");
    easy(&["--classes", "zang"]).failed(2, "known are zhang, feitelson4x4");
    easy(&["--format", "latx"]).failed(2, "tables are written as table, markdown, latex, csv, json");
    easy(&["--polcy", "fcfs"]).failed(2, "--policy");
    easy(&["--capacity", "memory=64XB"]).failed(2, "such as memory=64GB or gpu=16");
    easy(&["--estimate", "phi:1"]).failed(2, "phi:X (0 <= X < 1)");
    easy(&["--policy", "fcfs", "--schedule", "s.csv"]).failed(2, "2 are replayed; use --out DIR");
    easy(&["--clairvoyant", "--schedule", "s.csv"]).failed(2, "2 are replayed; use --out DIR");
    assert_eq!(folder.files(), ["a.swf"]);
}

#[test]
fn a_job_larger_than_the_machine_is_dropped_loudly_or_refused() {
    let folder = with(&four_jobs());
    let done = folder.run(&["replay", "a.swf", "--policy", "easy", "--procs", "3"]);
    assert!(done.succeeded().contains("3 jobs used, 1 dropped; 3 processors"), "{}", done.out);
    assert!(done.err.starts_with("WARNING[job-oversized]: 1 job larger than the machine"), "{}", done.err);
    assert!(done.err.contains("a.swf:3: job 2 of 4 processors on a machine of 3"), "{}", done.err);
    let strict = folder.run(&["replay", "a.swf", "--policy", "easy", "--procs", "3", "--strict"]);
    strict.failed(3, "refused by --strict: WARNING[job-oversized]");
}

#[test]
fn an_output_that_cannot_be_written_is_named_before_anything_is_read() {
    let folder = with(&four_jobs());
    folder.write("file", "");
    let replay =
        |log: &str, args: &[&str]| folder.run(&[&["replay", log, "--policy", "easy", "-q"], args].concat());
    for log in ["a.swf", "none.swf"] {
        let done = replay(log, &["--schedule", "no/such.csv"]);
        done.failed(3, "error: cannot write no/such.csv: ");
        assert!(!done.err.contains(".batchlab-"), "{}", done.err);
        replay(log, &["--schedule", "."]).failed(3, "cannot write .: it is a directory");
        replay(log, &["--out", "file"]).failed(3, "cannot write file: ");
    }
    assert_eq!(folder.files(), ["a.swf", "file"]);
}

#[test]
fn findings_go_to_standard_error_and_quiet_silences_them() {
    let folder = with(SHORT_LINE);
    let loud = folder.run(&["replay", "a.swf", "--policy", "easy"]);
    assert!(loud.succeeded().starts_with("Replay of a\n"), "{}", loud.out);
    assert!(loud.err.contains("warning[swf-short-line]: 1 "), "{}", loud.err);
    assert!(loud.err.contains("warning[trace-no-estimates]: 1 "), "{}", loud.err);
    let quiet = folder.run(&["replay", "a.swf", "--policy", "easy", "--quiet"]);
    assert_eq!((quiet.succeeded(), quiet.err.as_str()), (loud.out.as_str(), ""));
}

#[test]
fn a_log_that_does_not_say_the_size_of_its_machine_is_replayed_on_its_largest_job() {
    let folder = with(four_jobs().strip_prefix("; MaxProcs: 4\n").unwrap());
    let done = folder.run(&["replay", "a.swf", "--policy", "easy"]);
    assert!(done.succeeded().contains("4 processors"), "{}", done.out);
    assert!(done.err.contains("WARNING[machine-size-guessed]"), "{}", done.err);
}

#[test]
fn what_leads_out_of_the_range_of_the_clock_is_refused() {
    let folder = with(&four_jobs());
    let easy = |args: &[&str]| folder.run(&[&["replay", "a.swf", "--policy", "easy"], args].concat());
    easy(&["--scale-run", "1e30"]).failed(3, "job-beyond-time");
    assert!(easy(&["--load", "1e-30"]).err.contains("job-beyond-time"));
    easy(&["--load", "1e-30", "--strict"]).failed(3, "job-beyond-time");
    easy(&["--events", "periodic:1e30"]).failed(2, "periodic:S (0 < S <= 52w)");
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
