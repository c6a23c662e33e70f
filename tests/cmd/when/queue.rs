//! Forecasts of what waits in a queue that Slurm prints.

use super::*;

/// The queue of a real cluster with four nodes, one drained and one draining, in each form that Slurm prints; the accounting
/// of the past beside it; and when the jobs really started, by their numbers, in seconds from the snapshot.
#[test]
fn a_real_queue_is_foretold_from_each_form_in_which_slurm_prints_it() {
    let path = |name: &str| format!("{}/tests/slurm/queue/{name}", env!("CARGO_MANIFEST_DIR"));
    // The snapshot is of 14:28:20. Job 31 is an array of six tasks.
    let started =
        [(27, 2), (28, 2), (29, 123), (30, 74), (31, 74), (35, 164), (36, 74), (37, 189), (38, 104)];
    let folder = Folder::new();
    let (history, sinfo, conf) = (path("sacct.txt.gz"), path("sinfo-nodes.txt"), path("slurm.conf"));
    for form in ["squeue.txt", "squeue.json.gz", "scontrol-job.txt.gz"] {
        let queue = path(form);
        let asked = [&*queue, "--history", &history, "--sinfo", &sinfo, "--slurm", &conf, "--draws", "50"];
        let done = folder.run(&[&["when"], &asked[..]].concat());
        done.succeeded();
        // The caption is broken into lines at other places for other folders.
        let told = format!("{}{}", done.err, done.out).split_whitespace().collect::<Vec<_>>().join(" ");
        for finding in ["note[when-held]: 1 job", "job 33: JobHeldUser", "(2 nodes out of"] {
            assert!(told.contains(finding), "{form}: {finding}: {told}");
        }
        let answer = json(&folder, &[&asked[..], &["-q"]].concat());
        assert_eq!((&answer["running"], &answer["waiting"]), (&2.into(), &16.into()), "{form}");
        let told = |number: i64| {
            let jobs = answer["jobs"].as_array().unwrap();
            jobs.iter().find(|job| job["job"] == number).unwrap().clone()
        };
        for (number, start) in started {
            let (job, start) = (told(number), f64::from(start));
            let of = |key: &str| job[key].as_f64().unwrap();
            // Both clocks show whole seconds, and Slurm looks at its queue every few seconds.
            let (earliest, as_requested) = (of("earliest_in") - 3.0, of("start_as_requested_in") + 3.0);
            assert!(earliest <= start && start <= as_requested, "{form}: {number}: {job}");
        }
        // For these there is room on n2 at once; the others wait for jobs that run on n1 and n3.
        for number in [27, 28] {
            assert!(told(number)["start_in"].as_f64().unwrap() <= 2.0, "{form}: {}", told(number));
        }
        let array: Vec<i64> = (39..44).filter(|&number| told(number)["procs"] == 2).collect();
        assert_eq!(array.len(), 5, "{form}: the other tasks of job 31");
        // Job 34 begins at 15:28:13. Job 32 needs 8 processors when job 27 has ended, which requested 3 min.
        let begin = told(34)["start_as_requested_in"].as_f64().unwrap();
        assert!((3592.0..=3593.0).contains(&begin), "{form}: {begin}");
        assert!(told(32)["start_as_requested_in"].as_f64().unwrap() >= 180.0, "{form}: {}", told(32));
        // If n4 were not drained, job 30 would start there.
        let all = [&*queue, "--history", &history, "--slurm", &conf, "--draws", "10", "-q", "--job", "30"];
        let soon = json(&folder, &all)["jobs"][0]["start_as_requested_in"].as_f64().unwrap();
        let late = told(30)["start_as_requested_in"].as_f64().unwrap();
        assert!(soon < 60.0 && late > 240.0, "{form}: {soon} {late}");
    }
}
