//! Schedules that Batsim published for its workload `medium` on 32 hosts of one core: `examples/batsim_outputs/medium_late` in the
//! repository of evalys (oar-team/evalys, commit 94226a03), made by its schedulers `easy_bf` and `conservative_bf`.

use std::collections::BTreeMap;

use batchlab::schedule;
use batchlab::traces::Time;

use crate::cmd::Folder;
use crate::lab::shared;

/// The folder of the workload, as SWF, and of the schedule of `conservative_bf`.
const CASE: &str = "cases/authors/cons-nodes";

const HOSTS: [&str; 6] = ["--nodes", "32", "--layout", "tasks:1", "-q", "--policy"];

/// `out_schedule.csv` of `easy_bf`.
const EASY: [(&str, &str); 10] = [
    ("makespan", "16088.510000"),
    ("max_slowdown", "35.114472"),
    ("max_turnaround_time", "757.920962"),
    ("max_waiting_time", "316.742718"),
    ("mean_slowdown", "1.391621"),
    ("mean_turnaround_time", "160.927071"),
    ("mean_waiting_time", "9.516326"),
    ("nb_jobs", "801"),
    ("nb_jobs_success", "801"),
    ("time_computing", "256450.464000"),
];

#[test]
fn easy_has_the_published_sums_and_means() {
    let Some(case) = shared(CASE) else { return };
    let folder = Folder::new();
    let log = case.join("medium.swf").display().to_string();
    folder.run(&[&["replay", &log], &HOSTS[..], &["easy", "--evalys", "."]].concat()).succeeded();
    let sums = folder.read("easy_schedule.csv");
    let lines: Vec<Vec<&str>> = sums.lines().map(|line| line.split(',').collect()).collect();
    for (name, published) in EASY {
        let at = lines[0].iter().position(|column| *column == name).unwrap();
        assert_eq!(lines[1][at], published, "{name}");
    }
}

/// Batsim numbers the jobs from 0, and the last one 424242; the log numbers them from 1 to 801.
#[test]
fn conservative_that_chooses_nodes_again_at_each_end_has_the_published_starts() {
    let Some(case) = shared(CASE) else { return };
    let folder = Folder::new();
    let log = case.join("medium.swf").display().to_string();
    let published = std::fs::read_to_string(case.join("medium_late-conservative-out_jobs.csv")).unwrap();
    let starts = |text: &str| -> BTreeMap<i64, Time> {
        schedule::read(text).unwrap().iter().map(|row| (row.job, row.start)).collect()
    };
    let theirs: BTreeMap<i64, Time> = starts(&published)
        .into_iter()
        .map(|(job, start)| (if job == 424_242 { 801 } else { job + 1 }, start))
        .collect();
    let spec = ["conservative:variant=rechoose", "--schedule", "ours.csv"];
    folder.run(&[&["replay", &log], &HOSTS[..], &spec].concat()).succeeded();
    let ours = starts(&folder.read("ours.csv"));
    assert_eq!(ours.len(), 801);
    assert!(ours == theirs);
}
