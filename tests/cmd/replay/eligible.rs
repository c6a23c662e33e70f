//! Tests of held, dependent or postponed jobs: they enter the queue when they become eligible.

use std::collections::BTreeSet;

use crate::cmd::Folder;

/// Four jobs on four processors. Job 2 was held for 50 s and started at 80 s, after waiting for 29 s.
const HELD: &str = "\
; MaxProcs: 4
; UnixStartTime: 0
; Resource: 1 eligible s scope=job
1 0 0 30 4 -1 -1 4 30 -1 1 1 1 1 1 -1 -1 -1 -1
2 1 79 40 4 -1 -1 4 40 -1 1 1 1 1 1 -1 -1 -1 50
3 2 28 50 4 -1 -1 4 50 -1 1 2 1 1 1 -1 -1 -1 0
4 60 60 10 4 -1 -1 4 10 -1 1 2 1 1 1 -1 -1 -1 -1
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.swf", HELD);
    folder
}

/// Returns the starts of a replay and its table.
fn replayed(folder: &Folder, options: &[&str]) -> (Vec<String>, String) {
    let command = ["replay", "a.swf", "--policy", "fcfs", "--schedule", "s.csv"];
    let done = folder.run(&[&command, options].concat());
    let rows = folder.read("s.csv");
    let row = |row: &str| row.split(',').take(3).collect::<Vec<_>>().join(" ");
    // Joins lines that were wrapped at the terminal's width.
    let table = done.succeeded().split_whitespace().collect::<Vec<_>>().join(" ");
    (rows.lines().skip(1).map(row).collect(), table)
}

#[test]
fn one_note_describes_the_handling_of_held_jobs() {
    let log = "\
JobIDRaw|User|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|NodeList
1|ann|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:00:00|2024-03-04T08:10:00|600|60|COMPLETED|1|1|n1
2|ann|2024-03-04T08:00:01|2024-03-04T08:30:00|2024-03-04T08:30:00|2024-03-04T08:40:00|600|60|COMPLETED|1|1|n1
";
    let folder = Folder::new();
    folder.write("sacct.txt", log);
    let held = |command: &[&str]| {
        let done = folder.run(command);
        done.succeeded();
        let lines = done.err.lines().filter(|line| line.contains("[job-held"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let seen = "1 job held back after its submission: held, dependent on others, or postponed";
    let column = format!("note[job-held]: {seen}: how long is in the column `eligible`");
    assert_eq!(held(&["convert", "sacct.txt", "-o", "a.swf"]), [column.as_str()]);
    let queued = format!(
        "note[job-held-queued]: {seen}: it enters the queue when eligible, and waits, responses and slowdowns count from then"
    );
    let replay = ["replay", "sacct.txt", "--policy", "fcfs", "--procs", "2"];
    assert_eq!(held(&replay), [queued]);
    assert_eq!(held(&[&replay[..], &["--queue-from", "submit"]].concat()), [column.as_str()]);
}

#[test]
fn a_log_without_the_column_says_nothing_of_it() {
    let folder = Folder::new();
    let plain: Vec<String> = HELD
        .lines()
        .filter(|line| !line.contains("Resource"))
        .map(|line| if line.starts_with(';') { line.into() } else { line.rsplit_once(' ').unwrap().0.into() })
        .collect();
    folder.write("a.swf", &(plain.join("\n") + "\n"));
    let (starts, table) = replayed(&folder, &[]);
    assert_eq!((starts[1].as_str(), table.contains("queue-from")), ("2 1 30", false));
    let all = |options: &[&str]| {
        let done =
            folder.run(&[&["replay", "a.swf", "--policy", "easy", "--format", "json"], options].concat());
        (done.out, done.err)
    };
    assert_eq!(all(&[]), all(&["--queue-from", "submit"]));
    // No job is held if every job was eligible at once.
    folder.write("a.swf", &HELD.replace(" 50\n", " 0\n"));
    let (starts, table) = replayed(&folder, &[]);
    assert_eq!((starts[1].as_str(), table.contains("queue-from")), ("2 1 30", false));
}

#[test]
fn schedules_are_verified_compared_and_explained_from_when_jobs_are_eligible() {
    let folder = folder();
    replayed(&folder, &[]);
    folder.run(&["verify", "a.swf", "s.csv"]).succeeded();
    let early = folder.read("s.csv").replace("2,1,80,120", "2,1,40,80");
    folder.write("early.csv", &early);
    let verdict = folder.run(&["verify", "a.swf", "early.csv"]);
    assert_eq!(verdict.code, 1);
    let words = verdict.out + &verdict.err;
    assert!(words.contains("it starts at 40 s and enters the queue at 51 s"), "{words}");
    let alike = folder.run(&["diff", "a.swf", "s.csv", "s.csv"]);
    assert_eq!(alike.code, 0, "{}", alike.err);
    let words = folder.run(&["explain", "a.swf", "2", "--policy", "fcfs", "-q"]);
    let first = "fcfs: job 2: 4 processors, estimate 40 s; submitted at 1 s, eligible at 51 s, started at 80 s after a \
                 wait of 29 s";
    assert_eq!(words.succeeded().lines().next(), Some(first));
    assert!(words.out.contains("overtaken by 0 jobs"), "{}", words.out);
}

/// A guest that ranks by submit time and writes down the submit times that it receives.
#[cfg(unix)]
const GUEST: &str = r#"
import sys
sys.path.insert(0, "PYTHON")
from batchlab_policy import Order, run

class Submitted(Order):
    columns = ["job", "submit", "wait"]
    told = open("told.txt", "w")

    def score(self, job, submit, wait):
        print(f"{job:.0f} {submit:.0f} {wait:.0f}", file=self.told, flush=True)
        return submit

run(Submitted)
"#;

#[cfg(unix)]
#[test]
fn a_guest_is_told_when_a_held_job_became_eligible() {
    if !crate::plugins::exec::python() {
        return;
    }
    let folder = folder();
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/python");
    folder.write("guest.py", &GUEST.replace("PYTHON", python));
    let guest = "fcfs:order=(exec:(python3 guest.py),timeout=60s)";
    let replayed = |options: &[&str]| {
        let command = ["replay", "a.swf", "-q", "--policy", guest, "--schedule", "s.csv"];
        folder.run(&[&command, options].concat()).succeeded();
        let starts = |row: &str| row.split(',').take(3).collect::<Vec<_>>().join(" ");
        let starts: Vec<String> = folder.read("s.csv").lines().skip(1).map(starts).collect();
        let told: BTreeSet<String> = folder.read("told.txt").lines().map(str::to_owned).collect();
        (starts, told)
    };
    // Job 2 was submitted at 1 s and held for 50 s: at 80 s, when job 3 has ended, it has waited for 29 s.
    let (starts, told) = replayed(&[]);
    assert_eq!(starts, ["1 0 0", "2 1 80", "3 2 30", "4 60 120"]);
    assert!(told.contains("2 51 29") && told.contains("4 60 20"), "{told:?}");
    assert!(told.iter().all(|row| !row.starts_with("2 1 ")), "{told:?}");
    let (starts, told) = replayed(&["--queue-from", "submit"]);
    assert_eq!(starts, ["1 0 0", "2 1 30", "3 2 70", "4 60 120"]);
    assert!(told.contains("2 1 29") && told.contains("3 2 68"), "{told:?}");
}

#[test]
fn orders_see_when_a_job_became_eligible_and_classes_when_it_was_submitted() {
    let folder = folder();
    // At 30 s only job 3 waits; at 80 s job 4 has waited since 60 s, job 2 since 51 s.
    let (starts, _) = replayed(&folder, &[]);
    let by = |order: &str| {
        let policy = format!("fcfs:order=expr({order})");
        let done = folder.run(&["replay", "a.swf", "--policy", &policy, "--schedule", "o.csv", "-q"]);
        done.succeeded();
        let rows = folder.read("o.csv");
        rows.lines()
            .skip(1)
            .map(|row| row.split(',').take(3).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!((by("submit"), by("-wait")), (starts.clone(), starts));
    let metrics = ["--metrics", "jobs,mean_wait", "--classes", "early=submit < 10"];
    let (_, table) = replayed(&folder, &metrics);
    assert!(table.contains("early fcfs 3 19"), "{table}");
}
