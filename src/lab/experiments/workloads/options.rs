use std::path::Path;

use batchlab_parsers::Formats;
use batchlab_traces::clean::Preset;

use crate::experiment::{JobSource, WorkloadSpec};
use crate::lab::Failure;
use crate::lab::logs::rules::is_text;
use crate::lab::options::{Caller, OptionSpec, Takes, assign, decides_log, is_file, of_scenario, spec};
use crate::lab::settings::{AllSettings, ScenarioSettings};

/// Returns the options of a workload that may determine how its log is read: all that are not known to come later.
pub fn of_reading(workload: &WorkloadSpec) -> Vec<(String, String)> {
    let mut options = workload.options.clone();
    options.retain(|(name, _)| decides_log(name));
    options
}

pub fn files(workload: &WorkloadSpec) -> impl Iterator<Item = &str> {
    let of_files = workload.options.iter().filter(|(name, _)| is_file(name));
    of_files.flat_map(|(name, value)| values(name, value))
}

/// Returns the values of an option: an option that may be given several times has a list, separated by commas.
fn values<'a>(name: &str, value: &'a str) -> Vec<&'a str> {
    match spec(name).map(|option| option.takes) {
        Some(Takes::Many(_)) => value.split(',').map(str::trim).collect(),
        _ => vec![value],
    }
}

/// Returns the names of the options of `replay` that a workload may have.
pub fn names() -> Vec<&'static str> {
    let has = |option: &&OptionSpec| !option.withheld.contains(&Caller::Workload);
    of_scenario().filter(has).map(|option| option.name).collect()
}

/// Returns the options of a workload, with its rules; file names are relative to `folder`.
pub fn scenario(
    workload: &WorkloadSpec,
    folder: &Path,
    formats: &Formats,
) -> Result<ScenarioSettings, Failure> {
    let trace = match &workload.source {
        JobSource::Log(path) => beside(folder, path),
        JobSource::Model { name, .. } => name.clone(),
    };
    let mut given = Vec::new();
    for (name, value) in &workload.options {
        let Some(option) = spec(name) else { continue };
        match (option.takes, value.as_str()) {
            (Takes::Nothing(_), "true") => given.push((option, vec![value.clone()])),
            (Takes::Nothing(_), "false") => {}
            (Takes::Nothing(_), _) => {
                return Err(wrong(workload, &format!("`{name}` must be true or false")));
            }
            (_, value) if is_file(name) => {
                let files = values(name, value).into_iter().map(|file| beside(folder, file));
                given.push((option, files.collect()));
            }
            (_, value) => given.push((option, vec![value.to_owned()])),
        }
    }
    let mut settings = AllSettings::default();
    assign(&mut settings, &given, formats).map_err(|what| wrong(workload, &what.replace("--", "")))?;
    let rules = workload.rules.as_deref().map(|rules| rules_of(rules, folder));
    let steps = workload.steps.as_deref().map(|steps| steps_of(steps, folder));
    Ok(ScenarioSettings { trace, rules, steps, ..settings.scenario })
}

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
    Failure::Input(format!("{place}: workload `{name}`: cannot read {path}: {error}"))
}

pub fn wrong(workload: &WorkloadSpec, what: &str) -> Failure {
    let WorkloadSpec { name, place, .. } = workload;
    Failure::Usage(format!("{place}: workload `{name}`: {what}"))
}

fn steps_of(steps: &str, folder: &Path) -> String {
    if is_text(steps) { steps.into() } else { beside(folder, steps) }
}

fn rules_of(rules: &str, folder: &Path) -> String {
    if is_text(rules) || Preset::find(rules).is_ok() { rules.into() } else { beside(folder, rules) }
}
