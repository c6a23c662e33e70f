//! Tests of the output formats, and of the sources from which logs are read.

use serde_json::Value;

use super::{Folder, four_jobs, with};

fn printed(folder: &Folder, form: &str) -> String {
    let command = ["replay", "a.swf", "-q", "--policy", "easy", "--policy", "fcfs", "--format", form];
    folder.run(&[&command[..], &["--metrics", "mean_wait,max_wait,jobs"]].concat()).succeeded().to_owned()
}

#[test]
fn every_form_has_the_numbers() {
    let folder = with(&four_jobs());
    // Under EASY job 2 waits for 99 s; under FCFS also job 3, for 148 s.
    let markdown = printed(&folder, "markdown");
    for row in ["| easy | 24.8 | 99 | 4 |", "| fcfs | 61.8 | 148 | 4 |", "| log | 24.8 | 99 | 4 |"] {
        assert!(markdown.contains(row), "{row} is not in:\n{markdown}");
    }
    let latex = printed(&folder, "latex");
    assert!(latex.starts_with("\\begin{table}") && latex.contains("fcfs & 61.8 & 148 & 4 \\\\"), "{latex}");
    let csv = printed(&folder, "csv");
    let rows: Vec<&str> = csv.lines().map(|line| line.split(",a.swf,").next().unwrap()).collect();
    assert!(rows[0].starts_with("policy,mean_wait,max_wait,jobs,trace,"), "{csv}");
    assert_eq!(rows[1..], ["easy,24.75,99,4", "fcfs,61.75,148,4", "log,24.75,99,4"]);
    let table = printed(&folder, "table");
    let row = |name| table.lines().find(|line| line.starts_with(name)).unwrap().split_whitespace();
    assert_eq!(row("fcfs").collect::<Vec<_>>(), ["fcfs", "61.8", "148", "4"], "{table}");
}

#[test]
fn the_summary_has_everything_a_script_needs() {
    let folder = with(&four_jobs());
    let done = folder.run(&["replay", "a.swf", "--policy", "easy:order=sjf", "--format", "json"]);
    let summary: Value = serde_json::from_str(done.succeeded()).unwrap();
    let keys: Vec<&String> = summary.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 4, "{keys:?}");
    assert_eq!(summary["trace"]["name"], "a.swf");
    assert_eq!(summary["trace"]["procs"], 4);
    assert_eq!(summary["provenance"]["conditions"]["overrun"], "raise");
    assert!(summary["provenance"]["source"].is_object());
    assert_eq!(summary["findings"], Value::Array(vec![]));
    let (easy, log) = (&summary["results"][0], &summary["results"][1]);
    assert_eq!((&easy["policy"], &log["policy"]), (&"easy:order=sjf".into(), &"log".into()));
    let statistics = ["mean", "median", "p90", "p95", "p99", "max", "sd", "cv"];
    let quantities = ["wait", "response", "slowdown", "bsld"];
    let per_job = statistics.map(|statistic| quantities.map(|quantity| format!("{statistic}_{quantity}")));
    let others = "rms_bsld weighted_response utilization loss_of_capacity makespan mean_queue_length \
                  max_queue_length jobs";
    let keys = per_job.concat().into_iter().chain(others.split(' ').map(str::to_owned));
    for key in keys {
        assert!(easy["metrics"][&key].is_number(), "{key}: {}", easy["metrics"][&key]);
    }
}

#[test]
fn findings_stand_in_the_summary_with_their_counts() {
    let folder = with(&four_jobs());
    let replay = ["replay", "a.swf", "--policy", "easy", "--procs", "3", "-q", "--format", "json"];
    let summary: Value = serde_json::from_str(folder.run(&replay).succeeded()).unwrap();
    assert_eq!(summary["findings"].as_array().unwrap().len(), 1, "{}", summary["findings"]);
    assert!(summary["findings"][0].to_string().contains("job-oversized"), "{}", summary["findings"]);
    let steps = summary["provenance"]["steps"].to_string();
    assert!(steps.contains("job-oversized") && steps.contains('1'), "{steps}");
    assert_eq!((&summary["trace"]["jobs"], &summary["trace"]["dropped"]), (&3.into(), &1.into()));
}

#[test]
fn logs_come_packed_and_through_pipes() {
    let folder = with(&four_jobs());
    folder.run(&["convert", "a.swf", "-o", "a.swf.gz", "-q"]).succeeded();
    let replay = |log| ["replay", log, "--policy", "fcfs", "--format", "csv", "-q", "--schedule", "s.csv"];
    let packed = std::fs::read(folder.path("a.swf.gz")).unwrap();
    let runs = [
        folder.run(&replay("a.swf")),
        folder.run(&replay("a.swf.gz")),
        folder.run_with_input(&replay("-"), four_jobs()),
        folder.run_with_input(&replay("-"), packed),
    ];
    let numbers = runs.map(|done| {
        let row = done.succeeded().lines().nth(1).unwrap();
        row.split(',').take(10).collect::<Vec<_>>().join(",")
    });
    assert!(numbers[0].starts_with("fcfs,61.75,"), "{}", numbers[0]);
    assert!(numbers.iter().all(|row| *row == numbers[0]), "{numbers:?}");
    folder.run_with_input(&replay("-"), "").failed(3, "the file is empty");
}
