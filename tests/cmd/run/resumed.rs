//! Tests of resumed runs.

use super::{SMALL, lines, small, tree};

fn to_run(err: &str) -> &str {
    err.lines().find(|line| line.ends_with("to run")).unwrap_or_else(|| panic!("{err}"))
}

#[test]
fn results_are_not_written_over_unless_asked_and_then_nothing_is_run_twice() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    let before = tree(&folder, "r");
    folder.run(&["run", "small.toml", "--out", "r"]).failed(2, "--resume continues with them");
    let again = folder.run(&["run", "small.toml", "--out", "r", "--resume"]);
    assert_eq!((again.code, to_run(&again.err)), (0, "0 replays to run"));
    assert_eq!(tree(&folder, "r"), before);
}

#[test]
fn only_what_has_changed_is_run_again() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "r", "-q"]).succeeded();
    let all = lines(&folder, "r/results.csv").len();
    let changes = [
        // A changed label is not another policy, and a changed title not another result.
        ("label = \"FCFS\"", "label = \"first come\"", 0),
        ("name = \"drawn\"", "name = \"drawn\" # as before", 0),
        ("replications = 5", "replications = 6", 2 * 2),
        ("load = [0.7, 0.9]", "load = [0.7, 0.8, 0.9]", (all - 20) / 2 + 10),
        ("spec = \"fcfs\"", "spec = \"fcfs:order=sjf\"", all / 2),
        ("classes = [\"zhang\"]", "classes = [\"narrow=procs < 4\"]", all),
    ];
    for (from, to, expected) in changes {
        assert!(SMALL.contains(from), "{from}");
        folder.write("changed.toml", &SMALL.replace(from, to));
        let copy = folder.path("copy");
        let _ = std::fs::remove_dir_all(&copy);
        for (name, bytes) in tree(&folder, "r") {
            let to = copy.join(name);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::write(to, bytes).unwrap();
        }
        let done = folder.run(&["run", "changed.toml", "--out", "copy", "--resume"]);
        assert_eq!(done.code, 0, "{to}: {}", done.err);
        let expected = match expected {
            1 => "1 replay to run".to_owned(),
            several => format!("{several} replays to run"),
        };
        assert_eq!(to_run(&done.err), expected, "{to}");
        folder.run(&["run", "changed.toml", "--out", "fresh", "-q"]).succeeded();
        assert_eq!(tree(&folder, "copy"), tree(&folder, "fresh"), "{to}");
        std::fs::remove_dir_all(folder.path("fresh")).unwrap();
    }
}

/// Temporary files of killed runs: `run --resume` removes them, `merge` does not copy them.
#[test]
fn leftovers_of_killed_runs_go() {
    let folder = small();
    folder.run(&["run", "small.toml", "--out", "whole", "-q", "--schedules"]).succeeded();
    for shard in ["1", "2"] {
        let (out, part) = (format!("s{shard}"), format!("{shard}/2"));
        folder.run(&["run", "small.toml", "--out", &out, "--shard", &part, "-q", "--schedules"]).succeeded();
        folder.write(&format!("{out}/schedules/.batchlab-aB3dE6"), "half");
        folder.write(&format!("{out}/schedules/0123456789abcdef.csv.gz.part"), "half");
    }
    folder.run(&["merge", "s1", "s2", "-o", "merged", "-q"]).succeeded();
    let whole = tree(&folder, "whole");
    assert_eq!(tree(&folder, "merged"), whole);
    for name in [".batchlab-aB3dE6", "tables/.batchlab-aB3dE6", "schedules/.batchlab-aB3dE6"] {
        std::fs::create_dir_all(folder.path("whole/tables")).unwrap();
        folder.write(&format!("whole/{name}"), "half");
    }
    folder.run(&["run", "small.toml", "--out", "whole", "-q", "--schedules", "--resume"]).succeeded();
    assert_eq!(tree(&folder, "whole"), whole);
    // A run that was killed before it wrote any other file.
    std::fs::create_dir(folder.path("new")).unwrap();
    folder.write("new/.batchlab-aB3dE6", "half");
    folder.run(&["run", "small.toml", "--out", "new", "-q", "--schedules"]).succeeded();
    assert_eq!(tree(&folder, "new"), whole);
}
