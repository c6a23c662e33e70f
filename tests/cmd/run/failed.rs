//! Tests of replays that fail among others.

use super::{lines, tree};
use crate::cmd::Folder;
#[cfg(feature = "wasm")]
use crate::plugins::wasm::{POLICY, decide, module};

/// One log under three policies, one of which misbehaves.
const EXPERIMENT: &str = "\
[experiment]\nname = \"e\"\n[measure]\nmetrics = [\"mean_wait\"]\n\
[[workload]]\nname = \"w\"\ntrace = \"a.swf\"\n\
[[policy]]\nlabel = \"first come\"\nspec = \"fcfs\"\n\
[[policy]]\nlabel = \"broken\"\nspec = \"wasm:bad.wat\"\n\
[[policy]]\nlabel = \"EASY\"\nspec = \"easy\"\n";

#[test]
#[cfg(feature = "wasm")]
fn a_replay_that_fails_is_an_error_of_its_row() {
    let folder = Folder::new();
    folder.write("a.swf", &crate::cmd::four_jobs());
    folder.write("e.toml", EXPERIMENT);
    folder.write("bad.wat", &module(POLICY, &[("decide", &decide("unreachable"))]));
    let done = folder.run(&["run", "e.toml", "--out", "r", "-q"]);
    assert_eq!(done.code, 4, "{}", done.err);
    let words = "error: policy `wasm:bad.wat` at ";
    assert!(done.err.starts_with(words), "{}", done.err);
    let failed = lines(&folder, "r/failed.csv");
    assert_eq!((failed.len(), failed[0]["policy"].as_str(), failed[0]["unit"].as_str()), (1, "broken", "0"));
    assert!(failed[0]["error"].contains("trapped in `batchlab_decide`"), "{}", failed[0]["error"]);
    let unit =
        format!("(replay {}: workload `w`, policy `broken`, unit 0; r/failed.csv names", failed[0]["key"]);
    assert!(done.err.contains(&unit), "{}", done.err);
    // The other replays are in the results and in the tables, which say that they show a part.
    let rows = lines(&folder, "r/results.csv");
    let policies: Vec<&str> = rows.iter().map(|row| row["policy"].as_str()).collect();
    assert_eq!(policies, ["first come", "EASY"]);
    let note = "a part of the experiment: 1 of 3 replays is missing";
    assert!(done.out.contains("first come") && done.out.contains(note), "{}", done.out);
    for name in std::fs::read_dir(folder.path("r/tables")).unwrap().map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&name).unwrap();
        assert!(text.contains("EASY") || name.ends_with("notes.tex"), "{}", name.display());
        if name.extension().is_some_and(|ending| ending == "md") {
            assert!(text.contains(note), "{text}");
        }
    }
    assert!(!folder.path("r/README.md").exists(), "conclusions would be of a part");
    let table = folder.run(&["table", "r"]);
    assert_eq!(table.code, 1, "{}", table.err);
    assert!(table.out.contains(note), "{}", table.out);
    // Resumed: only the failed replay is tried again, and it fails.
    let before = lines(&folder, "r/results.csv");
    let again = folder.run(&["run", "e.toml", "--out", "r", "--resume"]);
    assert_eq!(again.code, 4, "{}", again.err);
    assert!(again.err.contains("1 replay to run\n"), "{}", again.err);
    assert_eq!(lines(&folder, "r/results.csv"), before);
}

/// `--resume` repeats a replay that failed for an external reason, and leaves no trace of the failure.
#[test]
fn failed_replays_are_tried_again() {
    let folder = Folder::new();
    // Two jobs that each need the whole machine: the second waits for ten cycles without an event.
    let job = |number: u32| format!("{number} 0 -1 600 2 -1 -1 2 600 -1 1 1 1 1 1 -1 -1 -1\n");
    folder.write("two.swf", &format!("; MaxProcs: 2\n{}{}", job(1), job(2)));
    let cycles = "trace = \"two.swf\"\nevents = \"periodic:60\"";
    let long = EXPERIMENT.replace("trace = \"a.swf\"", cycles).replace("wasm:bad.wat", "conservative");
    folder.write("e.toml", &long);
    folder.run(&["run", "e.toml", "--out", "whole", "-q"]).succeeded();
    let whole = tree(&folder, "whole");
    let limit = ["--limit", "decisions=1"];
    let done = folder.run(&[&["run", "e.toml", "--out", "r", "-q"][..], &limit].concat());
    assert_eq!(done.code, 4, "{}", done.err);
    assert_eq!((lines(&folder, "r/failed.csv").len(), lines(&folder, "r/results.csv").len()), (3, 0));
    assert_eq!(done.out, "");
    folder.run(&["run", "e.toml", "--out", "r", "-q", "--resume"]).succeeded();
    assert_eq!(tree(&folder, "r"), whole);
    // An incomplete shard keeps its journal, by which a cluster script recognises it.
    let shard = ["run", "e.toml", "--out", "s", "-q", "--shard", "1/1"];
    assert_eq!(folder.run(&[&shard[..], &limit].concat()).code, 4);
    assert!(folder.path("s/journal.jsonl").exists() && folder.path("s/failed.csv").exists());
}
