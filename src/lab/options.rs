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
mod verbs;
mod words;

use std::path::PathBuf;

use batchlab_traces::Reading;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::calendar::Zone;

use crate::lab::scenario::prepared::Prepared;
use crate::lab::settings::{AllSettings, ScenarioSettings};
use crate::replay::engine::Scenario;
pub use scenario::{DELAYS, JOBS, LATE, LIMITS, MACHINE, QUIET, REPLAY, SLURM, SOURCE, TRACE};
pub use verbs::{
    MEASURE, PLACES, PLUGINS, POLICY, ROWS, RUN, SHAPE, STRICT, STRICT_READING, STRICT_WRITING, TABLE, WAY,
};
pub use words::{assign, flag, place};

/// The option whose values are the formats of the registry.
pub const FROM: &str = "from";

/// An option, or an argument that is named by its place. `T` is what it takes.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of an option")]
pub struct OptionSpec<T = Takes> {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// Whether it is an argument without a name on the command line.
    pub is_place: bool,
    /// Its letter.
    pub short: Option<char>,
    /// The placeholder of its value in the help.
    pub value: &'static str,
    /// What it does, in a sentence or two.
    pub help: Help,
    /// The heading of the help under which it stands.
    pub heading: Option<&'static str>,
    /// The value that it has without being given.
    pub default: Option<&'static str>,
    /// Whether the help shows the default.
    pub shows_default: bool,
    /// Whether a value may begin with a dash.
    pub hyphens: bool,
    /// The options that cannot be given beside it.
    pub excludes: &'static [&'static str],
    /// The option without which it cannot be given.
    pub requires: Option<&'static str>,
    /// The option without which it must be given.
    pub unless: Option<&'static str>,
    /// Whether it must be given.
    pub required: bool,
    /// What its values set.
    pub takes: T,
    /// What its values have to do with files.
    pub files: Files,
    /// What it decides.
    pub decides: Decides,
    /// What lacks it.
    pub withheld: &'static [Caller],
    /// Whether `--stream` cannot follow it as it is given; `None` if it always can.
    pub needs_whole_log: Option<fn(&ScenarioSettings) -> bool>,
    /// What of it needs the whole log, if not all of it.
    pub in_part: Option<&'static str>,
    /// Its value as results state it, if it is not the default; `None` if results state it with the log, the machine, the
    /// reading or the measurement, or if it decides nothing.
    pub stated: Option<OptionCondition>,
}

/// The help of an option.
#[derive(Clone, Copy)]
pub enum Help {
    /// A text.
    Text(&'static str),
    /// A text, and what `--help` says below it.
    Long([&'static str; 2]),
    /// A text that is made of another list.
    Made(fn() -> String),
}

impl Help {
    /// Returns the text that every help has.
    pub fn text(self) -> String {
        match self {
            Help::Text(text) | Help::Long([text, _]) => text.into(),
            Help::Made(make) => make(),
        }
    }
}

/// Sets an option to a value, or adds a value to those that it has.
pub type Setter = fn(&mut AllSettings, &str) -> Result<(), String>;

/// What an option takes, and what its values set.
#[derive(Clone, Copy)]
pub enum Takes {
    /// Nothing: it is on or off.
    Nothing(fn(&mut AllSettings)),
    /// A value.
    One(Setter),
    /// Values, each given by itself.
    Many(Setter),
    /// Values, in one list or several, separated by commas.
    List(Setter),
    /// A path, in any encoding.
    Path(fn(&mut AllSettings, PathBuf)),
    /// Paths, each given by itself.
    Paths(fn(&mut AllSettings, PathBuf)),
}

impl Takes {
    /// Whether it is on or off.
    pub fn is_nothing(self) -> bool {
        matches!(self, Takes::Nothing(_))
    }

    /// Whether there may be several values.
    pub fn is_several(self) -> bool {
        matches!(self, Takes::Many(_) | Takes::List(_) | Takes::Paths(_))
    }

    /// Whether a comma separates values.
    pub fn is_list(self) -> bool {
        matches!(self, Takes::List(_))
    }
}

/// A condition of results: its place among them, its name, and its value.
#[derive(Clone, Copy)]
pub struct OptionCondition {
    place: u8,
    name: &'static str,
    value: fn(&ReplayFacts<'_>) -> Option<String>,
}

/// A replay whose conditions are stated.
pub struct ReplayFacts<'a> {
    /// Its scenario; under `--stream`, of the first jobs.
    pub scenario: &'a Scenario,
    /// The rules by which its log was read.
    pub reading: &'a Reading,
    /// The zone of the log's clock, if it is not the format's own.
    pub zone: Option<Zone>,
    /// The log as a whole, if it is in memory.
    pub prepared: Option<&'a Prepared>,
}

impl<'a> ReplayFacts<'a> {
    /// Returns the facts of a log that is in memory.
    pub fn of(prepared: &'a Prepared) -> ReplayFacts<'a> {
        let Prepared { scenario, reading, zone, .. } = prepared;
        ReplayFacts { scenario, reading, zone: *zone, prepared: Some(prepared) }
    }
}

/// What the values of an option have to do with files. In an experiment, files that are read are seen from its folder, and
/// results depend on what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// Nothing.
    No,
    /// They name files or folders that are read.
    Read,
    /// They name a file that is read, a preset, or are the text of a file.
    ReadOrText,
    /// They are policies, which may be plug-ins.
    Policy,
    /// They are command lines of other options.
    Options,
    /// They name a file that is written.
    Written,
    /// They name a folder that is written into.
    WrittenInto,
}

/// What an option decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// What is read from the log: workloads that differ in it cannot share a log in memory.
    Log,
    /// Which jobs, machine and rules a log in memory becomes.
    Jobs,
    /// Nothing of the results of a scenario.
    Nothing,
}

/// What has options of a verb, but lacks some: those that it determines itself, and those about output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A workload of an experiment.
    Workload,
    /// `sweep`.
    Sweep,
    /// A program that reads a log.
    Read,
    /// A program that shapes a log.
    Shape,
    /// A program that replays a log under one policy.
    Replay,
    /// A program that replays a log under several policies.
    Compare,
    /// A program that runs an experiment.
    Run,
}

/// Options of one kind, in the order of the help.
pub type OptionGroup = &'static [OptionSpec];

/// The options of a scenario, in the order of the help.
pub const SCENARIO: &[OptionGroup] =
    &[&SOURCE, &QUIET, &MACHINE, &JOBS, &REPLAY, &SLURM, &DELAYS, &LIMITS, &LATE, &STRICT];

/// The options of `replay`.
pub const OF_REPLAY: &[OptionGroup] = &[
    &SOURCE, &QUIET, &MACHINE, &JOBS, &REPLAY, &SLURM, &DELAYS, &LIMITS, &LATE, &STRICT, &POLICY, &PLUGINS,
    &MEASURE, &ROWS, &TABLE, &WAY,
];

/// The options of `run`.
pub const OF_RUN: &[OptionGroup] = &[&RUN, &LIMITS, &PLUGINS];

/// The options of `shape`.
pub const OF_SHAPE: &[OptionGroup] = &[&SHAPE, &STRICT_WRITING, &SOURCE, &QUIET, &PLUGINS];

/// The options of calls that read a log.
pub const OF_READ: &[OptionGroup] = &[&SOURCE, &QUIET, &STRICT, &PLACES];

/// Returns the options of a scenario.
pub fn of_scenario() -> impl Iterator<Item = &'static OptionSpec> {
    SCENARIO.iter().copied().flatten()
}

/// Returns an option of a scenario.
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
