//! The twin beside real runs of Slurm (`tests/slurm/runs`), and the tables of the docs about them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Folder;

/// Returns a path below `tests/slurm`.
fn slurm(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm").join(path)
}

/// Returns what a script of `tests/slurm` prints; `None` without Python, with a word on it.
fn script(args: &[&str]) -> Option<String> {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: there is no python3");
        return None;
    }
    let done = Command::new("python3").arg(slurm(args[0])).args(&args[1..]).output().unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    Some(String::from_utf8(done.stdout).unwrap())
}

fn program() -> String {
    assert_cmd::cargo::cargo_bin("batchlab").to_str().unwrap().to_owned()
}

fn page(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn check(run: &str, required: &[&str]) {
    let folder = Folder::new();
    let path = |name: &str| slurm("runs").join(run).join(name).to_str().unwrap().to_owned();
    let (log, conf, config) = (path("sacct.txt.gz"), path("slurm.conf"), path("scontrol-config.txt"));
    let (dump, qos) = (path("dump.cfg"), path("qos.psv"));
    let mut args = vec!["slurm-check", &log, "-q"];
    let topology = path("topology.conf");
    let has = |file: &&&String| Path::new(file).exists();
    for file in [&conf, &config, &dump, &qos, &topology].iter().filter(has) {
        args.extend(["--slurm", file]);
    }
    for least in required {
        args.extend(["--require", least]);
    }
    folder.run(&args).succeeded();
}

#[test]
fn first_come_first_served_is_followed_within_a_minute() {
    for run in ["builtin-1", "builtin-2"] {
        check(run, &["within_60s=0.99", "rank_correlation=0.99", "closed_loop_agreement=0.99"]);
    }
}

#[test]
fn backfill_cycles_and_priorities_are_followed() {
    check("backfill-1", &["within_60s=0.8", "closed_loop_agreement=0.99"]);
    check("multifactor-1", &["within_60s=0.6", "closed_loop_agreement=0.95"]);
    check("arrays-1", &["within_60s=0.6", "closed_loop_agreement=0.99"]);
}

#[test]
fn switches_and_the_load_of_nodes_are_followed() {
    check("topology-1", &["within_60s=0.6", "closed_loop_agreement=0.99", "closed_loop_nodes=0.95"]);
    check("least-loaded-1", &["within_60s=0.7", "closed_loop_agreement=0.95", "closed_loop_nodes=0.95"]);
}

/// The agreement falls if one rule of the twin is broken, on runs that have the rule.
#[test]
fn a_broken_rule_is_seen() {
    let Some(table) = script(&["twin.py", "--bin", &program(), "power", "classic"]) else { return };
    let shares = |row: &str| -> Vec<f64> {
        let cells = row.split('|').skip(3).take(2);
        cells.map(|cell| cell.trim().trim_end_matches('%').parse().unwrap()).collect()
    };
    let rows: Vec<Vec<f64>> = table.lines().skip(2).map(shares).collect();
    assert!(rows.len() == 7 && rows.iter().all(|row| row[1] + 5.0 < row[0]), "{table}");
}

#[test]
fn a_later_version_is_followed_by_its_own_rules() {
    check("backfill-25.05-2", &["closed_loop_agreement=1", "closed_loop_nodes=1"]);
    check("multifactor-25.05-2", &["closed_loop_agreement=1", "closed_loop_nodes=0.98"]);
}

/// The backfill cycles of these runs begin in the second in which priorities are computed; one second beside it users change places.
#[test]
fn the_second_of_priorities_follows_from_usage() {
    check("no-limits-1", &["closed_loop_agreement=0.99"]);
    check("no-limits-2", &["closed_loop_agreement=0.97"]);
    check("two-partitions-2", &["closed_loop_agreement=0.96"]);
}

#[test]
fn jobs_that_others_stop_stay_on_their_nodes() {
    check("suspend-1", &["closed_loop_agreement=0.99", "closed_loop_tested=1"]);
    check("suspend-2", &["closed_loop_agreement=0.99", "closed_loop_tested=1"]);
}

#[test]
fn jobs_that_are_swept_away_and_a_lab_are_followed() {
    check("scavenger-1", &["within_60s=0.6", "closed_loop_agreement=0.97"]);
    // Its jobs were changed, which these files do not tell.
    check("lab-1", &["within_60s=0.5", "closed_loop_agreement=0.7"]);
}

#[test]
fn the_scatter_of_the_runs_is_what_the_script_prints() {
    let Some(table) = script(&["scatter.py"]) else { return };
    let page = page("tests/slurm/runs/README.md");
    assert!(page.contains(&table), "tests/slurm/runs/README.md is to have this table:\n{table}");
}

/// Rows of the tables about accuracy: drawn replays of all runs take minutes.
#[test]
fn the_tables_of_the_twin_are_what_the_script_prints() {
    let page = page("tests/slurm/runs/ACCURACY.md");
    let program = program();
    let tables: [(&str, &[&str]); 6] = [
        ("accuracy", &["backfill", "builtin", "limits", "maintenance", "memory-b"]),
        ("milliseconds", &["multifactor"]),
        ("changes", &[]),
        ("preempt", &[]),
        ("chance", &["preempt"]),
        ("ablation", &[]),
    ];
    for (table, names) in tables {
        let Some(rows) = script(&[&["twin.py", "--bin", &program, table][..], names].concat()) else {
            return;
        };
        assert!(rows.lines().count() > 2 + names.len(), "{rows}");
        for row in rows.lines() {
            assert!(page.contains(row), "tests/slurm/runs/ACCURACY.md is to have this row ({table}):\n{row}");
        }
    }
}

#[test]
fn what_a_missing_column_costs_is_what_the_script_prints() {
    let (page, program) = (page("docs/SLURM.md"), assert_cmd::cargo::cargo_bin("batchlab"));
    let Some(table) = script(&["twin.py", "--bin", program.to_str().unwrap(), "columns", "features"]) else {
        return;
    };
    // The run that loses most of all is the one that loses most of its scenario.
    let of_scenario = |row: &str| row.split('|').nth(4).is_some_and(|run| run.trim().starts_with("features"));
    let closed = |row: &str| row.split('|').take(5).collect::<Vec<_>>().join("|");
    let told: Vec<String> =
        page.lines().filter(|row| row.starts_with("| `") && of_scenario(row)).map(closed).collect();
    assert!(told.len() >= 2, "{page}");
    for row in &told {
        assert!(
            table.lines().any(|printed| closed(printed) == *row),
            "docs/SLURM.md has {row}, printed is\n{table}"
        );
    }
    // The findings say the same.
    let folder = Folder::new();
    folder.write("sacct.txt", "JobID|State|Submit|Start|End|NCPUS\n1|COMPLETED|2024-01-01T00:00:00|2024-01-01T00:00:00|2024-01-01T00:02:00|1\n");
    folder.write("slurm.conf", "NodeName=n1 CPUs=1\nPartitionName=main Nodes=ALL Default=YES\n");
    let found = folder.run(&["slurm-check", "sacct.txt", "--slurm", "slurm.conf"]).err;
    let percent = |cell: &str| cell.trim().trim_end_matches('%').parse::<f64>().ok().map(f64::round);
    let rows = page.lines().filter(|row| row.starts_with("| `"));
    let costs = rows.filter_map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`');
        let at = if ["Flags", "ReqTRES"].contains(&name) { 5 } else { 2 };
        let [before, after] = [percent(cells[at])?, percent(cells[at + 1])?];
        (name != "NCPUS").then(|| (name.to_owned(), format!("from {before} to {after} %")))
    });
    let costs: Vec<(String, String)> = costs.collect();
    assert!(costs.len() > 10, "{costs:?}");
    for (name, cost) in costs {
        let said = found.split(&format!("{name} (")).nth(1).and_then(|rest| rest.split(')').next());
        assert!(said.is_some_and(|said| said.ends_with(&cost)), "{name}: {cost}\n{found}");
    }
}

#[test]
fn the_priorities_at_instants_are_what_the_script_prints() {
    let program = assert_cmd::cargo::cargo_bin("batchlab");
    let Some(table) = script(&["twin.py", "--bin", program.to_str().unwrap(), "instants"]) else { return };
    let page = page("tests/slurm/runs/ACCURACY.md");
    assert!(page.contains(&table), "tests/slurm/runs/ACCURACY.md is to have this table:\n{table}");
    // The sentence above the table has its sums.
    let sum = |column: usize| -> u32 {
        let rows = table
            .lines()
            .skip(2)
            .map(|row| row.split('|').nth(column).unwrap().trim().parse::<u32>().unwrap());
        rows.sum()
    };
    let said = format!("Of {} priorities {} are equal to the last digit", sum(2), sum(3));
    assert!(page.contains(&said), "tests/slurm/runs/ACCURACY.md is to say: {said}");
}

/// Scenarios that are foretold within seconds; the scripts print all of them in minutes.
const QUICK: [&str; 2] = ["backfill", "whole-nodes"];

#[test]
fn foretold_starts_are_those_of_the_tables() {
    foretold(&[("snapshot", &QUICK)]);
}

/// Takes minutes: `.ci/nightly slurm`.
#[test]
#[ignore = "forecasts at every instant of a run"]
fn starts_foretold_at_each_instant_are_those_of_the_tables() {
    foretold(&[("snapshot", &["limits"]), ("instants", &["reservation"]), ("usage", &["no-limits"])]);
}

/// Compares tables of scenarios, as the script makes them, with the page.
fn foretold(tables: &[(&str, &[&str])]) {
    let program = assert_cmd::cargo::cargo_bin("batchlab");
    let (program, page) = (program.to_str().unwrap(), page("tests/slurm/runs/FORECASTS.md"));
    for &(table, scenarios) in tables {
        let Some(rows) = script(&[&["when.py", "--bin", program, table], scenarios].concat()) else { return };
        assert!(rows.lines().count() > 2 * scenarios.len(), "{rows}");
        for row in rows.lines().filter(|row| !row.starts_with("| all")) {
            assert!(page.contains(row), "tests/slurm/runs/FORECASTS.md is to have this row:\n{row}");
        }
    }
}
