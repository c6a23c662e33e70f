//! Tests of `batchlab replay` on logs of a few jobs, whose schedules are computed by hand.

mod cancelled;
mod codes;
mod dependencies;
mod eligible;
mod evalys;
mod follow;
mod forms;
mod layouts;
mod machines;
mod measured;
mod one_name;
mod options;
mod pitfalls;
mod requeues;
mod schedule_columns;
mod schedules;
mod stop;
mod stream;
mod typed;
mod unfinished;

use serde_json::Value;

use super::{Folder, four_jobs, log, same_instant_ends};

/// Replays `a.swf` under EASY and returns the starts, in the order of the log.
fn starts(folder: &Folder, options: &[&str]) -> Vec<f64> {
    let command = ["replay", "a.swf", "--policy", "easy", "-q", "--schedule", "easy.csv"];
    folder.run(&[&command, options].concat()).succeeded();
    let schedule = folder.read("easy.csv");
    schedule.lines().skip(1).map(|row| row.split(',').nth(2).unwrap().parse().unwrap()).collect()
}

/// Replays `a.swf` under EASY and returns metrics; `None` for those that are undefined.
fn metrics(folder: &Folder, keys: &[&str], options: &[&str]) -> Vec<Option<f64>> {
    let command = ["replay", "a.swf", "--policy", "easy", "-q", "--format", "json", "--metrics"];
    let done = folder.run(&[&command[..], &[&keys.join(",")], options].concat());
    let summary: Value = serde_json::from_str(done.succeeded()).unwrap();
    keys.iter().map(|key| summary["results"][0]["metrics"][key].as_f64()).collect()
}

/// A folder with a log called `a.swf`.
fn with(log: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", log);
    folder
}

/// Whether two numbers agree up to the rounding of a few operations.
fn near(a: Option<f64>, b: f64) -> bool {
    a.is_some_and(|a| (a - b).abs() <= 1e-12 * b.abs().max(1.0))
}
