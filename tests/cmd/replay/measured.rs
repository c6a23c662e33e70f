//! Tests of the metrics, and of the jobs that are measured.

use serde_json::Value;

use super::{four_jobs, log, metrics, near, with};

/// Under EASY jobs 1 to 4 wait for 0, 99, 0 and 0 s and end at 100, 150, 22 and 210 s.
const KEYS: [&str; 4] = ["jobs", "mean_wait", "mean_bsld", "makespan"];

#[test]
fn metrics_are_as_worked_out_by_hand() {
    let folder = with(&four_jobs());
    let keys = ["mean_wait", "mean_response", "mean_bsld", "utilization", "makespan", "max_queue_length"];
    let measured = metrics(&folder, &keys, &[]);
    let expected = [99.0 / 4.0, 279.0 / 4.0, 5.98 / 4.0, 450.0 / 840.0, 210.0, 1.0];
    for ((key, measured), expected) in keys.iter().zip(measured).zip(expected) {
        assert!(near(measured, expected), "{key}: {measured:?} is not {expected}");
    }
}

#[test]
fn tau_bounds_the_slowdown() {
    let folder = with(&four_jobs());
    // Only job 2 waits: a response of 149 s, divided by max(50, 100) s.
    assert!(near(metrics(&folder, &["mean_bsld"], &["--tau", "100"])[0], 4.49 / 4.0));
    assert!(near(metrics(&folder, &["mean_bsld"], &["--tau", "0"])[0], 5.98 / 4.0));
}

#[test]
fn warm_up_cool_down_and_prefix_leave_jobs_out_of_the_measurement_only() {
    let folder = with(&four_jobs());
    let of = |options: &[&str]| {
        let measured = metrics(&folder, &KEYS, options);
        assert_eq!(measured[3], Some(210.0), "{options:?}: all jobs are replayed");
        (measured[0].unwrap(), measured[1].unwrap())
    };
    assert_eq!(of(&[]), (4.0, 24.75));
    assert_eq!(of(&["--warmup", "1%"]), (4.0, 24.75), "less than one job");
    assert_eq!(of(&["--warmup", "25%"]), (3.0, 33.0), "job 3 ends first");
    assert_eq!(of(&["--warmup", "1s"]), (3.0, 33.0), "job 1 is submitted before");
    assert_eq!(of(&["--cooldown", "submit"]), (3.0, 33.0), "job 4 ends after the last submission");
    assert_eq!(of(&["--cooldown", "199s"]), (2.0, 49.5), "jobs 3 and 4 are submitted later");
    assert_eq!(of(&["--prefix", "2s"]), (2.0, 0.0), "jobs 1 and 2 are submitted before");
    assert_eq!(of(&["--prefix", "1s", "--warmup", "34%"]), (2.0, 49.5), "of three jobs the first to end");
    let none = metrics(&folder, &["jobs", "mean_wait"], &["--prefix", "1w"]);
    assert_eq!(none, [Some(0.0), None]);
}

#[test]
fn classes_are_measured_apart() {
    let rows =
        [(0, -1, 100, 32, 100, 1), (0, -1, 100, 33, 100, 1), (10, -1, 700, 1, 700, 1), (10, -1, 9, 64, 9, 1)];
    let folder = with(&log(64, &rows));
    let of = |preset: &str| -> Vec<(String, f64, Option<f64>)> {
        let command = ["replay", "a.swf", "--policy", "easy", "-q", "--format", "json", "--classes", preset];
        let summary: Value = serde_json::from_str(folder.run(&command).succeeded()).unwrap();
        let classes = summary["results"][0]["classes"].as_array().unwrap();
        let of = |class: &Value| {
            let (name, metrics) = (class["class"].as_str().unwrap().to_owned(), &class["metrics"]);
            (name, metrics["jobs"].as_f64().unwrap(), metrics["mean_wait"].as_f64())
        };
        classes.iter().map(of).collect()
    };
    // Job 2 waits for job 1. Job 4, which needs all processors, waits for job 3, which started beside job 1:
    // 100 s and 700 s.
    let zhang = of("zhang");
    assert_eq!(zhang[0], ("small".into(), 2.0, Some(0.0)));
    assert_eq!(zhang[1], ("large".into(), 2.0, Some(400.0)));
    let feitelson = of("feitelson4x4");
    assert_eq!(feitelson.len(), 16);
    let filled: Vec<_> = feitelson.into_iter().filter(|(_, jobs, _)| *jobs > 0.0).collect();
    let class = |name: &str, jobs, wait| (name.to_owned(), jobs, Some(wait));
    assert_eq!(filled, [class("VS-W", 1.0, 0.0), class("VS-VW", 2.0, 400.0), class("S-Seq", 1.0, 0.0)]);
}

#[test]
fn rows_beside_the_policies_are_the_log_the_twins_and_the_bounds() {
    // Job 3 asks for too much time to be backfilled, unless its run time is known.
    let folder = with(&log(4, &[(0, -1, 100, 2, 100, 1), (1, -1, 50, 4, 50, 1), (2, -1, 20, 2, 200, 1)]));
    let options = ["--clairvoyant", "--bounds", "--format", "csv", "-q", "--metrics", "max_wait,makespan"];
    let done = folder.run(&[&["replay", "a.swf", "--policy", "easy"], &options[..]].concat());
    let rows: Vec<&str> =
        done.succeeded().lines().skip(1).map(|line| line.split(",a.swf,").next().unwrap()).collect();
    assert_eq!(rows, ["easy,148,170", "easy (clairvoyant),99,150", "lower bound,0,110"]);
    let table = folder.run(&["replay", "a.swf", "--policy", "easy", "-q"]);
    assert!(table.succeeded().contains("no row for the log's own schedule: waits (field 3) are missing"));
}
