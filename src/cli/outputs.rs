//! Outputs that are inputs: a file that a command reads is never one that it writes.
//!
//! The command line is checked as a whole, before a verb begins: which options name outputs is listed here, and the
//! placeholder of every other argument says whether it names something that is read.

use std::fs;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

use crate::experiment::folder::is_of_run;
use crate::lab::Failure;
use crate::lab::inputs::{InputFiles, Role, is_same, refusal};
use crate::lab::schedules;

/// Returns what an argument is to files.
fn role(arg: &Arg) -> Role {
    let place = arg.get_value_names().and_then(|names| names.first());
    Role::of(arg.get_long().unwrap_or_default(), place.map_or(arg.get_id().as_str(), |name| name))
}

/// Refuses a command line with an output that is a file which the verb reads. Returns the files that it reads.
pub fn check(command: &Command, matches: &ArgMatches) -> Result<Vec<PathBuf>, Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(Vec::new()) };
    let Some(verb) = command.find_subcommand(name) else { return Ok(Vec::new()) };
    let typed = |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let mut reading = InputFiles::default();
    let mut outputs = Vec::new();
    for arg in verb.get_arguments().filter(typed) {
        let values = matches.get_raw(arg.get_id().as_str()).into_iter().flatten();
        for value in values.filter(|value| *value != "-") {
            match role(arg) {
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
        "DAYS|YYYY-MM-DD",
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
        "ENDPOINT",
        "PROTOCOL",
        "SECONDS",
        "SHELL",
        "URL",
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
                match role(arg) {
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
            "replay --evalys",
            "replay --out",
            "replay --schedule",
            "report --output",
            "run --out",
            "run --schedule",
            "shape --output",
            "slurm --out",
            "slurm --output",
            "slurm-check --jobs",
            "slurm-collect --output",
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
