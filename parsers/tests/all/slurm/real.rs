//! Tests on Slurm logs of real clusters, if they are present: the number of records, and the findings.

use std::collections::BTreeSet;
use std::path::Path;

use batchlab_parsers::{Input, Options, detect, format, read_trace};
use batchlab_traces::header::Named;
use batchlab_traces::{Field, Trace};

use crate::helpers::{SHARED, files, shared};

/// Logs: path, format, number of records, and findings as `code` or `code*count`, in any order.
const LOGS: &str = include_str!("real.txt");

fn path(name: &str) -> Option<String> {
    shared(&format!("logs/slurm/{name}"))
}

fn read(name: &str, zone: &str) -> Option<Trace> {
    let options = Options { zone: zone.parse().ok(), ..Options::default() };
    Some(read_trace(Input::open(&path(name)?).unwrap(), &options).unwrap())
}

#[test]
fn every_log_gives_its_records_and_findings() {
    for line in LOGS.lines() {
        let row: Vec<&str> = line.split(' ').collect();
        let Some(trace) = read(row[0], "UTC") else { continue };
        let read = [trace.provenance.source.format.clone(), trace.len().to_string()];
        assert_eq!(read[..], row[1..3], "{line}");
        let found = crate::samples::findings(&trace);
        let found: BTreeSet<&str> = found.split_whitespace().collect();
        assert_eq!(found, row[3..].iter().copied().collect(), "{line}");
    }
}

#[test]
fn columns_of_fixed_width_are_refused_with_advice() {
    let Some(path) = path("real/sacct.default-columns.txt") else { return };
    let words = read_trace(Input::open(&path).unwrap(), &Options::default()).unwrap_err().to_string();
    assert!(words.contains("fixed widths") && words.contains("sacct -P -o JobID"), "{words}");
}

/// All values of each job except its number, which the runs of a requeued job share, in order.
fn jobs(trace: &Trace) -> Vec<Vec<i64>> {
    const FIELDS: [Field; 8] = [
        Field::Wait,
        Field::Run,
        Field::Allocated,
        Field::UsedMemory,
        Field::Requested,
        Field::RequestedTime,
        Field::RequestedMemory,
        Field::Status,
    ];
    let named = |row: usize, field: Field, names: &[Named]| {
        let number = trace.get(row, field).truncated();
        names.iter().position(|named| named.number == number).map_or(-1, |at| names[at].name.len() as i64)
    };
    let job = |row: usize| {
        let mut values =
            vec![trace.get(row, Field::Submit).truncated() + trace.header.unix_start_time.unwrap()];
        values.extend(FIELDS.map(|field| trace.get(row, field).to_micro()));
        values.extend(
            ["nodes", "memory", "gpu", "eligible"].map(|name| trace.resource(name).unwrap().whole(row)),
        );
        values.push(named(row, Field::Queue, &trace.header.queue));
        values
    };
    let mut jobs: Vec<Vec<i64>> = (0..trace.len()).map(job).collect();
    jobs.sort();
    jobs
}

#[test]
fn text_and_json_of_one_cluster_give_the_same_records() {
    let Some(text_log) = read("real/sacct.all-fields.parsable2.txt", "UTC") else { return };
    let Some(json_log) = read("real/sacct.json.gz", "UTC") else { return };
    // What jobs asked for and accounting does not track is in the submit line, which this JSON does not have.
    const GPU: usize = 11;
    let tracked = |log: &Trace| -> Vec<Vec<i64>> {
        let without_gpus = |mut job: Vec<i64>| {
            job.remove(GPU);
            job
        };
        jobs(log).into_iter().map(without_gpus).collect()
    };
    let (text, mut json) = (tracked(&text_log), tracked(&json_log));
    assert_eq!((text.len(), json.len()), (179, 184));
    for job in &text {
        let at = json.iter().position(|other| other == job);
        json.remove(at.unwrap_or_else(|| panic!("{job:?} is not in {json:?}")));
    }
    // The JSON was written with -D: it has five more runs, four of them of requeued jobs, all failed.
    assert_eq!(json.iter().map(|job| job[8]).collect::<Vec<_>>(), [0; 5]);
    let cpu = |trace: &Trace| -> i64 {
        let of = |row| {
            trace.get(row, Field::Cpu).to_micro().max(0) * trace.get(row, Field::Allocated).truncated().max(1)
        };
        (0..trace.len()).map(of).sum()
    };
    // The text gives milliseconds per job, the JSON microseconds per step, and the JSON has five more jobs.
    let (text, json) = (cpu(&text_log), cpu(&json_log));
    assert!((json - text).abs() < 184 * 2_000, "{text} {json}");
}

#[test]
fn the_clock_of_the_site_and_epoch_seconds_give_the_same_times() {
    let Some(epoch) = read("real/sacct.timefmt-epoch.txt", "UTC") else { return };
    let Some(local) = read("real/sacct.tz.America_New_York.txt", "America/New_York") else { return };
    let Some(utc) = read("real/sacct.subset.allocations-only.txt", "UTC") else { return };
    for row in 0..epoch.len() {
        for field in [Field::Submit, Field::Wait] {
            assert_eq!(epoch.get(row, field), local.get(row, field), "{row}");
        }
        assert_eq!(epoch.get(row, Field::Submit), utc.get(row, Field::Submit), "{row}");
    }
    assert_eq!(epoch.header.unix_start_time, local.header.unix_start_time);
    assert_eq!(epoch.findings.count("zone-assumed"), 0);
}

#[test]
fn other_logs_are_not_taken_for_these() {
    let ours = LOGS.lines().filter_map(|line| line.split(' ').next());
    let ours: Vec<&str> = ours.chain(["real/sacct.default-columns.txt"]).collect();
    let logs = ["logs", "traces"].map(|folder| files(&Path::new(SHARED).join(folder))).concat();
    // Runs of Slurm itself have accounting among their files.
    let is_run = |path: &Path| path.iter().any(|part| part.to_string_lossy().starts_with("runs"));
    for path in logs.iter().filter(|path| !is_run(path)) {
        let mut stream = Input::open(path).unwrap().stream().unwrap();
        let beginning = stream.peek().unwrap().to_vec();
        let detected = detect(&beginning).map_or("", |spec| spec.name);
        let mine = ours.iter().any(|name| path.ends_with(format!("slurm/{name}")));
        let path = path.display();
        for name in ["sacct", "sacct-json", "slurm-jobcomp"] {
            let likeness = (format(name).unwrap().likeness)(&beginning);
            let is_right = if mine && detected == name { likeness >= 90 } else { likeness == 0 };
            assert!(is_right, "{name} {likeness}: {path}");
        }
        assert!(!mine || detected.starts_with('s') && detected != "swf", "{detected}: {path}");
    }
    eprintln!("{} files looked at", logs.len());
}
