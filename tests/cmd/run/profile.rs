//! The same experiment with other sizes.

use super::{Folder, SMALL, lines, small, tree};

fn with_quick(more: &str) -> Folder {
    let folder = small();
    let quick = "[profile.quick.experiment]\nreplications = 2\n[profile.quick.workload]\njobs = 30\n";
    folder.write("small.toml", &format!("{SMALL}{quick}{more}"));
    folder
}

#[test]
fn a_profile_has_fewer_replications_and_jobs() {
    let folder = with_quick("");
    folder.run(&["run", "small.toml", "--profile", "quick", "--out", "quick", "-q"]).succeeded();
    // Two loads and two policies; the log keeps its windows.
    let drawn = |out: &str| {
        let lines = lines(&folder, &format!("{out}/results.csv"));
        lines
            .iter()
            .filter(|line| line["workload"] == "drawn")
            .map(|line| line["jobs"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(drawn("quick"), ["30"; 2 * 2 * 2]);
    folder.run(&["run", "small.toml", "--out", "whole", "-q"]).succeeded();
    assert_eq!(drawn("whole"), ["60"; 2 * 2 * 5]);
    // The folder of results is complete: its own file gives the same bytes.
    assert!(folder.read("quick/experiment.toml").ends_with("# with profile quick\n"));
    folder.write("again.toml", &folder.read("quick/experiment.toml"));
    folder.run(&["run", "again.toml", "--out", "again", "-q"]).succeeded();
    assert_eq!(tree(&folder, "again"), tree(&folder, "quick"));
}
