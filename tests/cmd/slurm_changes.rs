//! Jobs that were changed as they waited, by the lines of slurmctld's log: the twin follows them at their instants.

use std::path::Path;

use serde_json::Value;

use super::Folder;

/// One node of four processors.
const CONF: &str = "SLURM_VERSION=22.05.8\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
    PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityMaxAge=00:16:40\nPriorityCalcPeriod=00:01:00\n\
    NodeName=n1 CPUs=4\nPartitionName=main Nodes=ALL Default=YES MaxTime=60\n";

const COLUMNS: &str = "JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|NNodes|ReqCPUS|AllocCPUS|NodeList|SubmitLine\n";

/// A job with its processors, the second of its submission, its time in seconds, its limit in minutes, and its submit line.
fn job(id: i64, procs: i64, submit: i64, run: i64, limit: i64, line: &str) -> String {
    format!(
        "{id}|ann|lab|main|normal|COMPLETED|2026-03-02T10:00:{submit:02}|2026-03-02T10:00:{submit:02}|2026-03-02T10:30:00|\
         2026-03-02T10:40:00|{run}|{limit}|1|{procs}|{procs}|n1|{line}\n"
    )
}

fn folder(jobs: &[String], changes: &str) -> Folder {
    let folder = Folder::new();
    folder.write("slurm.conf", CONF);
    folder.write("sacct.txt", &format!("{COLUMNS}{}", jobs.concat()));
    folder.write("changes.txt", changes);
    folder
}

/// Returns the starts of jobs 2 and later in whole seconds, and what was said.
fn starts(folder: &Folder) -> (Vec<i64>, String) {
    let args =
        ["replay", "sacct.txt", "--slurm", "slurm.conf", "--slurm", "changes.txt", "--schedule", "s.csv"];
    let done = folder.run(&args);
    done.succeeded();
    let schedule = folder.read("s.csv");
    let head: Vec<&str> = schedule.lines().next().unwrap().split(',').collect();
    let at = |name: &str| head.iter().position(|known| *known == name).unwrap();
    let (id, start) = (at("job_id"), at("start"));
    let mut all: Vec<(i64, i64)> = Vec::new();
    for row in schedule.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>()) {
        all.push((row[id].parse().unwrap(), row[start].parse::<f64>().unwrap() as i64));
    }
    all.sort_unstable();
    (all.into_iter().skip(1).map(|(_, start)| start).collect(), done.err)
}

/// Job 1 has the node until 100 s; jobs 2 to 4 want all of it, for a minute each.
fn in_a_row() -> [String; 4] {
    [
        job(1, 4, 0, 100, 2, "sbatch a.sh"),
        job(2, 4, 5, 60, 2, "sbatch a.sh"),
        job(3, 4, 6, 60, 2, "sbatch a.sh"),
        job(4, 4, 7, 60, 2, "sbatch a.sh"),
    ]
}

#[test]
fn a_priority_set_by_hand_stays_and_a_held_job_waits_for_its_release() {
    let other = "[2026-03-02T10:00:10.000] sched: _update_job: setting QOS to high for JobId=9\n";
    let (plain, said) = starts(&folder(&in_a_row(), other));
    assert_eq!(plain, [101, 161, 222]);
    assert!(said.contains("note[slurm-change-undated]: 1 change of jobs"), "{said}");
    // Job 4 goes first, although priorities are computed three times until it starts; job 2 is out from 30 to 180 s.
    let lines = "\
[2026-03-02T10:00:20.101] sched: _update_job: set priority to 5000 for JobId=4
[2026-03-02T10:00:30.102] sched: _hold_job_rec: hold on JobId=2 by uid 0
[2026-03-02T10:00:30.102] sched: _update_job: set priority to 0 for JobId=2
[2026-03-02T10:03:00.103] sched: _release_job_rec: release hold on JobId=2 by uid 0
[2026-03-02T10:03:10.104] sched: _update_job: set priority to 5000 for JobId=77
";
    let (changed, said) = starts(&folder(&in_a_row(), lines));
    assert_eq!(changed, [222, 161, 101]);
    assert!(said.contains("note[slurm-change-of-no-job]: 1 line"), "{said}");
}

#[test]
fn a_limit_counts_from_the_instant_of_its_change() {
    // Job 2 waits for all processors, from 600 s on by the limit of job 1. Job 3 fits beside job 1, if it ends before.
    let jobs = [
        job(1, 3, 0, 300, 10, "sbatch --time=10 a.sh"),
        job(2, 4, 5, 60, 10, "sbatch --time=10 a.sh"),
        job(3, 1, 6, 20, 1, "sbatch --time=20 a.sh"),
    ];
    let of = |changes: &str| starts(&folder(&jobs, changes)).0;
    let change = "[2026-03-02T10:01:40.500] sched: _update_job: setting time_limit to 1 for JobId=3\n";
    assert!((100..=130).contains(&of(change)[1]), "{:?}", of(change));
    // Accounting alone has the last limit.
    let other = "[2026-03-02T10:00:10.000] sched: _update_job: setting QOS to high for JobId=3\n";
    assert!(of(other)[1] < 40, "{:?}", of(other));
}

#[test]
fn priorities_of_the_past_know_what_was_changed_by_then() {
    let changes = "\
[2026-03-02T10:00:20.101] sched: _update_job: set priority to 5000 for JobId=4
[2026-03-02T10:00:30.102] sched: _hold_job_rec: hold on JobId=2 by uid 0
[2026-03-02T10:00:50.102] sched: _update_job: set priority to 6000 for JobId=3
[2026-03-02T10:25:00.103] sched: _release_job_rec: release hold on JobId=2 by uid 0
";
    let folder = folder(&in_a_row(), changes);
    let at = |clock: &str| {
        let args =
            ["priorities", "sacct.txt", "--slurm", "slurm.conf", "--slurm", "changes.txt", "--at", clock];
        let done = folder.run(&[&args[..], &["-q", "--format", "json"]].concat());
        let found: Value = serde_json::from_str(done.succeeded()).unwrap();
        let of = |job: &Value| (job["job"].as_i64().unwrap(), job["priority"].as_u64().unwrap());
        found["jobs"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(at("2026-03-02 10:00:10").iter().map(|row| row.0).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(at("2026-03-02 10:00:40")[0], (4, 5000));
    assert!(at("2026-03-02 10:00:40").iter().all(|row| row.0 != 2), "it is held");
    assert_eq!(at("2026-03-02 10:01:00")[..2], [(3, 6000), (4, 5000)]);
}

/// `tests/slurm/changes` is a run of Slurm 22.05.8 (four nodes, eleven jobs) in which an operator and a user changed jobs as they
/// waited; changes.txt has what `slurm-collect` takes of slurmctld's log.
#[test]
fn changes_of_a_real_run_are_followed() {
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/changes");
    let folder = Folder::new();
    for name in ["slurm.conf", "assoc.psv", "qos.psv", "sacct.txt", "changes.txt"] {
        folder.write(name, &std::fs::read_to_string(real.join(name)).unwrap());
    }
    let verdicts = |more: &[&str]| {
        let files = ["--slurm", "slurm.conf", "--slurm", "assoc.psv", "--slurm", "qos.psv"];
        let args = [&["slurm-check", "sacct.txt", "-q", "--jobs", "jobs.csv"], &files[..], more].concat();
        folder.run(&args).succeeded();
        let of = |row: &str| {
            let cells: Vec<&str> = row.split(',').collect();
            (cells[0].parse().unwrap(), cells[7] == "agreed")
        };
        folder.read("jobs.csv").lines().skip(1).map(of).collect::<Vec<(i64, bool)>>()
    };
    // Job 6 got priority 500,000, job 7 a better QOS, and job 11 a limit of a minute for half an hour, with which it fits before
    // the others. Without the lines accounting has job 11 as short from the submission on, and job 6 as any other.
    let agrees = |all: &[(i64, bool)], job: i64| all.iter().any(|&(other, agrees)| other == job && agrees);
    let (plain, told) = (verdicts(&[]), verdicts(&["--slurm", "changes.txt"]));
    assert_eq!([6, 7, 11].map(|job| (agrees(&plain, job), agrees(&told, job))), [(false, true); 3]);
}
