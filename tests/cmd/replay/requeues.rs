//! `--requeues`: the runs of jobs that were put back into the queue.

use std::path::Path;

use crate::cmd::Folder;

/// Two processors. Job 5 of the batch system runs twice, job 6 is submitted in between.
const LOG: &str = "\
; MaxProcs: 2
; Resource: 1 id scope=job
1 0 0 40 2 -1 -1 2 100 -1 0 1 1 1 1 -1 -1 -1 5
2 20 40 10 2 -1 -1 2 100 -1 1 2 1 1 1 -1 -1 -1 6
3 40 30 60 2 -1 -1 2 100 -1 1 1 1 1 1 -1 -1 -1 5
";

fn replayed(requeues: &str) -> (String, String) {
    let folder = Folder::new();
    folder.write("a.swf", LOG);
    let options = ["--policy", "fcfs", "--requeues", requeues, "--schedule", "s.csv"];
    let done = folder.run(&[&["replay", "a.swf"], &options[..]].concat());
    done.succeeded();
    folder.run(&["verify", "a.swf", "s.csv", "--requeues", requeues]).succeeded();
    (folder.read("s.csv"), done.err)
}

#[test]
fn a_requeued_job_is_its_runs_or_its_last_run_or_all_of_them_together() {
    let (each, told) = replayed("each");
    assert_eq!(each, "job_id,submit,start,end,procs\n1,0,0,40,2\n2,20,40,50,2\n3,40,50,110,2\n");
    assert!(told.contains("note[job-runs-apart]: 1 run of requeued jobs before its last one"), "{told}");
    let (last, told) = replayed("last");
    assert_eq!(last, "job_id,submit,start,end,procs\n1,0,0,60,2\n2,20,60,70,2\n");
    assert!(
        told.contains("note[job-runs-lost]: 1 run") && told.contains("job 1: 2 runs, 40 s before"),
        "{told}"
    );
    // 40 s and 60 s.
    let (sum, _) = replayed("sum");
    assert_eq!(sum, "job_id,submit,start,end,procs\n1,0,0,100,2\n2,20,100,110,2\n");
}

/// The accounting of a cluster has five jobs that ran twice, in two formats; `jobcomp` has the first runs of three of them
/// twice.
#[test]
fn the_runs_of_real_jobs_are_found_in_each_of_slurms_formats() {
    let real = Path::new("../shared/logs/slurm/real");
    if !real.exists() {
        eprintln!("skipped: {} is absent", real.display());
        return;
    }
    for name in ["sacct.json.gz", "jobcomp-filetxt.txt"] {
        let log = std::fs::canonicalize(real.join(name)).unwrap();
        let log = log.to_str().unwrap();
        let folder = Folder::new();
        let replay = ["replay", log, "--procs", "256", "--policy", "easy", "--schedule", "s.csv"];
        let each = folder.run(&replay);
        each.succeeded();
        assert!(each.err.contains("note[job-runs-apart]: 5 runs of requeued jobs"), "{name}: {}", each.err);
        let rows = |folder: &Folder| folder.read("s.csv").lines().count();
        let all = rows(&folder);
        let last = folder.run(&[&replay[..], &["--requeues", "last"]].concat());
        last.succeeded();
        assert!(last.err.contains("note[job-runs-lost]: 5 runs of requeued jobs"), "{name}: {}", last.err);
        // The node of job 100 fails after 5 s; its next run takes 100 s.
        assert!(last.err.contains("job 100: 2 runs, 5 s before the last"), "{name}: {}", last.err);
        let joined = if name.starts_with("jobcomp") { 8 } else { 5 };
        assert_eq!(all - rows(&folder), joined, "{name}");
        let job = folder.read("s.csv");
        let job =
            job.lines().find(|line| line.starts_with("100,")).map(|line| line.split(',').collect::<Vec<_>>());
        let time = |at: usize| job.as_ref().and_then(|job| job[at].parse::<i64>().ok());
        assert_eq!(time(3).zip(time(2)).map(|(end, start)| end - start), Some(100), "{name}: {job:?}");
    }
}
