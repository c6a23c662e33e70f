//! Lists the folders of papers, which the program carries: adding one touches no code. Lists the files of the page that
//! `web/build` made, if it did.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folder of papers, as seen from the package.
const PAPERS: &str = "tests/papers";

/// The folder of the page.
const PAGE: &str = "web/dist";

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
    fs::write(out.join("papers.rs"), list)?;
    fs::write(out.join("page.rs"), page()?)
}

/// Returns the list of the files of the page. The engine is carried packed only, as it is served.
fn page() -> io::Result<String> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join(PAGE);
    // A folder that is not there would be looked for, and all be built, each time.
    if folder.is_dir() {
        println!("cargo::rerun-if-changed={PAGE}");
    }
    let mut list = String::from("&[\n");
    let files = sorted(&folder)?;
    for file in files.iter().filter(|path| path.is_file() && !name(path).starts_with('.')) {
        let is_packed_too = files.iter().any(|other| name(other) == format!("{}.gz", name(file)));
        if !is_packed_too {
            let _ = writeln!(
                list,
                "({:?}, include_bytes!({:?}).as_slice()),",
                name(file),
                file.display().to_string()
            );
        }
    }
    list.push_str("]\n");
    Ok(list)
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
