use std::collections::BTreeSet;

use super::{Line, SMALL, lines, small};

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
