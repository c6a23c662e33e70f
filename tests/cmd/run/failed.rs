//! Tests of replays that fail among others.

use super::lines;
use crate::cmd::Folder;
use crate::plugins::wasm::{POLICY, decide, module};

/// One log under three policies, one of which misbehaves.
const EXPERIMENT: &str = "\
[experiment]\nname = \"e\"\n[measure]\nmetrics = [\"mean_wait\"]\n\
[[workload]]\nname = \"w\"\ntrace = \"a.swf\"\n\
[[policy]]\nlabel = \"first come\"\nspec = \"fcfs\"\n\
[[policy]]\nlabel = \"broken\"\nspec = \"wasm:bad.wat\"\n\
[[policy]]\nlabel = \"EASY\"\nspec = \"easy\"\n";

#[test]
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
