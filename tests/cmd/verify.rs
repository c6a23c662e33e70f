//! Tests of `batchlab verify` on our own schedules and on foreign ones.

use super::{Done, Folder, four_jobs};

/// The columns, and EASY's schedule of the four jobs.
const EASY: &str = "job_id,submit,start,end,procs\n1,0,0,100,2\n2,1,100,150,4\n3,2,2,22,2\n4,200,200,210,1\n";

fn verify(schedule: &str, options: &[&str]) -> Done {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    folder.write("s.csv", schedule);
    folder.run(&[&["verify", "a.swf", "s.csv"], options].concat())
}

/// Asserts that a schedule is illegal for exactly these reasons, and is measured nevertheless.
fn illegal(schedule: &str, options: &[&str], reasons: &[&str]) {
    let done = verify(schedule, options);
    assert_eq!(done.code, 1, "{}", done.err);
    let lines: Vec<&str> = done.err.lines().filter(|line| line.starts_with("job ")).collect();
    assert_eq!(lines, reasons);
    let plural = if reasons.len() == 1 { "" } else { "s" };
    let last = format!("error: s.csv is not legal: {} violation{plural} among 4 jobs\n", reasons.len());
    assert!(done.err.ends_with(&last), "{}", done.err);
    assert!(done.out.lines().any(|line| line.starts_with("s.csv ")), "{}", done.out);
}

#[test]
fn a_legal_schedule_is_measured() {
    let done = verify(EASY, &[]);
    let row = done.succeeded().lines().find(|line| line.starts_with("s.csv ")).unwrap();
    assert_eq!(row.split_whitespace().nth(1), Some("24.8"), "{}", done.out);
    assert_eq!(done.err, "legal: 4 jobs checked\n");
    assert_eq!(verify(EASY, &["--quiet"]).err, "");
    let csv = verify(EASY, &["--format", "csv", "--metrics", "mean_wait,makespan"]);
    assert!(csv.succeeded().contains("\ns.csv,24.75,210,a.swf,"), "{}", csv.out);
}

#[test]
fn schedules_of_every_policy_are_legal_under_the_options_they_were_made_with() {
    let folder = Folder::with_log();
    for spec in ["fcfs", "easy", "conservative", "depth:k=2", "first-fit"] {
        for options in [&[][..], &["--load", "1.3", "--events", "pyss"], &["--estimate", "actual"]] {
            let replay = ["replay", "week.swf", "--policy", spec, "--schedule", "s.csv.gz", "-q"];
            folder.run(&[&replay, options].concat()).succeeded();
            folder.run(&[&["verify", "week.swf", "s.csv.gz", "-q"], options].concat()).succeeded();
        }
    }
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let other =
        "end,procs,note,job_id,start\r\n210,1,,4,200\r\n22,2,x,3,2.0\r\n150,4,,2,100\r\n100,2,,1,0\r\n";
    assert_eq!(verify(other, &[]).out, verify(EASY, &[]).out);
    verify("job_id,start\n1,0\n", &[]).failed(3, "s.csv: the schedule has no column `end`");
    verify("", &[]).failed(3, "s.csv: the schedule has no column `job_id`");
}

#[test]
fn schedules_may_be_packed_or_come_through_a_pipe() {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    let done = folder.run_with_input(&["verify", "a.swf", "-", "--format", "csv"], EASY);
    assert!(done.succeeded().contains("\n-,24.75,"), "{}", done.out);
    folder.run(&["verify", "a.swf", "none.csv"]).failed(3, "cannot read none.csv: ");
}

#[test]
fn a_job_does_not_start_before_its_submission() {
    illegal(
        &EASY.replace("4,200,200,210", "4,200,190,200"),
        &[],
        &["job 4 at 190 s: it starts at 190 s and enters the queue at 200 s"],
    );
}

#[test]
fn the_machine_is_never_oversubscribed() {
    illegal(
        &EASY.replace("2,1,100,150", "2,1,99.5,149.5"),
        &[],
        &["job 2 at 99.5 s: it needs 4 procs, and 2 are free"],
    );
    illegal(
        EASY,
        &["--procs", "8", "--events", "periodic:3"],
        &[
            "job 2 at 100 s: it starts 1 s after a decision; decisions come every 3 s",
            "job 3 at 2 s: it starts 2 s after a decision; decisions come every 3 s",
            "job 4 at 200 s: it starts 2 s after a decision; decisions come every 3 s",
        ],
    );
}

#[test]
fn a_job_runs_for_its_run_time() {
    illegal(&EASY.replace(",22,", ",21,"), &[], &["job 3 at 2 s: it runs for 19 s instead of 20 s"]);
    illegal(
        EASY,
        &["--scale-run", "0.5", "--status", "1,5"],
        &[
            "job 1 at 0 s: it runs for 100 s instead of 50 s",
            "job 2 at 100 s: it runs for 50 s instead of 25 s",
            "job 3 at 2 s: it runs for 20 s instead of 10 s",
            "job 4 at 200 s: it runs for 10 s instead of 5 s",
        ],
    );
}

#[test]
fn a_job_that_never_runs_is_named_and_nothing_is_measured() {
    let done = verify(&EASY.replace("3,2,2,22,2\n", ""), &[]);
    done.failed(1, "job 3 at 2 s: it is submitted and never starts\n");
    assert!(done.err.ends_with("error: s.csv is not legal: 1 violation among 4 jobs\n"), "{}", done.err);
}

#[test]
fn rows_that_cannot_be_lined_up_with_the_log_are_no_schedule_of_it() {
    let unknown = verify(&format!("{EASY}9,0,0,10,1\n"), &[]);
    unknown.failed(
        3,
        "s.csv: 1 row of the schedule names no job that is replayed, or names one again: job 9 in line 6",
    );
    verify(&format!("{EASY}3,2,2,22,2\n"), &[]).failed(3, "job 3 in line 6");
    verify(&EASY.replace("3,2,2,22", "3,2,soon,22"), &[])
        .failed(3, "line 4 of the schedule: `soon` is not a time");
    verify(&EASY.replace("3,2,2,22", "3,2,2,"), &[]).failed(3, "line 4 of the schedule: `` is not a time");
    verify(&EASY.replace("3,2,2,22", "x,2,2,22"), &[])
        .failed(3, "line 4 of the schedule: `x` is not a job number");
}

#[test]
fn many_violations_of_one_kind_are_cut_short() {
    let rows = ["1", "2", "3", "4", "5", "6", "7", "8"].map(|job| format!("{job},0,11\n")).concat();
    let folder = Folder::new();
    folder.write("a.swf", &super::log(8, &[(0, -1, 10, 1, 10, 1); 8]));
    folder.write("s.csv", &format!("job_id,start,end\n{rows}"));
    let done = folder.run(&["verify", "a.swf", "s.csv", "-q"]);
    assert_eq!((done.code, done.err.matches("it runs for 11 s instead of 10 s").count()), (1, 5));
    assert!(
        done.err.contains("and 3 more of this kind\nerror: s.csv is not legal: 8 violations"),
        "{}",
        done.err
    );
}

#[test]
fn a_row_without_times_leaves_its_job_out_unless_a_fate_says_why() {
    for empty in ["3,2,,,2\n", "3,2,NaN,NA,2\n"] {
        let done = verify(&EASY.replace("3,2,2,22,2\n", empty), &[]);
        done.failed(1, "job 3 at 2 s: it is submitted and never starts\n");
    }
    let nothing = verify("job_id,start,end\n1,,\n2,,\n3,,\n4,,\n", &[]);
    nothing.failed(1, "error: s.csv is not legal: 4 violations among 4 jobs\n");
    let fates =
        "job_id,start,end,fate\n1,0,100,finished\n2,100,150,finished\n3,,,rejected\n4,200,210,finished\n";
    verify(fates, &[]).succeeded();
}

#[test]
fn stated_processors_are_those_that_the_job_needs() {
    illegal(
        &EASY.replace("2,1,100,150,4", "2,1,100,150,3"),
        &[],
        &["job 2 at 100 s: it needs 4 processors, and its row says 3"],
    );
    verify(&EASY.replace("150,4", "150,x"), &[])
        .failed(3, "line 3 of the schedule: `x` is not a number of processors");
    for silent in ["150,", "150,NA", "150,4.0"] {
        verify(&EASY.replace("150,4", silent), &[]).succeeded();
    }
}

#[test]
fn schedules_of_statistics_programs_are_read() {
    let quoted = "\"\",\"job_id\",\"start\",\"end\",\"procs\"\n\"1\",1,0,100,2\n\"2\",2,100,150,4\n\"3\",3,2,22,2\n\"4\",4,200,210,NA\n";
    let named = quoted.replace("\"\",", "");
    for text in [quoted, &named] {
        assert_eq!(verify(text, &[]).succeeded(), verify(EASY, &[]).out, "{text}");
    }
}

/// Two jobs without run time among jobs that share time in rows of slices.
fn brief() -> String {
    super::log(4, &[(0, 0, 10, 2, 20, 1), (3, 0, 0, 2, 20, 1), (3, 0, 100, 4, 120, 1), (20, 0, 0, 4, 120, 1)])
}

#[test]
fn slices_of_jobs_without_run_time_and_between_decisions_are_legal() {
    // One processor has no number in the outcome of a replay.
    let single = super::log(1, &[(3, 0, 4, 1, 30, 1), (3, 0, 10, 1, 10, 1), (5, 0, 0, 1, 10, 1)]);
    for log in [brief(), single] {
        for policy in ["gs", "bgs", "mgs", "mbgs"] {
            for options in [&[][..], &["--events", "periodic:7"], &["--events", "periodic:30"]] {
                let folder = Folder::new();
                folder.write("a.swf", &log);
                let replay = ["replay", "a.swf", "-q", "--policy", policy, "--schedule", "s.csv"];
                folder.run(&[&replay[..], options].concat()).succeeded();
                folder.run(&[&["verify", "a.swf", "s.csv", "-q"], options].concat()).succeeded();
            }
        }
    }
}

#[test]
fn an_earlier_file_of_intervals_is_removed() {
    let folder = Folder::new();
    folder.write("a.swf", &brief());
    let replay = |policy: &str, to: &[&str]| {
        folder.run(&[&["replay", "a.swf", "-q", "--policy", policy], to].concat()).succeeded();
    };
    for name in ["s.csv", "t.csv.gz"] {
        replay("gs", &["--schedule", name]);
        replay("easy", &["--schedule", name]);
        folder.run(&["verify", "a.swf", name, "-q"]).succeeded();
    }
    replay("gs", &["--out", "o"]);
    std::fs::rename(folder.path("o/gs.intervals.csv"), folder.path("o/easy.intervals.csv")).unwrap();
    replay("easy", &["--out", "o"]);
    assert!(!folder.path("o/easy.intervals.csv").exists());
    assert_eq!(folder.files(), ["a.swf", "o", "s.csv", "t.csv.gz"]);
    // What this program did not write stays.
    folder.write("s.intervals.csv", "mine\n");
    replay("easy", &["--schedule", "s.csv"]);
    assert_eq!(folder.read("s.intervals.csv"), "mine\n");
}
