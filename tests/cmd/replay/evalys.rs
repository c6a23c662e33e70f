//! Tests of `--evalys`: schedules as the simulator Batsim writes them.

use super::{four_jobs, with};
use crate::cmd::Folder;

/// EASY's schedule of the four jobs on four processors: job 3 is backfilled beside job 1, and job 2 waits for job 1.
const JOBS: &str = "\
job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,starting_time,\
execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,consumed_energy,metadata
1,w0,1,0.000000,2,100.000000,1,COMPLETED_SUCCESSFULLY,0.000000,100.000000,100.000000,0.000000,100.000000,1.000000,0-1,,\"\"
2,w0,2,1.000000,4,60.000000,1,COMPLETED_SUCCESSFULLY,100.000000,50.000000,150.000000,99.000000,149.000000,2.980000,0-3,,\"\"
3,w0,3,2.000000,2,20.000000,1,COMPLETED_SUCCESSFULLY,2.000000,20.000000,22.000000,0.000000,20.000000,1.000000,2-3,,\"\"
4,w0,4,200.000000,1,10.000000,1,COMPLETED_SUCCESSFULLY,200.000000,10.000000,210.000000,0.000000,10.000000,1.000000,0,,\"\"
";

/// Four processors for 210 s, of which 2 × 100 + 4 × 50 + 2 × 20 + 10 processor seconds are used.
const SUMS: [(&str, &str); 14] = [
    ("makespan", "210.000000"),
    ("max_slowdown", "2.980000"),
    ("max_turnaround_time", "149.000000"),
    ("max_waiting_time", "99.000000"),
    ("mean_slowdown", "1.495000"),
    ("mean_turnaround_time", "69.750000"),
    ("mean_waiting_time", "24.750000"),
    ("nb_computing_machines", "4"),
    ("nb_jobs", "4"),
    ("nb_jobs_rejected", "0"),
    ("scheduling_time", ""),
    ("success_rate", "1.000000"),
    ("time_computing", "450.000000"),
    ("time_idle", "390.000000"),
];

fn cells(folder: &Folder, file: &str) -> Vec<(String, String)> {
    let text = folder.read(file);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((lines.len(), lines[0].len()), (2, lines[1].len()), "{text}");
    lines[0].iter().zip(&lines[1]).map(|(name, cell)| ((*name).into(), (*cell).into())).collect()
}

#[test]
fn each_policy_has_its_jobs_and_its_sums() {
    let folder = with(&four_jobs());
    let replay =
        ["replay", "a.swf", "--policy", "easy", "--policy", "fcfs:order=sjf", "--evalys", "out", "-q"];
    folder.run(&replay).succeeded();
    assert_eq!(folder.read("out/easy_jobs.csv"), JOBS);
    let sums = cells(&folder, "out/easy_schedule.csv");
    assert_eq!(sums.len(), 26);
    for (name, cell) in SUMS {
        assert!(sums.contains(&(name.into(), cell.into())), "{name}: {sums:?}");
    }
    assert!(folder.read("out/fcfs-order=sjf_jobs.csv").starts_with("job_id,workload_name,"));
    assert!(folder.path("out/fcfs-order=sjf_schedule.csv").exists());
}

#[test]
fn what_is_written_is_read_back_to_the_same_schedule() {
    let folder = with(&four_jobs());
    folder
        .run(&["replay", "a.swf", "--policy", "easy", "--evalys", ".", "--schedule", "easy.csv", "-q"])
        .succeeded();
    folder.run(&["diff", "a.swf", "easy.csv", "easy_jobs.csv"]).succeeded();
    folder.run(&["verify", "a.swf", "easy_jobs.csv"]).succeeded();
    let log = folder.run(&["convert", "easy_jobs.csv", "-o", "-", "-q"]);
    let rows: Vec<&str> = log.succeeded().lines().filter(|line| !line.starts_with(';')).collect();
    assert_eq!(
        rows,
        [
            "1 0 0 100 -1 -1 -1 2 100 -1 1 -1 -1 -1 -1 -1 -1 -1",
            "2 1 99 50 -1 -1 -1 4 60 -1 1 -1 -1 -1 -1 -1 -1 -1",
            "3 2 0 20 -1 -1 -1 2 20 -1 1 -1 -1 -1 -1 -1 -1 -1",
            "4 200 0 10 -1 -1 -1 1 10 -1 1 -1 -1 -1 -1 -1 -1 -1",
        ]
    );
}

#[test]
fn processors_of_nodes_are_numbered_consecutively_and_no_two_jobs_have_one() {
    // Two nodes of two processors, 0 and 1, 2 and 3. Jobs 1 and 2 take one on each node, job 3 waits for both.
    let folder = with(&super::log(4, &[(0, -1, 10, 2, 10, 1), (1, -1, 10, 2, 10, 1), (2, -1, 5, 3, 5, 1)]));
    let options = ["--nodes", "2", "--policy", "fcfs:place=worst-fit", "--evalys", "out", "-q"];
    folder.run(&[&["replay", "a.swf"], &options[..]].concat()).succeeded();
    let jobs = folder.read("out/fcfs-place=worst-fit_jobs.csv");
    let last = |row: &str| row.split(',').nth_back(2).unwrap().to_owned();
    assert_eq!(jobs.lines().skip(1).map(last).collect::<Vec<_>>(), ["0 2", "1 3", "0-2"], "{jobs}");
}

#[test]
fn a_job_that_had_not_ended_has_no_row_and_time_that_is_shared_is_refused() {
    let folder = with(&four_jobs());
    let replay =
        ["replay", "a.swf", "--policy", "easy", "--stop", "last:run >= 100", "--evalys", "out", "-q"];
    folder.run(&replay).succeeded();
    let rows: Vec<String> = JOBS.lines().map(str::to_owned).collect();
    assert_eq!(folder.read("out/easy_jobs.csv").lines().collect::<Vec<_>>(), [&rows[0], &rows[1], &rows[3]]);
    let done = folder.run(&["replay", "a.swf", "--policy", "gs", "--nodes", "4", "--evalys", "out", "-q"]);
    done.failed(2, "--evalys: jobs share time under gs");
    assert!(!folder.path("out/gs_jobs.csv").exists());
}
