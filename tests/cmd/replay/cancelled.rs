//! `--cancel log`: jobs that their users cancelled while they waited.

use crate::cmd::Folder;

/// Four processors. The users of jobs 2 and 3 cancel them 60 s and 30 s after their submission (field 3).
const LOG: &str = "\
; MaxProcs: 4
1 0 0 100 2 -1 -1 2 100 -1 1 1 1 1 1 -1 -1 -1
2 10 60 -1 -1 -1 -1 2 500 -1 5 2 1 1 1 -1 -1 -1
3 20 30 -1 -1 -1 -1 4 500 -1 5 3 1 1 1 -1 -1 -1
4 30 10 50 2 -1 -1 2 50 -1 1 4 1 1 1 -1 -1 -1
";

fn replayed(log: &str, options: &[&str]) -> (Vec<String>, String, String) {
    let folder = Folder::new();
    folder.write("a.swf", log);
    let done = folder.run(&[&["replay", "a.swf", "--schedule", "s.csv"], options].concat());
    let table = done.succeeded().to_owned();
    let rows = folder.read("s.csv").lines().skip(1).map(str::to_owned).collect();
    folder.run(&["verify", "a.swf", "s.csv", "--cancel", "log"]).succeeded();
    (rows, table, done.err)
}

#[test]
fn a_job_leaves_the_queue_or_the_machine_when_its_user_cancels_it() {
    let (rows, table, told) =
        replayed(LOG, &["--policy", "fcfs", "--cancel", "log", "--metrics", "mean_wait,jobs"]);
    // Job 2 starts at once and is taken from the machine at 70. Job 3 blocks job 4 until it leaves at 50; job 2 does until 70.
    assert_eq!(
        rows,
        [
            "1,0,0,100,2,finished",
            "2,10,10,70,2,cancelled",
            "3,20,50,50,4,cancelled",
            "4,30,70,120,2,finished"
        ]
    );
    // The means are over jobs 1 and 4: (0 + 40) / 2. In the log job 4 waited 10 s.
    let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("fcfs 20 2 log 5 2"), "{words}");
    assert!(
        words.contains("fcfs: 2 jobs that users cancel, 1 of them started before: not measured"),
        "{words}"
    );
    assert!(words.contains("cancel log (2 jobs)"), "{words}");
    assert!(told.contains("note[job-cancelled]: 2 jobs that were cancelled before they started"), "{told}");
}

#[test]
fn by_default_such_jobs_are_dropped_and_pointed_out() {
    let folder = Folder::new();
    folder.write("a.swf", LOG);
    let done = folder.run(&["replay", "a.swf", "--policy", "fcfs", "--schedule", "s.csv"]);
    done.succeeded();
    assert_eq!(folder.read("s.csv"), "job_id,submit,start,end,procs\n1,0,0,100,2\n4,30,30,80,2\n");
    let finding = "warning[job-no-run]: 2 jobs without a run time (field 4): dropped";
    assert!(done.err.contains(finding) && done.err.contains("--cancel log lets those wait"), "{}", done.err);
}

#[test]
fn sacct_tells_when_waiting_jobs_were_cancelled() {
    // Job 2 is cancelled 30 s after its submission; it never started.
    let log = "\
JobID|Submit|Start|End|State|NCPUS|ReqCPUS|Timelimit|User
1|2024-03-01T00:00:00|2024-03-01T00:00:00|2024-03-01T00:10:00|COMPLETED|4|4|00:10:00|ann
2|2024-03-01T00:01:00|None|2024-03-01T00:01:30|CANCELLED by 1001|0|4|00:10:00|bob
3|2024-03-01T00:02:00|2024-03-01T00:10:00|2024-03-01T00:11:00|COMPLETED|2|2|00:10:00|cyd
";
    let (rows, ..) = replayed(log, &["--policy", "fcfs", "--cancel", "log"]);
    assert_eq!(rows, ["1,0,0,600,4,finished", "2,60,90,90,4,cancelled", "3,120,600,660,2,finished"]);
}

#[test]
fn verify_finds_jobs_that_outstay_their_cancellation() {
    let folder = Folder::new();
    folder.write("a.swf", LOG);
    let rows =
        "1,0,0,100,2,finished\n2,10,10,75,2,cancelled\n3,20,50,50,4,cancelled\n4,30,75,125,2,finished\n";
    folder.write("s.csv", &format!("job_id,submit,start,end,procs,fate\n{rows}"));
    let done = folder.run(&["verify", "a.swf", "s.csv", "--cancel", "log"]);
    assert_eq!(done.code, 1);
    assert!(
        done.err.contains("job 2 at 10 s: it leaves at 75 s, and its user cancels it at 70 s"),
        "{}",
        done.err
    );
}

#[test]
fn explain_says_that_a_job_was_cancelled() {
    let folder = Folder::new();
    folder.write("a.swf", LOG);
    let done = folder.run(&["explain", "a.swf", "3", "--policy", "fcfs", "--cancel", "log"]);
    assert!(done.succeeded().contains("cancelled by its user at 50 s, while it waited"), "{}", done.out);
}

#[test]
fn a_held_job_that_is_cancelled_before_its_release_blocks_nobody() {
    let folder = Folder::new();
    // Job 2 is held until its user cancels it at 00:05; job 3 needs the whole machine.
    let row = |id: u32,
               submit: &str,
               eligible: &str,
               start: &str,
               end: &str,
               elapsed: u32,
               state: &str,
               cpus: u32| {
        format!(
            "{id}|ann|p|2026-01-01T{submit}|{eligible}|{start}|2026-01-01T{end}|{elapsed}|10|{state}|{cpus}|{cpus}|1\n"
        )
    };
    let rows = [
        row(1, "00:00:00", "2026-01-01T00:00:00", "2026-01-01T00:00:00", "00:01:40", 100, "COMPLETED", 2),
        row(2, "00:00:10", "Unknown", "None", "00:05:00", 0, "CANCELLED by 0", 4),
        row(3, "00:00:20", "2026-01-01T00:00:20", "2026-01-01T00:01:40", "00:02:30", 50, "COMPLETED", 4),
    ];
    let heading = "JobID|User|Partition|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NNodes\n";
    folder.write("a.txt", &(heading.to_owned() + &rows.concat()));
    for cancel in ["log", "ignore"] {
        let options =
            ["--policy", "fcfs", "--procs", "4", "--zone", "UTC", "--cancel", cancel, "--schedule", "s.csv"];
        folder.run(&[&["replay", "a.txt"], &options[..]].concat()).succeeded();
        let schedule = folder.read("s.csv");
        let job = schedule.lines().find(|line| line.starts_with("3,")).unwrap_or_default();
        assert!(job.starts_with("3,20,100,150"), "{cancel}: {schedule}");
    }
}
