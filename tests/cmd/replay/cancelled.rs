//! `--cancel log`: jobs that their users cancelled while they waited.

use crate::cmd::Folder;

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
