//! Rules and defaults of Slurm that differ by version ([docs/SLURM.md](../../docs/SLURM.md#versions)).

use super::Folder;

/// Runs the policy slurm on nodes of one processor each, and returns the starts. A job has its submission, run time, limit and
/// processors.
fn starts(version: &str, nodes: usize, conf: &str, jobs: &[[i64; 4]]) -> Vec<i64> {
    let folder = Folder::new();
    let row = |(at, [submit, run, limit, procs]): (usize, &[i64; 4])| {
        format!("{} {submit} 0 {run} {procs} -1 -1 {procs} {limit} -1 1 1 1 -1 1 1 -1 -1\n", at + 1)
    };
    let rows: String = jobs.iter().enumerate().map(row).collect();
    folder.write("a.swf", &format!("; MaxProcs: {nodes}\n; Queue: 1 low\n; Partition: 1 low\n{rows}"));
    let text = format!(
        "SLURM_VERSION=20.02.1\nPriorityType=priority/basic\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n{conf}\n\
         NodeName=n[1-{nodes}] CPUs=1\nPartitionName=low Nodes=ALL Default=YES\n"
    );
    folder.write("slurm.conf", &text);
    let replay = ["replay", "a.swf", "--slurm", "slurm.conf", "--slurm-version", version, "-q"];
    folder.run(&[&replay[..], &["--slurm-delays", "react=0", "--schedule", "s.csv"]].concat()).succeeded();
    let start = |row: &str| row.split(',').nth(2).unwrap().parse::<f64>().unwrap() as i64;
    folder.read("s.csv").lines().skip(1).map(start).collect()
}

#[test]
fn a_reservation_ends_on_the_grid_behind_its_end_since_24_11() {
    // Nodes 1 and 2 are busy until 120. Job 3 is to have them until 180, and job 4 all nodes then. On a grid of 50 s the reservation
    // of job 4 begins at 150 or 200; only in the second case job 5 ends before it.
    let jobs = [[0, 120, 120, 1], [0, 120, 120, 1], [1, 60, 60, 2], [1, 60, 60, 3], [1, 120, 120, 1]];
    let of = |version: &str| starts(version, 3, "SchedulerParameters=bf_resolution=50", &jobs);
    assert_eq!(of("24.05")[2..], [120, 180, 240]);
    assert_eq!(of("24.11")[2..], [120, 180, 30]);
}

#[test]
fn a_reservation_takes_a_step_of_the_grid_at_least_since_22_05() {
    // Node 1 is busy until 120. Job 2 is to have both nodes from then until 180: both instants are 0 on a grid of 600 s.
    let jobs = [[0, 120, 120, 1], [1, 60, 60, 2], [1, 600, 600, 1]];
    let of = |version: &str| starts(version, 2, "SchedulerParameters=bf_resolution=600", &jobs);
    assert_eq!(of("21.08"), [0, 630, 30]);
    assert_eq!(of("22.05"), [0, 120, 180]);
}

#[test]
fn a_job_is_planned_for_the_end_of_the_last_job_on_its_own_nodes_since_25_05() {
    // Job 1 is on node 1 until 120, and job 3 on node 3 until 180; both end in one time window. Job 4 is to have nodes 1 and 2: job 5
    // has time on node 2 before 180, but not before 120.
    let jobs = [[0, 120, 120, 1], [0, 10, 60, 1], [0, 180, 180, 1], [1, 60, 60, 2], [1, 120, 120, 1]];
    assert_eq!(starts("24.11", 3, "", &jobs)[3..], [150, 30]);
    assert_eq!(starts("25.05", 3, "", &jobs)[3..], [120, 180]);
}

#[test]
fn an_option_states_the_version() {
    // Whole nodes until 23.02, and processors later: job 3 has no place beside another one on two nodes of two processors.
    let folder = Folder::new();
    let row = |job: i64| format!("{job} {job} 0 100 1 -1 -1 1 120 -1 1 1 1 -1 1 1 -1 -1\n");
    let rows: String = (1..=3).map(row).collect();
    folder.write("a.swf", &format!("; MaxProcs: 4\n; Queue: 1 low\n; Partition: 1 low\n{rows}"));
    folder.write("slurm.conf", "NodeName=n[1-2] CPUs=2\nPartitionName=low Nodes=ALL Default=YES\n");
    folder.write("config.txt", "Configuration data as of 2026\nSLURM_VERSION           = 22.05.8\n");
    let replay =
        ["replay", "a.swf", "--slurm", "slurm.conf", "--slurm", "config.txt", "--slurm-delays", "react=0"];
    let third_waits = |more: &[&str]| {
        folder.run(&[&replay[..], &["-q", "--schedule", "s.csv"], more].concat()).succeeded();
        folder.read("s.csv").lines().nth(3).unwrap().split(',').nth(2).unwrap().parse::<f64>().unwrap() > 50.0
    };
    assert_eq!((third_waits(&[]), third_waits(&["--slurm-version", "23.11"])), (true, false));
    folder
        .run(&[&replay[..], &["--slurm-version", "23"]].concat())
        .failed(2, "`23` is no version such as 22.05");
}
