//! Files that are read, of which no output is one.

mod read;

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use super::Failure;
use super::options::OptionSpec;
pub use read::InputFiles;

/// Options that name a file to write.
const FILES: [&str; 4] = ["output", "schedule", "plot", "zip"];

/// The placeholder of a further file to write.
const WRITTEN: &str = "OUT.csv";

/// Options that name a folder to write into.
const FOLDERS: [&str; 4] = ["out", "output", "keep", "evalys"];

/// The beginnings of placeholders of what is read: files and folders.
const READ: [&str; 12] = [
    "TRACE",
    "FILE",
    "RULES",
    "STEPS",
    "IN",
    "A.csv",
    "B.csv",
    "SCHEDULE",
    "EXPERIMENT",
    "DIR",
    "LOG",
    "NAME|FOLDER",
];

/// Placeholders of policies, which may be plug-ins.
const POLICIES: [&str; 2] = ["SPEC", "PREDICTOR"];

/// Placeholders of options that hold other options.
const NESTED: [&str; 2] = ["OPTIONS", "[NAME:] OPTIONS"];

/// What an argument of a verb is to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It names a file that is written.
    File,
    /// It names a folder that is written into.
    Folder,
    /// It names something that is read.
    Read,
    /// It names a policy, which may be a plug-in.
    Policy,
    /// It holds other options.
    Nested,
    /// It names no file.
    Other,
}

impl Role {
    /// Returns the role of an argument with a name, if it is an option, and a placeholder.
    pub fn of(long: &str, place: &str) -> Role {
        let is_folder = place == "DIR";
        let is_read =
            |name: &str| place.strip_prefix(name).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
        match long {
            name if is_folder && FOLDERS.contains(&name) => Role::Folder,
            name if !is_folder && FILES.contains(&name) || place == WRITTEN => Role::File,
            _ if NESTED.contains(&place) => Role::Nested,
            _ if POLICIES.contains(&place) => Role::Policy,
            _ if READ.iter().any(|name| is_read(name)) => Role::Read,
            _ => Role::Other,
        }
    }
}

/// Refuses to write to a path, named so by the user, that is one of the files which are read.
pub fn refuse(named: &str, path: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    inputs.iter().find(|file| is_same(path, file)).map_or(Ok(()), |file| Err(refusal(named, file)))
}

/// Returns the failure to write over a file that is read.
pub fn refusal(named: &str, file: &Path) -> Failure {
    Failure::Usage(format!(
        "{named}: this is a file that the command reads ({}); name another one",
        file.display()
    ))
}

/// Returns the files that the options of a call name, with logs and policies that it names otherwise.
pub fn inputs<'a>(
    options: impl IntoIterator<Item = (&'a OptionSpec, &'a str)>,
    logs: impl IntoIterator<Item = &'a str>,
    policies: impl IntoIterator<Item = &'a str>,
) -> Vec<PathBuf> {
    let mut reading = InputFiles::default();
    for (option, value) in options {
        match Role::of(option.name, option.value) {
            Role::Read => reading.named(Path::new(value)),
            Role::Policy => reading.policy(value),
            Role::Nested => reading.options(value),
            Role::File | Role::Folder | Role::Other => {}
        }
    }
    logs.into_iter().for_each(|log| reading.named(Path::new(log)));
    policies.into_iter().for_each(|policy| reading.policy(policy));
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
