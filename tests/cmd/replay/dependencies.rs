//! `--dependencies`: jobs that enter the queue when those before them have ended (SWF fields 17 and 18, submit lines
//! and throttles of arrays in `sacct`).

use crate::cmd::Folder;

/// Four jobs on four processors. Job 3 follows job 1 after 10 s of thought; job 4 depends on job 2, without a think time.
const DEPENDENT: &str = "\
; MaxProcs: 4
; UnixStartTime: 0
1 0 0 30 4 -1 -1 4 30 -1 1 1 1 1 1 -1 -1 -1
2 1 39 50 4 -1 -1 4 50 -1 1 2 1 1 1 -1 -1 -1
3 40 50 20 4 -1 -1 4 20 -1 1 1 1 1 1 -1 1 10
4 50 60 5 4 -1 -1 4 5 -1 1 2 1 1 1 -1 2 -1
";

fn replayed(log: &str, options: &[&str]) -> (Vec<String>, String, String) {
    let folder = Folder::new();
    folder.write("a.swf", log);
    let done = folder.run(&[&["replay", "a.swf", "--schedule", "s.csv"], options].concat());
    let row = |row: &str| row.split(',').take(3).collect::<Vec<_>>().join(" ");
    let rows = folder.read("s.csv").lines().skip(1).map(row).collect();
    let table = done.succeeded().split_whitespace().collect::<Vec<_>>().join(" ");
    let legal = folder.run(&["verify", "a.swf", "s.csv", "--dependencies", "log"]);
    if options.contains(&"log") {
        legal.succeeded();
    }
    (rows, table, done.err.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn a_job_enters_the_queue_when_the_job_before_has_ended_and_its_user_has_thought() {
    let metrics = ["--metrics", "mean_wait,max_wait"];
    let (starts, table, told) =
        replayed(DEPENDENT, &[&["--policy", "fcfs", "--dependencies", "log"][..], &metrics].concat());
    // Job 1 ends at 30, so job 3 enters at 40; job 2 ends at 80, and so job 4 enters then.
    assert_eq!(starts, ["1 0 0", "2 1 30", "3 40 80", "4 50 100"]);
    // Waits: 0, 29, 80 - 40 and 100 - 80.
    assert!(table.contains("fcfs 22.2 40 "), "{table}");
    assert!(table.contains("dependencies log (2 dependent jobs)"), "{table}");
    assert!(told.contains("note[job-dependent]: 2 jobs that depend on others"), "{told}");
    // Ignoring them, the shortest job first.
    let (starts, ..) = replayed(DEPENDENT, &["--policy", "fcfs:order=sjf"]);
    assert_eq!(starts, ["1 0 0", "2 1 30", "3 40 85", "4 50 80"]);
}

#[test]
fn by_default_dependencies_are_only_pointed_out() {
    let (starts, table, told) = replayed(DEPENDENT, &["--policy", "fcfs"]);
    assert_eq!(starts, ["1 0 0", "2 1 30", "3 40 80", "4 50 100"]);
    assert!(!table.contains("dependencies"), "{table}");
    assert!(told.contains("note[job-dependent-ignored]: 2 jobs that depend on others by the log"), "{told}");
}

/// An array of five tasks of which two may run at a time; the last was cancelled while it waited, in the row of the rest.
const ARRAY: &str = "\
JobID|JobIDRaw|User|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList
20_1|21|ann|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:00:30|30|60|COMPLETED|1|1|n1
20_2|22|ann|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:00:10|10|60|COMPLETED|1|1|n1
20_3|23|ann|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:00:40|2024-03-04T08:01:00|20|60|COMPLETED|1|1|n1
20_4|24|ann|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:00:50|2024-03-04T08:00:55|5|60|COMPLETED|1|1|n1
20_[5%2]|20|ann|2024-03-04T08:00:00|2024-03-04T08:00:00|Unknown|2024-03-04T08:02:00|0|60|CANCELLED by 7|1|0|None assigned
";

#[test]
fn tasks_of_an_array_enter_as_its_throttle_allows() {
    let folder = Folder::new();
    let stated =
        ARRAY.replace("NodeList\n", "NodeList|SubmitLine\n").replace("|n1\n", "|n1|sbatch -a 1-4%2 x\n");
    let stated = stated.lines().take(5).collect::<Vec<_>>().join("\n");
    folder.write("rest.txt", ARRAY);
    folder.write("line.txt", &stated);
    folder.run(&["convert", "rest.txt", "-o", "rest.swf"]).succeeded();
    for log in ["rest.txt", "line.txt", "rest.swf"] {
        let starts = |options: &[&str]| {
            let replay = ["replay", log, "--policy", "fcfs", "--procs", "4", "--schedule", "s.csv"];
            let done = folder.run(&[&replay[..], options].concat());
            done.succeeded();
            let row = |row: &str| row.split(',').take(3).collect::<Vec<_>>().join(" ");
            let rows: Vec<String> = folder.read("s.csv").lines().skip(1).map(row).collect();
            (rows, done.err.split_whitespace().collect::<Vec<_>>().join(" "))
        };
        // Tasks 1 and 2 start at 0; task 2 ends at 10, and task 3 at 30, with task 1.
        let (rows, told) = starts(&["--dependencies", "log"]);
        assert_eq!(rows, ["21 0 0", "22 0 0", "23 0 10", "24 0 30"], "{log}");
        assert!(told.contains("note[array-throttle]: 2 tasks beyond the number of tasks"), "{told}");
        folder.run(&["verify", log, "s.csv", "--procs", "4", "--dependencies", "log"]).succeeded();
        let (rows, told) = starts(&[]);
        assert_eq!(rows, ["21 0 0", "22 0 0", "23 0 0", "24 0 0"], "{log}");
        assert!(told.contains("note[array-throttle-ignored]: 2 tasks"), "{told}");
        let told = folder.run(&["verify", log, "s.csv", "--procs", "4", "--dependencies", "log"]);
        // In this schedule task 4 is the first that ends, at 5.
        let early = "job 23 at 0 s: it starts at 0 s and enters the queue at 5 s";
        assert!(told.code == 1 && told.err.contains(early), "{}", told.err);
    }
}

#[test]
fn a_job_waits_for_all_jobs_that_field_17_names() {
    const JOIN: &str = "\
; MaxProcs: 8
1 0 -1 100 2 -1 -1 2 100 -1 1 1 1 1 1 -1 -1 -1
2 0 -1 300 2 -1 -1 2 300 -1 1 1 1 1 1 -1 -1 -1
3 0 -1 200 2 -1 -1 2 200 -1 1 1 1 1 1 -1 -1 -1
4 0 -1 10 2 -1 -1 2 10 -1 1 1 1 1 1 -1 1&2&3 0
";
    let options = ["--policy", "fcfs", "--dependencies", "log"];
    let (starts, table, told) = replayed(JOIN, &options);
    assert_eq!(starts, ["1 0 0", "2 0 0", "3 0 0", "4 0 300"]);
    assert!(table.contains("dependencies log (1 dependent job)") && told.contains("swf-several-before"));
    // The converted log says the same.
    let folder = Folder::new();
    folder.write("a.swf", JOIN);
    folder.run(&["convert", "a.swf", "-o", "b.swf"]).succeeded();
    let (again, ..) = replayed(&folder.read("b.swf"), &options);
    assert_eq!(again, starts);
}
