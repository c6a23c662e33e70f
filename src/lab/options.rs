//! Every option, declared once: a row of a table.
//!
//! A row says all that is known of an option: its name and help, what it sets, what it excludes, whether it names a file that is
//! read or written, what it decides, who lacks it, whether it needs the whole log, and how results state it. The command line
//! makes its arguments of the rows; experiment files, sweeps, calls from other programs, streams, the cache of logs, the keys of
//! units, the conditions of results and the check that no output is an input take from them what they need. Tests walk the rows.
//!
//! Here are the rows of `replay`, of experiments and of the verbs that programs call, in groups that verbs share. The rows of a
//! single verb of the command line stand with it in `src/cli`: its own fields are what they set.

mod help;
pub(crate) mod rows;
mod scenario;
mod spec;
mod verbs;
mod words;

use batchlab_traces::arrange::Arrange as _;

use crate::lab::settings::ScenarioSettings;
pub use scenario::{DELAYS, JOBS, LATE, LIMITS, MACHINE, QUIET, REPLAY, SLURM, SOURCE, TRACE};
pub use spec::{Caller, Decides, FROM, Files, Help, OptionCondition, OptionSpec, ReplayFacts, Setter, Takes};
pub use verbs::{
    MEASURE, PLACES, PLUGINS, POLICY, ROWS, RUN, SHAPE, STRICT, STRICT_READING, STRICT_WRITING, TABLE, WAY,
};
pub use words::{Given, assign, flag, place};

/// Options of one kind, in the order of the help.
pub type OptionGroup = &'static [OptionSpec];

pub const SCENARIO: &[OptionGroup] =
    &[&SOURCE, &QUIET, &MACHINE, &JOBS, &REPLAY, &SLURM, &DELAYS, &LIMITS, &LATE, &STRICT];

pub const OF_REPLAY: &[OptionGroup] = &[
    &SOURCE, &QUIET, &MACHINE, &JOBS, &REPLAY, &SLURM, &DELAYS, &LIMITS, &LATE, &STRICT, &POLICY, &PLUGINS,
    &MEASURE, &ROWS, &TABLE, &WAY,
];

pub const OF_RUN: &[OptionGroup] = &[&RUN, &LIMITS, &PLUGINS];

pub const OF_SHAPE: &[OptionGroup] = &[&SHAPE, &STRICT_WRITING, &SOURCE, &QUIET, &PLUGINS];

/// The options of calls that read a log.
pub const OF_READ: &[OptionGroup] = &[&SOURCE, &QUIET, &STRICT, &PLACES];

pub fn of_scenario() -> impl Iterator<Item = &'static OptionSpec> {
    SCENARIO.iter().copied().flatten()
}

pub fn spec(name: &str) -> Option<&'static OptionSpec> {
    of_scenario().find(|option| option.name == name)
}

/// Whether an option of a scenario always names a file.
pub fn is_file(name: &str) -> bool {
    spec(name).is_some_and(|option| option.files == Files::Read)
}

/// Whether an option of a scenario may name a file.
pub fn names_file(name: &str) -> bool {
    spec(name).is_some_and(|option| option.files != Files::No)
}

/// Whether an option may decide what is read from a log: all that are not known to come later.
pub fn decides_log(name: &str) -> bool {
    spec(name).is_none_or(|option| option.decides == Decides::Log)
}

/// Returns the first option that was given and can only be followed with the whole log in memory.
pub fn needing_whole_log(settings: &ScenarioSettings) -> Option<String> {
    let is_given = |option: &&OptionSpec| option.needs_whole_log.is_some_and(|is_given| is_given(settings));
    let words = |option: &OptionSpec| match option.in_part {
        Some(part) => format!("{} {part}", flag(option)),
        None => flag(option),
    };
    of_scenario().find(is_given).map(words)
}

/// Returns the conditions by name that differ from the defaults, besides those of log, machine and reading.
pub fn stated(of: &ReplayFacts<'_>) -> Vec<(String, String)> {
    let mut stated: Vec<OptionCondition> = of_scenario().filter_map(|option| option.stated).collect();
    stated.arrange_by_key(|condition| condition.place);
    let value = |OptionCondition { name, value, .. }| Some((String::from(name), value(of)?));
    stated.into_iter().filter_map(value).collect()
}

#[cfg(test)]
mod tests;
