//! Tests of the units of workloads, and that all policies get the same jobs.

use std::collections::BTreeSet;

use super::{Folder, Line, SMALL, lines, small, tree};

fn of<'a>(lines: &'a [Line], wanted: &[(&str, &str)]) -> Vec<&'a Line> {
    lines.iter().filter(|line| wanted.iter().all(|(name, value)| line[*name] == *value)).collect()
}

#[test]
fn every_policy_meets_every_unit_of_every_workload_at_every_point() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    let rows = lines(&folder, "r/results.csv");
    let drawn = of(&rows, &[("workload", "drawn")]);
    assert_eq!(drawn.len(), 2 * 2 * 5);
    let units: Vec<&str> = of(&rows, &[("workload", "drawn"), ("load", "0.7"), ("policy", "EASY")])
        .iter()
        .map(|line| line["unit"].as_str())
        .collect();
    assert_eq!(units, ["0", "1", "2", "3", "4"]);
    // Common random numbers: one seed for each unit, the same for all policies and points.
    let seeds: BTreeSet<(&str, &str)> =
        drawn.iter().map(|line| (line["unit"].as_str(), line["seed"].as_str())).collect();
    assert_eq!(seeds.len(), 5);
    let keys: BTreeSet<&str> = rows.iter().map(|line| line["key"].as_str()).collect();
    assert_eq!(keys.len(), rows.len(), "a key of its own for each replay");
    assert!(rows.iter().all(|line| line["mean_wait@small"].parse::<f64>().is_ok()), "jobs of a class");
}

#[test]
fn a_replication_is_the_model_with_its_seed() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    let rows = lines(&folder, "r/results.csv");
    let wanted = [("workload", "drawn"), ("load", "0.9"), ("policy", "FCFS"), ("unit", "3")];
    let row = of(&rows, &wanted)[0];
    let generate = ["generate", "lublin", "-o", "one.swf", "-q", "--jobs", "60", "--procs", "64"];
    folder.run(&[&generate[..], &["--set", "load=0.9", "--seed", &row["seed"]]].concat()).succeeded();
    let replay = ["replay", "one.swf", "--policy", "fcfs", "-q", "--format", "json", "--seed", &row["seed"]];
    let summary: serde_json::Value = serde_json::from_str(folder.run(&replay).succeeded()).unwrap();
    for metric in ["mean_wait", "mean_bsld", "utilization"] {
        let replayed = summary["results"][0]["metrics"][metric].as_f64().unwrap();
        assert_eq!(row[metric].parse::<f64>().unwrap(), replayed, "{metric}");
    }
}

#[test]
fn the_same_experiment_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = small();
    for threads in ["1", "2", "5"] {
        folder.run(&["run", "small.toml", "--out", threads, "--threads", threads, "-q"]).succeeded();
    }
    let one = tree(&folder, "1");
    assert!(one.contains_key("results.csv") && !one.contains_key("journal.jsonl"), "{:?}", one.keys());
    assert_eq!(one, tree(&folder, "2"));
    assert_eq!(one, tree(&folder, "5"));
}

/// Three jobs a day for three days; the part simulated before a window is not measured.
fn three_days() -> Folder {
    let folder = Folder::new();
    let mut log = "; MaxProcs: 1\n".to_owned();
    for job in 0..12 {
        let submit = job * 28_800;
        let number = (job + 1).to_string();
        let submit = submit.to_string();
        log.extend([&number, " ", &submit, " -1 30000 1 -1 -1 1 30000 -1 1 1 1 -1 -1 -1 -1 -1\n"]);
    }
    folder.write("days.swf", &log);
    folder
}

fn experiment(units: &str, measure: &str) -> String {
    format!(
        "[experiment]\nname = \"days\"\n[measure]\nmetrics = [\"jobs\", \"mean_wait\"]\n{measure}\n[[workload]]\n\
         trace = \"days.swf\"\n{units}\n[[policy]]\nspec = \"fcfs\"\n"
    )
}

#[test]
fn windows_begin_with_an_empty_machine_unless_something_is_simulated_before() {
    let folder = three_days();
    folder.write("a.toml", &experiment("windows = \"1d\"", ""));
    folder.write("b.toml", &experiment("windows = \"1d\"", "prefix = \"1d\""));
    folder.run(&["run", "a.toml", "--out", "a", "-q"]).succeeded();
    folder.run(&["run", "b.toml", "--out", "b", "-q"]).succeeded();
    let waits = |name: &str| -> Vec<(String, String, String)> {
        let field = |line: &Line, name: &str| line[name].clone();
        let line = |line: &Line| (field(line, "unit"), field(line, "jobs"), field(line, "mean_wait"));
        lines(&folder, name).iter().map(line).collect()
    };
    let row = |unit: &str, jobs: &str, wait: &str| (unit.to_owned(), jobs.to_owned(), wait.to_owned());
    // Each job waits 1,200 s longer than the one before: 0, 1,200, 2,400. The last, incomplete window is left
    // out.
    assert_eq!(waits("a/results.csv"), [row("0", "3", "1200"), row("1", "3", "1200"), row("2", "3", "1200")]);
    // After a day with three jobs: 3,600, 4,800, 6,000.
    assert_eq!(waits("b/results.csv"), [row("0", "3", "4800"), row("1", "3", "4800")]);
}

/// A log of seven jobs at intervals of eight hours; the third was held for 60,000 s, into the second day.
fn held() -> Folder {
    let folder = Folder::new();
    let mut log = "; MaxProcs: 1\n; Resource: 1 eligible s scope=job\n".to_owned();
    for job in 0..7 {
        let held = if job == 2 { 60_000 } else { -1 };
        let [number, submit, held] = [job + 1, job * 28_800, held].map(|value: i64| value.to_string());
        let rest = " -1 30000 1 -1 -1 1 30000 -1 1 1 1 -1 -1 -1 -1 -1 ";
        log.extend([number.as_str(), " ", &submit, rest, &held, "\n"]);
    }
    folder.write("days.swf", &log);
    folder
}

/// The rows of a results folder: unit, jobs, mean wait and key.
fn units(folder: &Folder, name: &str) -> Vec<[String; 4]> {
    let row = |line: &Line| ["unit", "jobs", "mean_wait", "key"].map(|column| line[column].clone());
    lines(folder, &format!("{name}/results.csv")).iter().map(row).collect()
}

#[test]
fn a_held_job_is_in_the_window_in_which_it_enters_the_queue() {
    let folder = held();
    folder.write("a.toml", &experiment("windows = \"1d\"", ""));
    folder.write("b.toml", &experiment("windows = \"1d\"\nqueue-from = \"submit\"", ""));
    let said = |file: &str, out: &str| {
        let done = folder.run(&["run", file, "--out", out, "-q"]);
        done.succeeded().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (eligible, submit) = (said("a.toml", "a"), said("b.toml", "b"));
    let told = |rows: &[[String; 4]]| rows.iter().map(|row| row[..3].join(" ")).collect::<Vec<_>>();
    let (a, b) = (units(&folder, "a"), units(&folder, "b"));
    // Day 1: jobs 1 and 2; job 2 waits 1,200 s. Day 2: job 4; job 5, which waits 1,200 s; job 3 from 117,600
    // s until 146,400 s; job 6 from 144,000 s until 176,400 s.
    assert_eq!(told(&a), ["0 2 600", "1 4 15600"]);
    assert_eq!(told(&b), ["0 3 1200", "1 3 1200"]);
    assert!(eligible.contains("queue-from eligible (1 job held back)"), "{eligible}");
    assert!(submit.contains("queue-from submit (1 job held back)"), "{submit}");
    assert!(a.iter().zip(&b).all(|(a, b)| a[3] != b[3]), "other replays have other keys");
    // Resuming under the other rule keeps none of the existing results.
    folder.run(&["run", "b.toml", "--out", "a", "--resume", "-q"]).succeeded();
    assert_eq!(units(&folder, "a"), b);
}

#[test]
fn from_when_jobs_queue_is_part_of_the_key_where_a_job_was_held() {
    let swept = |folder: &Folder| {
        let text = experiment("queue-from = \"{from}\"", "") + "[sweep]\nfrom = [\"eligible\", \"submit\"]\n";
        folder.write("a.toml", &text);
        folder.run(&["run", "a.toml", "--out", "a", "-q"]).succeeded();
        units(folder, "a")
    };
    let rows = swept(&held());
    assert_eq!(rows.len(), 2);
    assert_ne!(rows[0][3], rows[1][3]);
    assert_ne!(rows[0][2], rows[1][2], "{rows:?}");
}

#[test]
fn blocks_are_measured_in_one_replay() {
    let folder = three_days();
    folder.write("a.toml", &experiment("blocks = \"1d\"", ""));
    folder.run(&["run", "a.toml", "--out", "a", "-q"]).succeeded();
    let rows = lines(&folder, "a/results.csv");
    let waits: Vec<(&str, &str)> =
        rows.iter().map(|line| (line["unit"].as_str(), line["mean_wait"].as_str())).collect();
    // The mean of 0, 1,200 .. 13,200, and the means of the three complete days.
    assert_eq!(waits, [("whole", "6600"), ("0", "1200"), ("1", "4800"), ("2", "8400")]);
    assert!(rows.iter().all(|line| line["key"] == rows[0]["key"]), "one replay");
}

#[test]
fn a_policy_independent_of_the_swept_parameter_is_replayed_once() {
    let folder = small();
    let swept = SMALL
        .replace("load = [0.7, 0.9]", "load = [0.7]\nlookahead = [10, 20, 30]")
        .replace("spec = \"fcfs\"", "spec = \"lookahead:depth={lookahead}\"");
    folder.write("swept.toml", &swept);
    let done = folder.run(&["run", "swept.toml", "--out", "r", "--dry-run"]);
    let words = done.succeeded();
    assert!(words.starts_with("small: 2 workloads x 3 points x 2 policies: "), "{words}");
    folder.run(&["run", "swept.toml", "--out", "r", "-q"]).succeeded();
    let rows = lines(&folder, "r/results.csv");
    let keys = |policy: &str| {
        let lines = of(&rows, &[("policy", policy), ("workload", "drawn"), ("unit", "0")]);
        (lines.len(), lines.iter().map(|line| line["key"].clone()).collect::<BTreeSet<_>>().len())
    };
    assert_eq!((keys("EASY"), keys("FCFS")), ((3, 1), (3, 3)));
}

#[test]
fn windows_of_a_number_of_jobs_leave_out_the_rest() {
    // On one processor each job waits 1200 s longer than the one before: 0 to 4800 s from an empty machine.
    let folder = three_days();
    let results = |name: &str, units: &str, measure: &str| -> Vec<[String; 3]> {
        folder.write(&format!("{name}.toml"), &experiment(units, measure));
        folder.run(&["run", &format!("{name}.toml"), "--out", name, "-q"]).succeeded();
        let fields = |line: &Line| ["unit", "jobs", "mean_wait"].map(|field| line[field].clone());
        lines(&folder, &format!("{name}/results.csv")).iter().map(fields).collect()
    };
    let units = "windows = \"5 jobs\"";
    assert_eq!(results("a", units, ""), [["0", "5", "2400"], ["1", "5", "2400"]]);
    let told = folder.run(&["run", "a.toml", "--dry-run"]);
    assert!(told.out.contains("  days: 2 windows of 5 jobs, each replayed by itself\n"), "{}", told.out);
    assert!(
        told.out.contains("days: the last 2 jobs fill no window of 5 jobs and are left out"),
        "{}",
        told.out
    );
    // A day is jobs 1 to 3, which are simulated; jobs 4 to 8 wait 3600 to 8400 s, and four jobs are left.
    assert_eq!(results("b", units, "prefix = \"1d\""), [["0", "5", "6000"]]);
    // Twice the load: 15 600 s longer each, for the same jobs; the day is half a day.
    let twice = format!("{units}\nload = 2");
    assert_eq!(results("c", &twice, ""), [["0", "5", "31200"], ["1", "5", "31200"]]);
    assert_eq!(results("d", &twice, "prefix = \"1d\""), [["0", "5", "78000"]]);
    // Warm-up and cool-down trim every window: of the five, those that end by the last submission stay.
    assert_eq!(results("e", units, "cooldown = \"submit\"")[1], ["1", "3", "1200"]);
    assert!(folder.read("a/README.md").contains("2 windows of 5 jobs, each replayed by itself"));
    folder.write("f.toml", &experiment("windows = \"13 jobs\"", ""));
    folder.run(&["run", "f.toml", "-q"]).failed(2, "the log is shorter than one window of 13 jobs");
    folder.write("g.toml", &experiment("windows = \"0 jobs\"", ""));
    folder.run(&["run", "g.toml", "-q"]).failed(2, "such as 7d, or a number of jobs, such as 5000 jobs");
}

#[test]
fn a_window_of_jobs_may_end_within_an_instant() {
    // Four jobs at 0 and two at 100, each 60 s long on one processor; windows of three jobs.
    let folder = Folder::new();
    let job = |(at, submit): (usize, &u32)| {
        format!("{} {submit} -1 60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n", at + 1)
    };
    let log: String = [0, 0, 0, 0, 100, 100].iter().enumerate().map(job).collect();
    folder.write("days.swf", &format!("; MaxProcs: 1\n{log}"));
    folder.write("a.toml", &experiment("windows = \"3 jobs\"", ""));
    folder.run(&["run", "a.toml", "--out", "a", "-q"]).succeeded();
    let rows = lines(&folder, "a/results.csv");
    let waits: Vec<&str> = rows.iter().map(|line| line["mean_wait"].as_str()).collect();
    // Waits of 0, 60 and 120 s; then 0 s of job 4, and 0 and 60 s at 100.
    assert_eq!(waits, ["60", "20"]);
}
