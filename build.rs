//! Lists the folders of papers, which the program carries: adding one touches no code.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder of papers, as seen from the package.
const PAPERS: &str = "tests/papers";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={PAPERS}");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(PAPERS);
    let mut list = String::from("&[\n");
    for paper in sorted(&root)?.iter().filter(|path| path.join("paper.toml").is_file()) {
        let _ = writeln!(list, "({:?}, &[", name(paper));
        // Pages are records of runs, and no part of what is run.
        for file in sorted(paper)?.iter().filter(|path| {
            path.is_file() && name(path).rsplit_once('.').is_some_and(|(_, ending)| ending != "md")
        }) {
            let _ = writeln!(list, "({:?}, include_str!({:?})),", name(file), file.display().to_string());
        }
        list.push_str("]),\n");
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("papers.rs"), list)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
