//! The papers that the program carries, at the sizes of a quick run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cmd::Folder;

fn papers() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/papers");
    let mut papers: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    papers.retain(|path| path.join("paper.toml").is_file());
    papers.sort();
    papers
}

/// Renew the records with `BATCHLAB_RECORD=1 cargo test --test main papers::`.
#[test]
fn a_quick_run_of_each_paper_gives_its_record() {
    let record = std::env::var_os("BATCHLAB_RECORD").is_some();
    let folder = Folder::new();
    let papers = papers();
    assert!(papers.len() >= 6, "{papers:?}");
    for paper in papers {
        let name = paper.file_name().unwrap().to_str().unwrap();
        folder.run(&["paper", name, "--quick", "--out", "p", "--threads", "2", "-q"]).succeeded();
        let made = folder.read(&format!("p/{name}/README.md"));
        let file = paper.join("quick.md");
        if record {
            fs::write(&file, &made).unwrap();
        }
        let recorded =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(made == recorded, "{} is not what the experiments give", file.display());
        assert!(made.contains(" claims ") && !made.contains('\u{1b}'), "{name}");
    }
}
