//! `--requeues`: the runs of jobs that were put back into the queue.

use std::path::Path;

use crate::cmd::Folder;

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
