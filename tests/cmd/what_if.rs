//! `batchlab what-if`: a log before and after changes, with the range over shaken copies.

use super::Folder;

/// Returns the value of a column in a row of a CSV table; rows are known by their column `change`.
pub(super) fn value(csv: &str, change: &str, column: &str) -> String {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let at =
        |name: &str| headers.iter().position(|header| header == name).unwrap_or_else(|| panic!("{name}"));
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let row = rows.iter().find(|row| &row[at("change")] == change);
    row.unwrap_or_else(|| panic!("no row `{change}` in\n{csv}"))[at(column)].to_owned()
}

pub(super) fn number(csv: &str, change: &str, column: &str) -> f64 {
    value(csv, change, column).parse().unwrap()
}

#[test]
fn both_sides_have_the_values_of_replays() {
    let folder = Folder::with_log();
    let done = folder.run(&[
        "what-if",
        "week.swf",
        "--procs=96",
        "--policy=fcfs",
        "--load=60",
        "--metrics=mean_wait,utilization",
        "--copies=3",
        "--format=csv",
        "--after",
        "fewer: --procs 64",
        "--after",
        "--policy conservative",
    ]);
    let csv = done.succeeded();
    for (change, options) in [
        ("before", ["--procs=96", "--policy=fcfs"]),
        ("fewer", ["--procs=64", "--policy=fcfs"]),
        ("--policy conservative", ["--procs=96", "--policy=conservative"]),
    ] {
        let replayed =
            ["replay", "week.swf", "--load=60", "--metrics=mean_wait,utilization", "--format=csv", "-q"];
        let replay = folder.run(&[&replayed[..], &options].concat());
        let line = replay.succeeded().lines().nth(1).unwrap();
        let shown = format!("{},{}", value(csv, change, "mean_wait"), value(csv, change, "utilization"));
        assert!(line.contains(&shown), "{change}: {shown} is not in {line}");
    }
    let (before, fewer) = (number(csv, "before", "mean_wait"), number(csv, "fewer", "mean_wait"));
    assert_eq!(number(csv, "fewer", "mean_wait_change"), fewer / before - 1.0);
    let [low, high] = ["low", "high"].map(|end| number(csv, "fewer", &format!("mean_wait_shaken_{end}")));
    assert!(0.0 < low && low <= high, "{csv}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::with_log();
    let run = |threads: &str| {
        let options =
            ["--classes", "narrow=procs < 4", "--copies", "4", "--after", "--procs 80", "--threads"];
        let done = folder.run(&[&["what-if", "week.swf"], &options[..], &[threads]].concat());
        done.succeeded().to_owned()
    };
    let one = run("1");
    assert!(one.contains("narrow") && one.contains("all jobs"), "{one}");
    assert_eq!(one, run("3"));
}

#[test]
fn a_change_that_drops_jobs_says_so() {
    let folder = Folder::with_log();
    folder.write("narrow.toml", "[[limit]]\nuser = 1\nprocs = 8\n");
    let done = folder.run(&["what-if", "week.swf", "--copies=2", "--after", "narrow: --limits narrow.toml"]);
    let text = done.succeeded();
    assert!(
        text.contains("after narrow: ") && text.contains("the values are not of the same jobs"),
        "{text}"
    );
    assert!(done.err.contains("after narrow:\nwarning[job-above-limit]: "), "{}", done.err);
}

#[test]
fn users_who_react_are_marked_before_the_log_is_shaken() {
    let folder = Folder::new();
    // The users of this log have waits, which the copies lose.
    folder.write(
        "log.swf",
        "; MaxProcs: 4\n1 0 10 100 4 -1 -1 4 100 -1 1 7 -1 -1 1 -1 -1 -1\n\
         2 150 20 100 4 -1 -1 4 100 -1 1 7 -1 -1 1 -1 -1 -1\n",
    );
    let run = ["what-if", "log.swf", "--feedback=ends", "--copies=2", "--after", "--procs 8"];
    let done = folder.run(&run);
    assert!(done.succeeded().contains("dependencies log (1 dependent job)"), "{}", done.out);
}

#[test]
fn wrong_usage_is_explained() {
    let folder = Folder::with_log();
    let refused = |options: &[&str], words: &str| {
        folder.run(&[&["what-if", "week.swf"], options].concat()).failed(2, words);
    };
    refused(&[], "--after <[NAME:] OPTIONS>");
    refused(&["--after", "more nodes"], "--after 'more nodes' has no option: list those that change");
    refused(&["--after", "--nodez 3"], "--after '--nodez 3': unexpected argument '--nodez' found");
    refused(&["--after", "--procs 80", "--after", "--procs 80"], "--after has `--procs 80` twice");
    refused(&["--after", "--policy nosuch"], "nosuch");
    refused(&["--after", "--procs 80", "--copies", "1"], "--copies");
    refused(&["--after", "--procs 80", "--shake", "0"], "it must be at least 1 s");
    folder.run(&["what-if", "-", "--after", "--procs 80"]).failed(2, "reads its log more than once");
    folder.run(&["what-if", "nosuch.swf", "--after", "--procs 80"]).failed(3, "nosuch.swf");
}
