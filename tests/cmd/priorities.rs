//! `--priorities FILE`: classes by name, findings, conditions, notes, verification, explanations, experiments.

use super::Folder;

/// Four jobs on 8 processors: partition 2 is `urgent`, `qos` 1 is scavenger.
const LOG: &str = "\
; MaxProcs: 8
; Partition: 2 urgent
; Note: qos 1: scavenger
; Resource: 1 qos scope=job
1 0 -1 100 6 -1 -1 6 100 -1 1 1 3 -1 -1 1 -1 -1 1
2 1 -1 100 2 -1 -1 2 100 -1 1 2 3 -1 -1 1 -1 -1 -1
3 10 -1 50 4 -1 -1 4 50 -1 1 3 3 -1 -1 2 -1 -1 -1
4 11 -1 20 2 -1 -1 2 20 -1 1 2 4 -1 -1 1 -1 -1 -1
";

const PRIORITIES: &str = "\
[[class]]
partition = \"urgent\"
priority = 10
preempts = true
[[class]]
qos = \"scavenger\"
priority = -10
preempted = \"requeue\"
grace = 20
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("log.swf", LOG);
    folder.write("p.toml", PRIORITIES);
    folder
}

const REPLAY: [&str; 7] = ["replay", "log.swf", "--policy", "easy", "--priorities", "p.toml", "--schedule"];

#[test]
fn a_schedule_in_which_another_job_was_killed_is_not_legal() {
    let folder = folder();
    folder.write("p.toml", &PRIORITIES.replace("requeue", "cancel"));
    folder.run(&[&REPLAY[..], &["s.csv"]].concat()).succeeded();
    let verify = ["verify", "log.swf", "s.csv", "--priorities", "p.toml"];
    folder.run(&verify).succeeded();
    folder.write("p.toml", &PRIORITIES.replace("requeue", "cancel").replace("grace = 20", "grace = 40"));
    let checked = folder.run(&verify);
    assert_eq!(checked.code, 1);
    let words = "job 1 at 30 s: it loses its processors after 30 s, and exemption and grace time are 40 s";
    assert!(format!("{}{}", checked.out, checked.err).contains(words), "{}{}", checked.out, checked.err);
}

#[test]
fn suspended_jobs_are_explained_verified_and_compared() {
    let folder = folder();
    let priorities = PRIORITIES.replace("requeue", "suspend");
    folder.run(&[&REPLAY[..], &["requeued.csv"]].concat()).succeeded();
    folder.write("p.toml", &priorities);
    let run = folder.run(&[&REPLAY[..], &["s.csv"]].concat());
    run.succeeded();
    // Job 1 stops at 30 and goes on at 80. Job 4, of a higher tier that does not preempt, waits for job 2.
    let starts = |line: &str| -> String { line.split(',').nth(2).unwrap_or_default().into() };
    let starts: Vec<String> = folder.read("s.csv").lines().skip(1).map(starts).collect();
    assert_eq!(starts, ["0", "1", "30", "101"]);
    assert!(run.out.contains("easy: 1 suspensions by preemption"), "{}", run.out);
    let verify = ["verify", "log.swf", "s.csv", "--priorities", "p.toml"];
    folder.run(&verify).succeeded();
    let explained = folder.run(&["explain", "log.swf", "1", "--policy", "easy", "--priorities", "p.toml"]);
    let line = "suspended at 30 s for job 3 of tier 10, resumed at 80 s after 50 s";
    assert!(explained.succeeded().lines().any(|printed| printed == line), "{}", explained.out);
    let other = folder.run(&["diff", "log.swf", "s.csv", "requeued.csv", "--priorities", "p.toml"]);
    assert!(other.out.contains("2 starts and 2 ends differ"), "{}", other.out);
    folder.write("p.toml", &priorities.replace("grace = 20", "grace = 40"));
    let checked = folder.run(&verify);
    assert_eq!(checked.code, 1);
    let words = "job 1 at 30 s: it loses its processors after 30 s, and exemption and grace time are 40 s";
    assert!(format!("{}{}", checked.out, checked.err).contains(words), "{}{}", checked.out, checked.err);
    // In another tool's schedule job 4 is on the two processors that job 1 gave back.
    folder.write("p.toml", &priorities);
    let schedule = folder.read("s.csv").replace(",101,121,", ",40,60,");
    folder.write("wrong.csv", &schedule);
    folder.write("wrong.intervals.csv", &folder.read("s.intervals.csv").replace(",101,121,", ",40,60,"));
    let checked = folder.run(&["verify", "log.swf", "wrong.csv", "--priorities", "p.toml"]);
    let words = "are free beside what is kept for suspended jobs that it may not preempt";
    assert!(format!("{}{}", checked.out, checked.err).contains(words), "{}{}", checked.out, checked.err);
}

/// Job 1 is suspended, and loses its work in an outage; the intervals of its first run are before its start.
#[test]
fn intervals_show_runs_whose_work_was_lost() {
    let folder = folder();
    folder.write("p.toml", &PRIORITIES.replace("requeue", "suspend"));
    folder.write("c.toml", "[[event]]\nkind = \"outage\"\nfrom = 40\nto = 45\n");
    let run = folder.run(&[&REPLAY[..], &["s.csv", "--calendar", "c.toml"]].concat());
    run.succeeded();
    let intervals = folder.read("s.intervals.csv");
    let of_job_1: Vec<&str> = intervals.lines().filter(|line| line.starts_with("1,")).collect();
    assert_eq!(of_job_1[..2], ["1,0,30,1,,run", "1,30,40,0,,paused"]);
    let verify = ["verify", "log.swf", "s.csv", "--priorities", "p.toml"];
    folder.run(&[&verify[..], &["--calendar", "c.toml"]].concat()).succeeded();
    let checked = folder.run(&verify);
    assert_eq!(checked.code, 1);
    let words =
        "job 1 at 40 s: it loses its processors after 30 s, and is of no class that is preempted in this way";
    assert!(format!("{}{}", checked.out, checked.err).contains(words), "{}{}", checked.out, checked.err);
}

#[test]
fn policies_without_tiers_say_so() {
    let folder = folder();
    for policy in ["gs", "selective-suspension", "lpfs"] {
        let run = folder.run(&["replay", "log.swf", "--policy", policy, "--priorities", "p.toml", "-q"]);
        run.failed(3, "does not serve the jobs of higher tiers first");
        let told = folder.run(&["list", "policies", policy]);
        assert!(told.succeeded().contains("takes no --priorities"), "{policy}: {}", told.out);
    }
    let fixed = folder.run(&[
        "replay",
        "log.swf",
        "--policy",
        "conservative:variant=fixed",
        "--priorities",
        "p.toml",
        "-q",
    ]);
    assert!(fixed.code != 0 && fixed.err.contains("--priorities"), "{}", fixed.err);
}
