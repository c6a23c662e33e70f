//! Tests of `batchlab explain`: why a job waited.

use super::{Folder, four_jobs};

fn explain(log: &str, args: &[&str]) -> String {
    let folder = Folder::new();
    folder.write("a.swf", log);
    let done = folder.run(&[&["explain", "a.swf"], args].concat());
    assert_eq!(done.err, "");
    done.succeeded().to_owned()
}

#[test]
fn the_matrix_that_a_job_found_is_drawn() {
    let page = explain(&four_jobs(), &["2", "--policy", "gs:mpl=2"]);
    let from = page.find("the matrix from then on").unwrap_or_else(|| panic!("no matrix in:\n{page}"));
    let lines: Vec<&str> = page[from..].lines().skip(1).take(2).collect();
    assert_eq!(lines, ["  0: 1 1 . .", "  1: 2 2 2 2"]);
}

/// Two extracts of Slurm's accounting: in the second one, job 150 has ended and an array has started.
const EXTRACTS: &str = "\
JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS
150|150|ann|2024-03-04T08:00:00|2024-03-04T08:00:10|Unknown|600|60|RUNNING|4|4
149|149|bob|2024-03-04T08:01:00|2024-03-04T08:01:10|2024-03-04T08:05:10|240|60|COMPLETED|4|4
JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS
150|150|ann|2024-03-04T08:00:00|2024-03-04T08:00:10|2024-03-04T08:40:10|2400|60|COMPLETED|4|4
123_4|151|bob|2024-03-04T08:02:00|2024-03-04T08:30:00|2024-03-04T08:31:00|60|60|COMPLETED|1|1
123+1|152|bob|2024-03-04T08:03:00|2024-03-04T08:30:00|2024-03-04T08:31:30|90|60|COMPLETED|2|2
150|150|ann|2024-03-04T08:41:00|2024-03-04T08:50:00|2024-03-04T08:55:00|300|60|COMPLETED|3|3
";

#[test]
fn a_job_is_found_by_the_name_that_its_batch_system_gave_it() {
    let folder = Folder::new();
    folder.write("sacct.txt", EXTRACTS);
    folder.run(&["convert", "sacct.txt", "-o", "a.swf", "-q"]).succeeded();
    for log in ["sacct.txt", "a.swf"] {
        let explain = |job: &str| {
            let done = folder.run(&["explain", log, job, "--procs", "4", "-q"]);
            done.succeeded().lines().next().unwrap_or_default().to_owned()
        };
        // The first run of job 150 keeps the number; its second run is another record.
        assert!(
            explain("id:150").starts_with("easy: job 150: 4 processors, estimate 3600 s; submitted at 0 s")
        );
        assert!(explain("150").starts_with("easy: job 150: 4 processors"));
        assert!(explain("id:123_4").starts_with("easy: job 151: 1 processor,"));
        assert!(explain("id:123+1").starts_with("easy: job 152: 2 processors,"));
        assert!(explain("153").starts_with("easy: job 153: 3 processors,"));
        let refused =
            |job: &str, why: &str| folder.run(&["explain", log, job, "--procs", "4"]).failed(2, why);
        refused("id:153", "no job of the log has the id 153");
        refused("id:123", "123 is the id of 2 jobs of the log: give one of them, such as id:123_4");
        refused("123_4", "write a name that the batch system gave as id:123_4");
    }
}

#[test]
fn the_jobs_around_a_wait_are_drawn() {
    let folder = Folder::new();
    folder.write("a.swf", &four_jobs());
    folder.run(&["explain", "a.swf", "2", "--plot", "wait.svg"]).succeeded();
    let drawn = folder.read("wait.svg");
    for text in ["job 2 under easy", "job 2 from its start", "its submission", "Rows are drawn, not recorded"]
    {
        assert!(drawn.contains(text), "`{text}` is not in {drawn}");
    }
    // Four jobs, each with a tooltip.
    assert_eq!(drawn.matches("<title>job ").count(), 1 + 3, "the title, and the jobs but the marked one");
    folder.run(&["explain", "a.swf", "2", "--plot", "wait.pdf"]).succeeded();
    assert!(folder.path("wait.pdf").is_file());
    if !cfg!(feature = "png") {
        let done = folder.run(&["explain", "a.swf", "2", "--plot", "wait.png"]);
        done.failed(2, "--plot wait.png: this program was built without PNG");
    }
}

/// Jobs, each submitted, run, requested (in hours) and wide, on 16 processors from the beginning of 2026-12-01.
fn day(jobs: &[[f64; 4]]) -> String {
    let hours = |hours: f64| (hours * 3600.0) as i64;
    let line = |(at, job): (usize, &[f64; 4])| {
        let [submit, run, estimate] = [job[0], job[1], job[2]].map(hours);
        let (number, procs) = (at + 1, job[3] as i64);
        format!(
            "{number} {submit} -1 {run} {procs} -1 -1 {procs} {estimate} -1 1 {number} -1 -1 -1 -1 -1 -1\n"
        )
    };
    let jobs: String = jobs.iter().enumerate().map(line).collect();
    format!("; UnixStartTime: 1796083200\n; TimeZoneString: UTC\n; MaxProcs: 16\n{jobs}")
}

/// Asserts that an explanation has these lines, in this order.
fn has_lines(page: &str, lines: &[&str]) {
    let mut printed = page.lines();
    for line in lines {
        assert!(printed.any(|printed| printed == *line), "`{line}` is not in:\n{page}");
    }
}

const WINDOW: &str = "\
[[event]]
kind = \"maintenance\"
from = \"2026-12-01 08:00\"
to = \"2026-12-01 12:00\"
";

#[test]
fn a_wait_for_a_maintenance_window_is_told_from_the_wait_during_it() {
    let folder = Folder::new();
    folder.write("a.swf", &day(&[[0., 5., 5., 8.], [0., 5., 5., 8.], [1., 4., 10., 8.], [6., 1., 2., 8.]]));
    folder.write("c.toml", WINDOW);
    let explain = |job: &str, more: &[&str]| {
        let done = folder.run(&[&["explain", "a.swf", job, "-q", "--calendar", "c.toml"], more].concat());
        done.succeeded().to_owned()
    };
    // It fits from 5:00 on, and by its estimate it would end at 15:00.
    has_lines(
        &explain("3", &[]),
        &[
            "14400 s: too little was free for it",
            "waited 3 h 0 min for the maintenance window that begins at 2026-12-01 08:00 (c.toml:1): it fitted, and by \
             its estimate it would not have ended before",
            "waited 4 h 0 min while too little was in service for it: the maintenance window that begins at 2026-12-01 \
             08:00 (c.toml:1)",
        ],
    );
    // A policy that does not know of the window has another reason, and loses a run.
    let page = explain("3", &["--foresight", "none"]);
    has_lines(
        &page,
        &[
            "ran from 18000 s to 28800 s, and lost its work to the maintenance window that begins at 2026-12-01 08:00 \
           (c.toml:1)",
        ],
    );
    assert!(!page.contains("for the maintenance window"), "{page}");
    // With predictions, estimates do not show which jobs would have ended before.
    let page = explain("3", &["--policy", "easy:predictor=last2"]);
    assert!(!page.contains("by its estimate"), "{page}");
}

#[test]
fn an_outage_is_the_reason_if_without_it_the_job_would_have_fitted() {
    let folder = Folder::new();
    // Job 1 has nodes 0 and 1; job 2 needs a whole node of 4, and none is free from 2:00 on but the one that is out.
    folder.write("a.swf", &day(&[[0., 6., 6., 8.], [0., 3., 3., 4.], [3., 1., 1., 8.]]));
    folder.write("o.toml", "[[event]]\nkind = \"outage\"\nfrom = 7200\nto = 18000\nnodes = 3\n");
    let done = folder.run(&["explain", "a.swf", "3", "--calendar", "o.toml", "--nodes", "4"]);
    has_lines(
        done.succeeded(),
        &[
            "waited 2 h 0 min while too little was in service for it: the outage that begins at 2026-12-01 02:00 (o.toml:1)",
        ],
    );
}
