//! Outputs that are inputs: a file that a command reads is never one that it writes.
//!
//! The command line is checked as a whole, before a verb begins: which options name outputs is listed here, and the
//! placeholder of every other argument says whether it names something that is read.

mod read;

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use super::Failure;
use super::replay::schedules;
use crate::experiment::folder::is_of_run;
use read::Reading;

/// Options that name a file to write.
const FILES: [&str; 4] = ["output", "schedule", "plot", "zip"];

/// Options that name a folder to write into.
const FOLDERS: [&str; 3] = ["out", "output", "keep"];

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
enum Role {
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
    fn of(arg: &Arg) -> Role {
        let place =
            arg.get_value_names().and_then(|names| names.first()).map_or(arg.get_id().as_str(), |name| name);
        let is_folder = place == "DIR";
        let long = arg.get_long().unwrap_or_default();
        let is_read =
            |name: &str| place.strip_prefix(name).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
        match long {
            name if is_folder && FOLDERS.contains(&name) => Role::Folder,
            name if !is_folder && FILES.contains(&name) => Role::File,
            _ if NESTED.contains(&place) => Role::Nested,
            _ if POLICIES.contains(&place) => Role::Policy,
            _ if READ.iter().any(|name| is_read(name)) => Role::Read,
            _ => Role::Other,
        }
    }
}

/// Refuses a command line with an output that is a file which the verb reads. Returns the files that it reads.
pub fn check(command: &Command, matches: &ArgMatches) -> Result<Vec<PathBuf>, Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(Vec::new()) };
    let Some(verb) = command.find_subcommand(name) else { return Ok(Vec::new()) };
    let typed = |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let mut reading = Reading::default();
    let mut outputs = Vec::new();
    for arg in verb.get_arguments().filter(typed) {
        let values = matches.get_raw(arg.get_id().as_str()).into_iter().flatten();
        for value in values.filter(|value| *value != "-") {
            match Role::of(arg) {
                role @ (Role::File | Role::Folder) => outputs.push((arg, role, PathBuf::from(value))),
                Role::Read => reading.named(Path::new(value)),
                Role::Policy => reading.policy(&value.to_string_lossy()),
                Role::Nested => reading.options(&value.to_string_lossy()),
                Role::Other => {}
            }
        }
    }
    for (arg, role, path) in outputs {
        let overwritten = match role {
            Role::Folder => reading.files().find(|file| is_written_into(name, &path, file)),
            _ => reading.files().find(|file| is_written(name, &path, file)),
        };
        if let Some(file) = overwritten {
            let option = arg.get_long().unwrap_or_default();
            return Err(refusal(&format!("--{option} {}", path.display()), file));
        }
    }
    Ok(reading.files().map(Path::to_path_buf).collect())
}

/// Refuses to write to a path, named so by the user, that is one of the files which are read.
pub fn refuse(named: &str, path: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    inputs.iter().find(|file| is_same(path, file)).map_or(Ok(()), |file| Err(refusal(named, file)))
}

fn refusal(named: &str, file: &Path) -> Failure {
    Failure::Usage(format!(
        "{named}: this is a file that the command reads ({}); name another one",
        file.display()
    ))
}

/// Returns the files that the options of a call name, with logs and policies that it names otherwise.
pub fn inputs<'a>(
    options: impl IntoIterator<Item = (&'a Arg, &'a str)>,
    logs: impl IntoIterator<Item = &'a str>,
    policies: impl IntoIterator<Item = &'a str>,
) -> Vec<PathBuf> {
    let mut reading = Reading::default();
    for (arg, value) in options {
        match Role::of(arg) {
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

/// Whether a verb that writes to a path writes over a file: the path itself, the intervals beside a schedule, or a part of a
/// log that is split.
fn is_written(verb: &str, path: &Path, file: &Path) -> bool {
    let beside = || {
        let schedule = path.to_str().filter(|_| matches!(verb, "replay" | "run"))?;
        schedules::beside(schedule).map(PathBuf::from)
    };
    is_same(path, file)
        || beside().is_some_and(|path| is_same(&path, file))
        || verb == "shape" && is_part(path, file)
}

/// Whether a file has the name of a part of a log: `a-01.swf` for `a.swf`.
fn is_part(path: &Path, file: &Path) -> bool {
    let names =
        path.file_name().zip(file.file_name()).map(|(a, b)| (a.to_string_lossy(), b.to_string_lossy()));
    let Some((whole, part)) = names else { return false };
    let stem = whole.split('.').next().unwrap_or_default();
    let number = part.strip_prefix(stem).and_then(|rest| rest.strip_prefix('-'));
    let digits = number.map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let is_numbered = number.is_some_and(|rest| digits > 0 && rest[digits..] == whole[stem.len()..]);
    is_numbered && is_same_folder(path.parent(), file)
}

/// Whether a verb that writes into a folder writes over a file in it: the files of a run. Which schedules a replay writes is known
/// with its policies.
fn is_written_into(verb: &str, folder: &Path, file: &Path) -> bool {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return false };
    let is_of_verb = match verb {
        // The folder of a run has its experiment, which goes on from there.
        "run" | "sweep" | "paper" => is_of_run(name) && name != "experiment.toml",
        "merge" => is_of_run(name),
        _ => false,
    };
    is_of_verb && is_same_folder(Some(folder), file)
}

/// Whether a file lies in a folder; without a folder, in the current one.
fn is_same_folder(folder: Option<&Path>, file: &Path) -> bool {
    let folder_of = |path: Option<&Path>| {
        let path = path.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::canonicalize(path).ok()
    };
    let folder = folder_of(folder);
    folder.is_some() && folder == folder_of(fs::canonicalize(file).ok().as_deref().and_then(Path::parent))
}

/// Whether two names are of one file: it exists, and both lead to it, through links or not. Pipes and devices are no files.
fn is_same(one: &Path, other: &Path) -> bool {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;

    /// Placeholders of arguments that name no file.
    const NO_FILES: &[&str] = &[
        "A,B,...",
        "A,B,C",
        "A,B,C|NAME=DEFINITION",
        "A:B:STEP|A,B,...",
        "C",
        "CLASS",
        "CODE,...",
        "CONDITION|shortest:SHARE",
        "COSTS",
        "F",
        "FLOAT",
        "FORM",
        "FORMAT",
        "I/N",
        "INSTANT",
        "JOB",
        "K",
        "KEY",
        "KEY=LEAST",
        "KEY=VALUE",
        "KEY[=VALUE]",
        "KIND",
        "LABEL",
        "LINES",
        "M",
        "METRIC <= BOUND",
        "MODEL",
        "N",
        "NAME",
        "NAME,...",
        "NAME=AMOUNT",
        "OPTION",
        "ORDER",
        "P",
        "PLACE",
        "PRESET|NAME=CONDITION",
        "S",
        "SHARE",
        "SHARE|TIME|mser5",
        "SIZE",
        "T",
        "TIME",
        "ZONE",
        "all|last-interactive|last:CONDITION",
        "arrivals|ends[:GAP]",
        "calendar|none|reservations",
        "drop|limit|all",
        "each|last|sum",
        "log|ignore",
        "ignore|log",
        "log|replay",
        "log|tasks:T|whole-node|pool",
        "raise|kill|overdue",
        "react=TIME,complete=TIME",
        "requested|allocated",
        "requested|used",
        "submit|TIME",
        "submit|eligible",
        "SHELL",
        "KIND|NAME",
        "job",
        "THING",
        "WHAT",
    ];

    /// Every argument of every verb names an output, something that is read, or no file: a new placeholder is to be put in one
    /// of the lists.
    #[test]
    fn every_argument_has_a_role() {
        let command = crate::cli::Cli::command();
        let mut unknown = Vec::new();
        let mut outputs = BTreeSet::new();
        for verb in command.get_subcommands() {
            for arg in verb.get_arguments().filter(|arg| arg.get_action().takes_values()) {
                let names = arg.get_value_names();
                let place = names.and_then(|names| names.first()).map_or(arg.get_id().as_str(), |name| name);
                match Role::of(arg) {
                    Role::Other if !NO_FILES.contains(&place) => {
                        unknown.push(format!("{} {} <{place}>", verb.get_name(), arg.get_id()));
                    }
                    Role::File | Role::Folder => {
                        outputs.insert(format!(
                            "{} --{}",
                            verb.get_name(),
                            arg.get_long().unwrap_or_default()
                        ));
                    }
                    _ => {}
                }
            }
        }
        assert!(unknown.is_empty(), "{unknown:#?}");
        let expected = [
            "cite --zip",
            "clean --output",
            "conform --keep",
            "convert --output",
            "explain --plot",
            "generate --output",
            "info --plot",
            "merge --output",
            "paper --out",
            "replay --out",
            "replay --schedule",
            "report --output",
            "run --out",
            "run --schedule",
            "shape --output",
            "slurm --out",
            "slurm --output",
            "sweep --out",
        ];
        assert_eq!(outputs, expected.map(String::from).into());
    }

    #[test]
    fn parts_are_known_by_their_numbers() {
        let is = |whole: &str, part: &str| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(part);
            fs::write(&file, "").unwrap();
            is_part(&folder.path().join(whole), &file)
        };
        assert!(is("log.swf", "log-01.swf") && is("a.swf.gz", "a-12.swf.gz"));
        assert!(
            !is("log.swf", "log-x.swf") && !is("log.swf", "log-01.txt") && !is("log.swf", "other-01.swf")
        );
    }
}
