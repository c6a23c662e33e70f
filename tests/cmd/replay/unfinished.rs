//! Tests of jobs that had not ended when their log was written.

use crate::cmd::Folder;

/// At the export at 09:00, job 2 had run for 30 min of its hour, job 3 for 90 min of its hour, and job 4 for
/// 10 min without a limit; job 5 waited, and job 6 was cancelled before its start.
const EXPORT: &str = "\
JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList
1|ann|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:10:00|600|60|COMPLETED|1|1|n1
2|ann|2024-03-04T08:30:00|2024-03-04T08:30:00|Unknown|1800|60|RUNNING|1|1|n1
3|ann|2024-03-04T07:30:00|2024-03-04T07:30:00|Unknown|5400|60|RUNNING|1|1|n1
4|ann|2024-03-04T08:50:00|2024-03-04T08:50:00|Unknown|600|UNLIMITED|RUNNING|1|1|n1
5|ann|2024-03-04T08:55:00|Unknown|Unknown|0|60|PENDING|1|0|None assigned
6|ann|2024-03-04T08:56:00|2024-03-04T08:57:00|2024-03-04T08:57:00|0|60|CANCELLED|1|0|None assigned
";

/// Returns job, start and end of each replayed job, and the messages on standard error.
fn replayed(log: &str, options: &[&str]) -> (Vec<String>, String) {
    let folder = Folder::new();
    folder.write("sacct.txt", EXPORT);
    if log == "a.swf" {
        folder.run(&["convert", "sacct.txt", "-o", "a.swf", "-q"]).succeeded();
    }
    let command = ["replay", log, "--policy", "easy", "--procs", "8", "--schedule", "s.csv"];
    let done = folder.run(&[&command, options].concat());
    done.succeeded();
    let rows = folder.read("s.csv");
    let cell = |row: &str, at: usize| row.split(',').nth(at).unwrap().to_owned();
    let row = |row: &str| format!("{} {} {}", cell(row, 0), cell(row, 2), cell(row, 3));
    (rows.lines().skip(1).map(row).collect(), done.err + &done.out)
}

#[test]
fn jobs_that_ran_at_the_export_are_dropped_in_one_finding() {
    for log in ["sacct.txt", "a.swf"] {
        let (jobs, words) = replayed(log, &[]);
        assert_eq!(jobs, ["1 1800 2400"], "{log}");
        assert!(words.contains("warning[job-unfinished-dropped]: 4 jobs that waited or ran"), "{words}");
        assert!(words.contains("job 3 had run for 5400 s, with a limit of 3600 s"), "{words}");
        assert!(words.contains("[job-no-run]: 1 job without a run time"), "{words}");
        assert!(!words.contains("[job-unfinished]"), "{words}");
    }
}

#[test]
fn jobs_that_ran_at_the_export_may_run_until_their_limit() {
    for log in ["sacct.txt", "a.swf"] {
        let (jobs, words) = replayed(log, &["--running", "limit"]);
        // Job 3 is beyond its limit: its run time is the time it had run. Job 4 has no limit, which
        // counts as a year.
        assert_eq!(jobs, ["3 0 5400", "1 1800 2400", "2 3600 7200", "4 4800 31540800"], "{log}");
        assert!(
            words.contains("[job-unfinished-kept]: 3 jobs that had not ended when the log was written"),
            "{words}"
        );
        assert!(words.contains("[job-unfinished-dropped]: 1 job that waited or ran"), "{words}");
        assert!(words.contains("job 4 had run for 600 s, with no limit"), "{words}");
        assert!(words.contains("running limit"), "{words}");
    }
}

#[test]
fn jobs_that_waited_at_the_export_may_run_until_their_limit_too() {
    for log in ["sacct.txt", "a.swf"] {
        let (jobs, words) = replayed(log, &["--running", "all"]);
        assert_eq!(
            jobs,
            ["3 0 5400", "1 1800 2400", "2 3600 7200", "4 4800 31540800", "5 5100 8700"],
            "{log}"
        );
        assert!(words.contains("[job-unfinished-kept]: 4 jobs that had not ended"), "{words}");
        assert!(words.contains("running all"), "{words}");
    }
}

#[test]
fn whole_nodes_that_were_given_out_are_warned_of() {
    // Each job asked for one processor and got the eight of a node; the jobs run in sequence.
    let row = |job: i64| format!("{} {} 0 100 8 -1 -1 1 100 -1 1 1 1 1 1 -1 -1 -1\n", job + 1, 100 * job);
    let rows = (0..4).map(row).collect::<Vec<_>>().concat();
    let folder = Folder::new();
    folder.write("a.swf", &format!("; MaxProcs: 8\n{rows}"));
    let told = |options: &[&str]| {
        let done = folder.run(&[&["replay", "a.swf", "--policy", "easy"], options].concat());
        done.succeeded();
        done.err
    };
    let words = told(&[]);
    assert!(
        words.contains("warning[job-given-more]: 4 jobs that got more processors than requested"),
        "{words}"
    );
    let detail = "4 of 4 jobs; by allocated processors the work is 8.00 times as much: an offered load of 1.333, not 0.167";
    assert!(words.contains(detail), "{words}");
    assert!(words.contains("--size allocated replays the allocated sizes"), "{words}");
    assert!(!told(&["--size", "allocated"]).contains("job-given-more"));
    let info = folder.run(&["info", "a.swf"]);
    let page = info.succeeded().to_owned() + &info.err;
    assert!(page.contains("it used 100.0 % of the machine, the requests 12.5 %"), "{page}");
    // Half as much again is reported as much; less is not.
    folder.write("a.swf", &format!("; MaxProcs: 8\n{}", rows.replace(" 100 8 -1 -1 1 ", " 100 8 -1 -1 6 ")));
    assert!(!told(&[]).contains("job-given-more"));
}
