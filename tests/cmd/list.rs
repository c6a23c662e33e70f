use serde_json::Value;

use super::Folder;
use crate::lab::policies;

const ALL: [&str; 11] = [
    "policies", "logs", "formats", "models", "orders", "hosts", "steps", "metrics", "columns", "facts",
    "checks",
];

#[test]
fn every_entry_of_every_registry_is_listed_and_shown_in_full() {
    let folder = Folder::new();
    for what in ALL {
        let list = folder.run(&["list", what]);
        let entries: Value =
            serde_json::from_str(folder.run(&["list", what, "--format", "json"]).succeeded()).unwrap();
        assert!(!entries.as_array().unwrap().is_empty());
        for entry in entries.as_array().unwrap() {
            let name = entry["name"].as_str().unwrap();
            let listed = |line: &str| line.trim_start().split("  ").next() == Some(name);
            assert!(list.succeeded().lines().any(listed), "{what} {name}");
            let full = folder.run(&["list", what, name]);
            let expected = [entry["name"].as_str(), entry["summary"].as_str(), entry["source"].as_str()];
            for text in expected.into_iter().flatten() {
                assert!(full.succeeded().contains(text), "{what} {name}: {text}");
            }
            for parameter in entry["parameters"].as_array().unwrap() {
                let [key, default] = ["name", "default"].map(|part| parameter[part].as_str().unwrap());
                assert!(full.out.contains(&format!("\n  {key}={default}\n")), "{what} {name}: {key}");
            }
        }
    }
}

#[test]
fn listed_entries_can_be_used() {
    let folder = Folder::with_log();
    let listed = |what: &str| -> Vec<String> {
        let done = folder.run(&["list", what, "--format", "json"]);
        let entries: Vec<Value> = serde_json::from_str(done.succeeded()).unwrap();
        entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect()
    };
    for policy in listed("policies") {
        // The log has no memory, which this policy uses unless it is turned off.
        let spec = if policy == "dhc" { "dhc:memory=off" } else { &policy };
        let done = folder.run(&["replay", "week.swf", "--policy", spec, "-q"]);
        if policies().iter().any(|known| known.name == policy) {
            done.succeeded();
        } else {
            done.failed(3, "give slurm.conf with --slurm");
        }
    }
    for model in listed("models") {
        let full = folder.run(&["list", "models", &model]);
        let log: &[&str] = if full.succeeded().contains("--log FILE") { &["--log", "week.swf"] } else { &[] };
        folder.run(&[&["generate", &model, "--jobs", "3", "-o", "-"], log].concat()).succeeded();
    }
    for order in listed("orders") {
        let done = folder.run(&["replay", "week.swf", "-q", "--policy", &format!("easy:order={order}")]);
        if folder.run(&["list", "orders", &order]).succeeded().contains("the memory of every job") {
            done.failed(3, "needs memory per job");
        } else {
            done.succeeded();
        }
    }
    for host in listed("hosts") {
        folder.run(&["replay", "week.swf", "-q", "--policy", &format!("easy:place={host}")]).succeeded();
    }
    for format in listed("formats") {
        assert!(folder.run(&["info", "--help"]).succeeded().contains(&format));
    }
}

#[test]
fn a_pipe_gets_whole_lines_and_may_close_early() {
    let folder = Folder::new();
    let widest = folder.run(&["list", "models", "lublin"]).succeeded().lines().map(str::len).max();
    assert!(widest.is_some_and(|widest| widest > 130), "{widest:?}");
    let done = folder.run_and_leave(&["list", "models", "lublin"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}
