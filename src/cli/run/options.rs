//! Options of `replay` in the workloads of an experiment.

use std::path::Path;

use batchlab_traces::SourcePlace;
use batchlab_traces::clean::Preset;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser};

use crate::cli::Failure;
use crate::cli::options::{Caller, decides_log, is_file, is_withheld};
use crate::cli::prepare::ScenarioArgs;
use crate::cli::rules::is_text;
use crate::experiment::{Source, WorkloadSpec};

/// The options of a scenario as a separate command line.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Line {
    #[command(flatten)]
    scenario: ScenarioArgs,
}

/// Returns the options of a workload that may determine how its log is read: all that are not known to come later.
pub fn of_reading(workload: &WorkloadSpec) -> Vec<(String, String)> {
    let mut options = workload.options.clone();
    options.retain(|(name, _)| decides_log(name));
    options
}

/// Returns the names of the files that a workload's options name, as the experiment has them.
pub fn files(workload: &WorkloadSpec) -> impl Iterator<Item = &str> {
    let of_files = workload.options.iter().filter(|(name, _)| is_file(name));
    of_files.flat_map(|(name, value)| values(name, value))
}

/// Returns the values of an option: an option that may be given several times has a list, separated by commas.
fn values<'a>(name: &str, value: &'a str) -> Vec<&'a str> {
    if name == "slurm" { value.split(',').map(str::trim).collect() } else { vec![value] }
}

/// Returns the names of the options of `replay` that a workload may have.
pub fn names() -> Vec<String> {
    let command = Line::command();
    let options = command.get_arguments().filter_map(|arg| arg.get_long());
    options.filter(|name| !is_withheld(name, Caller::Workload)).map(String::from).collect()
}

/// Returns the options of a scenario as arguments of the command line.
pub fn arguments() -> Vec<Arg> {
    Line::command().get_arguments().cloned().collect()
}

/// Returns the options of a workload, with its rules; file names are relative to `folder`.
pub fn scenario(workload: &WorkloadSpec, folder: &Path, quiet: bool) -> Result<ScenarioArgs, Failure> {
    let trace = match &workload.source {
        Source::Log(path) => beside(folder, path),
        Source::Model { name, .. } => name.clone(),
    };
    let command = Line::command();
    let mut words = vec![trace];
    for (name, value) in &workload.options {
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(name));
        let is_flag = argument.is_some_and(|argument| matches!(argument.get_action(), ArgAction::SetTrue));
        match (is_flag, value.as_str()) {
            (true, "true") => words.push(format!("--{name}")),
            (true, "false") => {}
            (true, _) => return Err(wrong(workload, &format!("`{name}` must be true or false"))),
            (false, value) if is_file(name) => {
                let files = values(name, value).into_iter();
                words.extend(files.map(|file| format!("--{name}={}", beside(folder, file))));
            }
            (false, value) => words.push(format!("--{name}={value}")),
        }
    }
    if quiet {
        words.push("--quiet".into());
    }
    let parsed = command.try_get_matches_from(words).and_then(|matches| Line::from_arg_matches(&matches));
    let mut scenario =
        parsed.map_err(|error| wrong(workload, &first_words(&error).replace("--", "")))?.scenario;
    scenario.rules = workload.rules.as_deref().map(|rules| rules_of(rules, folder));
    Ok(scenario)
}

/// Returns the path of a file named relative to a folder.
pub fn beside(folder: &Path, path: &str) -> String {
    if path == "-" { path.into() } else { folder.join(path).to_string_lossy().into_owned() }
}

/// Returns the path of a file seen from a folder: the reverse of [`beside`].
pub fn seen_from<'a>(folder: &Path, path: &'a str) -> &'a str {
    Path::new(path).strip_prefix(folder).ok().and_then(Path::to_str).unwrap_or(path)
}

/// Returns a failure about a file of a workload that cannot be opened.
pub fn unopened(workload: &WorkloadSpec, path: &str, error: &std::io::Error) -> Failure {
    let WorkloadSpec { name, place, .. } = workload;
    Failure::Input(format!("{}: workload `{name}`: cannot read {path}: {error}", shown(place)))
}

/// Returns a failure about a workload.
pub fn wrong(workload: &WorkloadSpec, what: &str) -> Failure {
    let WorkloadSpec { name, place, .. } = workload;
    Failure::Usage(format!("{}: workload `{name}`: {what}", shown(place)))
}

fn shown(place: &SourcePlace) -> String {
    place.to_string()
}

fn rules_of(rules: &str, folder: &Path) -> String {
    if is_text(rules) || Preset::find(rules).is_ok() { rules.into() } else { beside(folder, rules) }
}

/// Returns clap's message without its advice, which is about a command line that the user did not type.
pub fn first_words(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split("\n\n").next().unwrap_or_default().into()
}
