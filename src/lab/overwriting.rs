//! Files that are read, and the check that no output overwrites one of them.

mod files_read;

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::lab::Failure;
use crate::lab::options::Files;
pub use files_read::InputFiles;

/// Refuses to write over a file that is read; `named` is what the user calls the path.
pub fn refuse(named: &str, path: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    inputs.iter().find(|file| is_same(path, file)).map_or(Ok(()), |file| Err(refusal(named, file)))
}

pub fn refusal(named: &str, file: &Path) -> Failure {
    Failure::Usage(format!(
        "{named}: this is a file that the command reads ({}); name another one",
        file.display()
    ))
}

pub fn inputs<'a>(values: impl IntoIterator<Item = (Files, &'a str)>) -> Vec<PathBuf> {
    let mut reading = InputFiles::default();
    values.into_iter().for_each(|(files, value)| reading.value(files, value.as_ref()));
    reading.files().map(Path::to_path_buf).collect()
}

/// Whether two names are of one file: it exists, and both lead to it, through links or not. Pipes and devices are no files.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let (Ok(first), Ok(second)) = (fs::metadata(one), fs::metadata(other)) else { return false };
    if !first.is_file() || !second.is_file() {
        return false;
    }
    is_one(&first, &second) || fs::canonicalize(one).ok() == fs::canonicalize(other).ok()
}

#[cfg(unix)]
fn is_one(first: &Metadata, second: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (first.dev(), first.ino()) == (second.dev(), second.ino())
}

#[cfg(not(unix))]
fn is_one(_: &Metadata, _: &Metadata) -> bool {
    false
}
