//! The example experiment: what stands beside it is what it gives.

use std::path::{Path, PathBuf};

use crate::cmd::Folder;

const EXPERIMENT: &str = "tests/experiments/backfilling.toml";

/// Files below a folder, by name.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_path_buf());
            }
        }
    }
    found.sort();
    found
}

/// Renew the folder with `batchlab run tests/experiments/backfilling.toml --out /tmp/backfilling` and
/// `tests/experiments/record.sh /tmp/backfilling`.
#[test]
fn what_stands_beside_the_example_is_what_it_gives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::new();
    let experiment = root.join(EXPERIMENT);
    folder.run(&["run", experiment.to_str().unwrap(), "--out", "r", "-q"]).succeeded();
    let recorded = root.join("tests/experiments/backfilling");
    let names = files(&recorded);
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let read = |path: PathBuf| {
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
        };
        let made = read(folder.path("r").join(&name));
        assert!(made == read(recorded.join(&name)), "{} is not what the experiment gives", name.display());
    }
}
