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
