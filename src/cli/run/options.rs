//! Options of `replay` in the workloads of an experiment.

use std::path::Path;

use batchlab_traces::SourcePlace;
use batchlab_traces::clean::Preset;
use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser};

use crate::cli::Failure;
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

/// Options that the experiment itself determines, and the limits, which only the command line sets.
const OWN: [&str; 5] = ["seed", "rules", "steps", "quiet", "limit"];

/// Options that name files, which are relative to the folder of the experiment.
pub const FILES: [&str; 5] = ["machine", "mapping", "limits", "priorities", "calendar"];

/// Returns the names of the options of `replay` that a workload may have.
pub fn names() -> Vec<String> {
    let command = Line::command();
    let options = command.get_arguments().filter_map(|arg| arg.get_long());
    options.filter(|name| !OWN.contains(name)).map(String::from).collect()
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
            (false, value) if FILES.contains(&name.as_str()) => {
                words.push(format!("--{name}={}", beside(folder, value)));
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
