//! Tests of `batchlab diff`: the first instant at which two schedules differ, and the rule that explains it.

use super::{Done, Folder, extra_tie, log, same_instant_ends};

/// A folder with the log and the schedules that two commands produce from it.
fn schedules(log: &str, a: &[&str], b: &[&str]) -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", log);
    for (name, options) in [("a.csv", a), ("b.csv", b)] {
        folder
            .run(&[&["replay", "a.swf", "-q", "--schedule", name, "--policy"], options].concat())
            .succeeded();
    }
    folder
}

fn diff(folder: &Folder) -> Done {
    folder.run(&["diff", "a.swf", "a.csv", "b.csv"])
}

/// Asserts that two schedules differ because of `rule`, and that the output has these lines.
fn part(done: &Done, rule: &str, lines: &[&str]) {
    assert_eq!((done.code, done.err.as_str()), (1, "error: the schedules differ\n"));
    assert!(done.out.contains(&format!("\nrule: {rule}: ")), "{}", done.out);
    for line in lines {
        assert!(done.out.lines().any(|printed| printed == *line), "`{line}` is not in:\n{}", done.out);
    }
}

#[test]
fn equal_schedules_agree() {
    let folder = schedules(&extra_tie(), &["easy"], &["depth:k=1"]);
    let done = diff(&folder);
    assert_eq!((done.succeeded(), done.err.as_str()), ("all 4 starts and ends agree\n", ""));
}

#[test]
fn ends_tied_at_the_shadow_time_tell_two_easys_apart() {
    let folder = schedules(&extra_tie(), &["easy"], &["easy:extra=first"]);
    part(
        &diff(&folder),
        "tied ends",
        &[
            "1 start and 1 end differ; the schedules part at 2 s",
            "job 4 (2 processors, estimate 200 s): start 2 s in A, 100 s in B; end 202 s in A, 300 s in B",
            "then, after the ends and what both start: 2 jobs running, 2 processors free, 2 jobs waiting",
            "head: job 3, 5 processors; shadow time 100 s, 3 extra processors",
        ],
    );
}

#[test]
fn the_order_of_simultaneous_events_tells_two_easys_apart() {
    let easy = &["easy"][..];
    let told_apart = ["2 starts and 2 ends differ; the schedules part at 100 s", "head: job 3, 4 processors"];
    let folder = schedules(&same_instant_ends(), easy, &["easy", "--events", "submit-first"]);
    part(&diff(&folder), "tie", &told_apart);
    let folder = schedules(&same_instant_ends(), &["easy", "--events", "finish-first"], easy);
    part(&diff(&folder), "tie", &told_apart);
}

/// Job 3 is expected to end `after` seconds after 100, the instant at which job 1 is expected to make room
/// for the head.
fn hole(after: i64) -> String {
    let run = 98 + after;
    log(4, &[(0, -1, 100, 2, 100, 1), (1, -1, 50, 4, 50, 1), (2, -1, run, 2, run, 1)])
}

#[test]
fn a_strict_shadow_time_is_named() {
    let folder = schedules(&hole(0), &["easy"], &["easy"]);
    folder.write("b.csv", "job_id,start,end\n1,0,100\n2,100,150\n3,150,248\n");
    let head = "head: job 2, 4 processors; shadow time 100 s, 0 extra processors";
    part(&diff(&folder), "shadow", &["1 start and 1 end differ; the schedules part at 2 s", head]);
}

#[test]
fn a_broken_reservation_is_named() {
    let folder = schedules(&hole(20), &["easy"], &["first-fit"]);
    part(&diff(&folder), "reservation", &["2 starts and 2 ends differ; the schedules part at 2 s"]);
    let folder = schedules(&hole(-20), &["easy"], &["fcfs"]);
    part(&diff(&folder), "candidate", &["1 start and 1 end differ; the schedules part at 2 s"]);
}

#[test]
fn extra_processors_that_are_not_used_and_a_head_that_waits_are_named() {
    let log = log(5, &[(0, -1, 100, 2, 100, 1), (1, -1, 50, 4, 50, 1), (2, -1, 200, 1, 200, 1)]);
    let folder = schedules(&log, &["easy"], &["fcfs"]);
    part(
        &diff(&folder),
        "extra",
        &["job 3 (1 processors, estimate 200 s): start 2 s in A, 100 s in B; end 202 s in A, 300 s in B"],
    );
    let late = folder.read("a.csv").replace("2,1,100,150", "2,1,101,151");
    folder.write("b.csv", &late);
    part(&diff(&folder), "head", &["1 start and 1 end differ; the schedules part at 100 s"]);
    folder.write("b.csv", &folder.read("a.csv").replace("2,1,100,150", "2,1,100,151"));
    part(&diff(&folder), "run time", &["0 starts and 1 end differ; the schedules part at 150 s"]);
}

#[test]
fn candidates_that_are_taken_in_another_order_are_named() {
    // Until 100 one processor is extra, and jobs 3 and 4 both outlast the shadow time: the first one tried
    // gets it.
    let rows =
        [(0, -1, 100, 2, 100, 1), (1, -1, 50, 3, 50, 1), (2, -1, 300, 1, 300, 1), (2, -1, 200, 1, 200, 1)];
    let folder = schedules(&log(4, &rows), &["easy"], &["easy:candidates=sjf"]);
    let instead = "started then in the other schedule only: job 4";
    let head = "head: job 2, 3 processors; shadow time 100 s, 1 extra processors";
    part(&diff(&folder), "order", &[head, instead]);
    // The same with jobs that end before the shadow time, and room for only one of them.
    let rows = [(0, -1, 100, 3, 100, 1), (1, -1, 50, 4, 50, 1), (2, -1, 60, 1, 60, 1), (2, -1, 50, 1, 50, 1)];
    let folder = schedules(&log(4, &rows), &["easy"], &["easy:candidates=sjf"]);
    part(&diff(&folder), "order", &[instead]);
    // The same with a queue in another order; each of its jobs fits by itself.
    let rows = [(0, -1, 100, 4, 100, 1), (1, -1, 60, 3, 60, 1), (2, -1, 50, 2, 50, 1)];
    let folder = schedules(&log(4, &rows), &["fcfs"], &["fcfs:order=sjf"]);
    part(&diff(&folder), "order", &["started then in the other schedule only: job 3"]);
}

#[test]
fn a_job_that_delays_the_head_is_at_fault_not_the_one_that_it_displaces() {
    // Job 3 ends by 100, when job 2 can start; job 4 does not, and takes the place of job 3 in B.
    let rows =
        [(0, -1, 100, 3, 100, 1), (1, -1, 50, 4, 50, 1), (2, -1, 60, 1, 60, 1), (2, -1, 500, 1, 500, 1)];
    let folder = schedules(&log(4, &rows), &["easy"], &["first-fit:order=ljf"]);
    let line = "job 4 (1 processors, estimate 500 s): start 150 s in A, 2 s in B; end 650 s in A, 502 s in B";
    part(&diff(&folder), "reservation", &[line, "started then in the other schedule only: job 3"]);
}

#[test]
fn a_file_that_is_not_a_schedule_of_the_log_is_named() {
    let folder = schedules(&hole(0), &["easy"], &["easy"]);
    folder.run(&["diff", "a.swf", "a.csv", "none.csv"]).failed(3, "cannot read none.csv: ");
    folder.run(&["diff", "a.swf", "a.csv"]).failed(2, "<B.csv>");
    folder.write("b.csv", "job_id,start,end\n1,0,100\n2,100,150\n");
    diff(&folder).failed(3, "b.csv: 1 of 3 jobs has no start and end in the schedule: job 3");
    folder.write("b.csv", "job_id,start\n1,0\n");
    diff(&folder).failed(3, "b.csv: the schedule has no column `end`");
}

#[test]
fn findings_are_printed_and_quiet_silences_them() {
    let folder = schedules(&hole(0), &["easy", "--procs", "3"], &["easy", "--procs", "3"]);
    let done = folder.run(&["diff", "a.swf", "a.csv", "b.csv", "--procs", "3"]);
    assert_eq!(done.succeeded(), "all 2 starts and ends agree\n");
    assert!(done.err.starts_with("WARNING[job-oversized]: 1 "), "{}", done.err);
    assert_eq!(folder.run(&["diff", "a.swf", "a.csv", "b.csv", "--procs", "3", "-q"]).err, "");
}

#[test]
fn a_job_that_runs_into_a_known_event_tells_two_schedules_apart() {
    let folder = Folder::new();
    folder.write("a.swf", &log(4, &[(0, -1, 50, 2, 50, 1), (10, -1, 100, 2, 100, 1)]));
    folder.write("c.toml", "[[event]]\nkind = \"maintenance\"\nfrom = 90\nto = 100\n");
    folder.write("a.csv", "job_id,start,end\n1,0,50\n2,100,200\n");
    folder.write("b.csv", "job_id,start,end\n1,0,50\n2,10,110\n");
    let done = folder.run(&["diff", "a.swf", "a.csv", "b.csv", "--calendar", "c.toml", "-q"]);
    part(&done, "calendar", &["1 start and 1 end differ; the schedules part at 10 s"]);
    assert!(done.out.ends_with("; the maintenance window that begins at 90 s (c.toml:1)\n"), "{}", done.out);
    // An outage is not known before: a job may run into it, but may not start in it.
    folder.write("o.toml", "[[event]]\nkind = \"outage\"\nfrom = 5\nto = 100\nprocs = 2\n");
    let done = folder.run(&["diff", "a.swf", "a.csv", "b.csv", "--calendar", "o.toml", "-q"]);
    part(&done, "calendar", &[]);
    assert!(done.out.ends_with("; the outage that begins at 5 s (o.toml:1)\n"), "{}", done.out);
}

#[test]
fn a_limit_tells_two_schedules_apart() {
    let folder = Folder::new();
    folder.write("a.swf", &log(4, &[(0, -1, 50, 1, 50, 1), (10, -1, 100, 1, 100, 1)]));
    folder.write("l.toml", "[[limit]]\nrunning_jobs = 1\n");
    folder.write("a.csv", "job_id,start,end\n1,0,50\n2,50,150\n");
    folder.write("b.csv", "job_id,start,end\n1,0,50\n2,10,110\n");
    let done = folder.run(&["diff", "a.swf", "a.csv", "b.csv", "--limits", "l.toml"]);
    part(&done, "limit", &[]);
    assert!(done.out.ends_with("; l.toml:2 (running_jobs = 1)\n"), "{}", done.out);
}
