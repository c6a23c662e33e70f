//! Outputs that are inputs: a file that a command reads is never one that it writes.
//!
//! The command line is checked as a whole, before a verb begins: the row of each argument says what its values are to files.

use std::fs;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};

use super::Verb;
use super::arguments::Argument;
use crate::experiment::folder::is_of_run;
use crate::lab::Failure;
use crate::lab::options::Files;
use crate::lab::overwriting::{InputFiles, is_same, refusal};
use crate::lab::replays::schedules;

/// Refuses a command line with an output that is a file which the verb reads. Returns the files that it reads.
pub fn check(command: &Command, matches: &ArgMatches) -> Result<Vec<PathBuf>, Failure> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(Vec::new()) };
    let mut verbs = command.get_subcommands().zip(Verb::ARGUMENTS);
    let Some((_, arguments)) = verbs.find(|(verb, _)| verb.get_name() == name) else { return Ok(Vec::new()) };
    let mut reading = InputFiles::default();
    let mut outputs = Vec::new();
    for Argument { arg, files, .. } in arguments() {
        let id = arg.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten().filter(|value| *value != "-") {
            reading.value(files, value);
            if let Files::Written | Files::WrittenInto = files {
                outputs.push((format!("--{id} {}", value.display()), files, Path::new(value)));
            }
        }
    }
    for (option, files, path) in outputs {
        let is_overwritten = |file: &&Path| match files {
            Files::WrittenInto => is_written_into(name, path, file),
            _ => is_written(name, path, file),
        };
        if let Some(file) = reading.files().find(is_overwritten) {
            return Err(refusal(&option, file));
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
        "tune" => matches!(name, "candidates.csv" | "replays.csv" | "search.svg" | "tuned.md"),
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

    use batchlab_traces::sorted::SortedSet;
    use clap::CommandFactory;

    use super::*;

    /// How the placeholders of arguments begin that name files, are policies or hold options.
    const OF_FILES: &str =
        "DIR EXPERIMENT FILE IN LOG NAME|FOLDER OPTIONS OUT PREDICTOR RULES SCHEDULE SCRIPT SPEC STEPS TRACE";

    #[test]
    fn every_argument_is_a_row_and_the_row_says_what_it_is_to_files() {
        let command = crate::cli::Cli::command();
        let mut outputs = SortedSet::new();
        assert_eq!(command.get_subcommands().count(), Verb::ARGUMENTS.len());
        for (verb, arguments) in command.get_subcommands().zip(Verb::ARGUMENTS) {
            let rows = arguments();
            let of_clap: SortedSet<&str> = verb.get_arguments().map(|arg| arg.get_id().as_str()).collect();
            assert_eq!(of_clap, rows.iter().map(|row| row.arg.get_id().as_str()).collect());
            for Argument { arg, files, .. } in rows {
                let place = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name);
                let place =
                    place.trim_start_matches("[NAME:] ").replace("A.csv", "FILE").replace("B.csv", "FILE");
                let is_of = |name: &str| {
                    place.strip_prefix(name).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
                };
                let name = format!("{} --{}", verb.get_name(), arg.get_id());
                assert_eq!(files != Files::No, OF_FILES.split(' ').any(is_of), "{name} <{place}>");
                if let Files::Written | Files::WrittenInto = files {
                    outputs.insert(name);
                }
            }
        }
        #[rustfmt::skip]
        let expected = [
            "cite --zip", "clean --output", "conform --keep", "convert --output", "explain --plot",
            "generate --output", "info --plot", "merge --output", "paper --out", "replay --evalys",
            "replay --out", "replay --schedule", "report --output", "run --out", "run --schedule",
            "shape --output", "slurm --out", "slurm --output", "slurm-check --jobs",
            "slurm-collect --output", "sweep --out", "tune --out",
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
