//! What a row of the table of options says.

use std::path::PathBuf;

use batchlab_traces::Reading;
use batchlab_traces::calendar::Zone;

use crate::lab::scenario::ready_log::Prepared;
use crate::lab::settings::{AllSettings, ScenarioSettings};
use crate::replay::engine::Scenario;

/// The option whose values are the formats of the registry.
pub const FROM: &str = "from";

/// An option, or an argument that is named by its place. `T` is what it takes.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of an option")]
pub struct OptionSpec<T = Takes> {
    pub name: &'static str,
    /// Whether it is an argument without a name on the command line.
    pub is_place: bool,
    pub short: Option<char>,
    /// The placeholder of its value in the help.
    pub value: &'static str,
    pub help: Help,
    /// Whether `-h` shows it where a verb has many options.
    pub is_common: bool,
    /// The heading of the help under which it stands.
    pub heading: Option<&'static str>,
    /// The value that it has without being given.
    pub default: Option<&'static str>,
    pub shows_default: bool,
    pub hyphens: bool,
    /// The options that cannot be given beside it.
    pub excludes: &'static [&'static str],
    pub requires: Option<&'static str>,
    /// The option without which it must be given.
    pub unless: Option<&'static str>,
    pub required: bool,
    pub takes: T,
    /// What its values have to do with files.
    pub files: Files,
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

#[derive(Clone, Copy)]
pub enum Help {
    Text(&'static str),
    /// A text, and what `--help` says below it.
    Long([&'static str; 2]),
    /// A text that is made of another list.
    Made(fn() -> String),
}

impl Help {
    pub fn text(self) -> String {
        match self {
            Help::Text(text) | Help::Long([text, _]) => text.into(),
            Help::Made(make) => make(),
        }
    }
}

/// Sets an option to a value, or adds a value to those that it has.
pub type Setter = fn(&mut AllSettings, &str) -> Result<(), String>;

#[derive(Clone, Copy)]
pub enum Takes {
    /// Nothing: it is on or off.
    Nothing(fn(&mut AllSettings)),
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
    pub fn is_nothing(self) -> bool {
        matches!(self, Takes::Nothing(_))
    }

    pub fn is_several(self) -> bool {
        matches!(self, Takes::Many(_) | Takes::List(_) | Takes::Paths(_))
    }

    /// Whether a comma separates values.
    pub fn is_list(self) -> bool {
        matches!(self, Takes::List(_))
    }
}

#[derive(Clone, Copy)]
pub struct OptionCondition {
    pub(super) place: u8,
    pub(super) name: &'static str,
    pub(super) value: fn(&ReplayFacts<'_>) -> Option<String>,
}

/// A replay whose conditions are stated.
pub struct ReplayFacts<'a> {
    pub scenario: &'a Scenario,
    pub reading: &'a Reading,
    /// The zone of the log's clock, if it is not the format's own.
    pub zone: Option<Zone>,
    /// The log as a whole, if it is in memory.
    pub prepared: Option<&'a Prepared>,
}

impl<'a> ReplayFacts<'a> {
    /// Returns the facts of a log that is in memory.
    pub fn of(prepared: &'a Prepared) -> ReplayFacts<'a> {
        let Prepared { scenario, reading, settings, .. } = prepared;
        ReplayFacts { scenario, reading, zone: settings.source.zone, prepared: Some(prepared) }
    }
}

/// What the values of an option have to do with files. In an experiment, files that are read are seen from its folder, and
/// results depend on what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    No,
    /// They name files or folders that are read.
    Read,
    /// They name a file that is read, a preset, or are the text of a file.
    ReadOrText,
    /// They are policies, which may be plug-ins.
    Policy,
    Options,
    /// They name a file that is written.
    Written,
    /// They name a folder that is written into.
    WrittenInto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// What is read from the log: workloads that differ in it cannot share a log in memory.
    Log,
    /// Which jobs, machine and rules a log in memory becomes.
    Jobs,
    Nothing,
}

/// What has options of a verb, but lacks some: those that it determines itself, and those about output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    Workload,
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
