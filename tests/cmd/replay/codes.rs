//! Tests of exit codes, error messages, and output streams.

use super::{Folder, SHORT_LINE, four_jobs, log, with};

#[test]
fn failures_end_with_their_exit_code() {
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
    easy(&["--classes", "zang"]).failed(2, "known are zhang, zhang-runtime, zhang-accuracy");
    easy(&["--format", "latx"]).failed(2, "tables are written as table, markdown, latex, html, csv, json");
    easy(&["--polcy", "fcfs"]).failed(2, "--policy");
    easy(&["--capacity", "memory=64XB"]).failed(2, "such as memory=64GB or gpu=16");
    easy(&["--estimate", "phi:1"]).failed(2, "phi:X (0 <= X < 1)");
    easy(&["--policy", "fcfs", "--schedule", "s.csv"]).failed(2, "2 are replayed; use --out DIR");
    easy(&["--clairvoyant", "--schedule", "s.csv"]).failed(2, "2 are replayed; use --out DIR");
    assert_eq!(folder.files(), ["a.swf"]);
}

#[test]
fn an_order_by_expression_says_what_is_wrong_with_it() {
    let folder = with(&four_jobs());
    let policy = |spec: &str| folder.run(&["replay", "a.swf", "--policy", spec, "-q"]);
    for (spec, reason) in [
        ("easy:order=expr(-wait/estimat)", "a policy has no field `estimat` (did you mean `estimate`?)"),
        (
            "easy:candidates=expr(run)",
            "`candidates=expr(run)`: `run` cannot be used here: a policy cannot see what",
        ),
        ("expr(procs > 4)", "`order=expr(procs > 4)`: this is a condition, and a number is needed"),
        ("expr((procs)", "the parentheses of `order=expr((procs)` do not match"),
        ("expr(uniform(0,1))", "only augmentation may depend on chance"),
        ("easy:order=expr(procs *)", "`order=expr(procs *)`: expected a value, found the end"),
        ("easy:threshold=expr(procs*1GB)", "a limit on waiting is a time, and this is an amount of memory"),
        ("easy:threshold=expr(wait)", "has not waited yet"),
        ("selective:xfactor=expr(estimate)", "a factor is a plain number, and this is a time"),
        ("easy:order=wait", "or a plug-in of kind order as in wasm:order.wasm"),
        ("expr(hour)", "the log does not say when its zero was (UnixStartTime)"),
    ] {
        let done = policy(spec);
        assert_eq!((done.code, done.err.lines().count()), (2, 1), "{spec}: {}", done.err);
        assert!(done.err.starts_with("error: ") && done.err.contains(reason), "{spec}: {}", done.err);
    }
    let done = folder.run(&["replay", "a.swf", "--policy", "expr(-wait/estimate)", "-q", "--format", "csv"]);
    assert!(done.succeeded().contains("fcfs:order=expr(-wait/estimate)"), "{}", done.out);
}

#[test]
fn an_order_by_expression_knows_the_names_and_the_clock_of_the_log() {
    let folder = Folder::new();
    // 11:30 and 12:30 of a Wednesday; job 2 is in the queue express.
    folder.write(
        "a.swf",
        "; UnixStartTime: 819459000\n; TimeZoneString: UTC\n; MaxProcs: 4\n; Queue: 1 batch\n; Queue: 2 express\n\
         ; Partition: 1 large\n\
         1 0 -1 9000 4 -1 -1 4 9000 -1 1 1 1 -1 1 1 -1 -1\n\
         2 10 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 1 -1 -1\n\
         3 3600 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 2 1 -1 -1\n",
    );
    let starts = |spec: &str| {
        folder.run(&["replay", "a.swf", "--policy", spec, "-q", "--schedule", "s.csv"]).succeeded();
        let schedule = folder.read("s.csv");
        let start = |row: &str| row.split(',').nth(2).unwrap().to_owned();
        schedule.lines().skip(1).map(start).collect::<Vec<_>>()
    };
    assert_eq!(starts("expr(0)"), ["0", "9000", "9010"]);
    assert_eq!(starts("expr(if(queue = 'express', 0, 1))"), ["0", "9010", "9000"]);
    assert_eq!(starts("easy:order=expr(-hour)"), ["0", "9010", "9000"]);
    assert_eq!(starts("expr(if(partition = 'large' and weekday = 2, 2-hour, 0))"), ["0", "9010", "9000"]);
    let threshold = "fcfs:order=ljf,threshold=expr(if(queue = 'express', 1h, 100h))";
    assert_eq!(starts(threshold), ["0", "9010", "9000"]);
    let unknown = folder.run(&["replay", "a.swf", "--policy", "expr(if(queue = 'expres', 0, 1))", "-q"]);
    assert!(unknown.code == 2 && unknown.err.contains("did you mean `express`?"), "{}", unknown.err);
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
