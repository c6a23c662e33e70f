//! Schedules that Batsim published for its workload `medium` on 32 hosts of one core: `examples/batsim_outputs/medium_late` in the
//! repository of evalys (oar-team/evalys, commit 94226a03), made by its schedulers `easy_bf` and `conservative_bf`.

use std::collections::BTreeMap;

use batchlab::parsers::sha256;
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

/// Schedules that batsched 1.4.0 (oar-team/batsched, commit bab23fa) made of KTH-SP2 through the carrier: the SHA-256 of what
/// `--schedule` wrote, and the built-in policy with the same schedule. `docs/IS-YOUR-EASY-AN-EASY.md` has the command.
const BATSCHED: [(&str, &str, bool, &str); 4] = [
    ("fcfs", "fcfs", false, "f04415c9ce9cd510892a5643ee02ae03395215ec7b1db63761a2c5c89b7a0d9a"),
    ("filler", "first-fit", false, "52dbb5de3f01da46949cbcb25a9377a5ff242a3f5fce79d9a035ee9b1590730e"),
    ("easy_bf", "easy", true, "58f7f8476486393bba5b9f2af9eec3f68c792fc185d1ae522a2b93919a6b2a8a"),
    (
        "conservative_bf -d 0",
        "conservative:variant=rechoose",
        true,
        "d31d28be8aa98e6a3b3365b50606e4d4686daf9029f83fca74209336ce647ae6",
    ),
];

#[test]
fn batsched_has_the_schedules_of_built_in_policies() {
    let Some(log) = shared("traces/KTH-SP2-1996-2.1-cln.swf.gz") else { return };
    let (folder, log) = (Folder::new(), log.display().to_string());
    for (variant, policy, has_nodes, theirs) in BATSCHED {
        let nodes: &[&str] = if has_nodes { &["--nodes", "100", "--layout", "tasks:1"] } else { &[] };
        let args = ["replay", &log, "-q", "--policy", policy, "--schedule", "ours.csv"];
        folder.run(&[&args, nodes].concat()).succeeded();
        let ours = sha256(std::fs::File::open(folder.path("ours.csv")).unwrap()).unwrap();
        assert_eq!(ours, theirs, "{variant}");
    }
}
