//! What is known of the options of `replay` and of the verbs that programs call, beside how they are parsed: one row each.
//!
//! Experiment files, sweeps, calls from other programs, streams, the cache of logs and the conditions of results take from
//! here what they may have, what names a file, what they share, and what they state. A test compares the rows with the options
//! that the command line has.

use std::fmt;

use batchlab_traces::Reading;
use batchlab_traces::number::counted;
use batchlab_traces::reading::{Cancel, Dependencies, Estimate, Requeues};
use batchlab_traces::workload::InteractiveRule;

use super::prepare::{Prepared, ScenarioArgs};
use crate::outcome::StopRule;
use crate::replay::engine::Scenario;

/// An option.
pub struct OptionSpec {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// Whether its values name files.
    pub files: Files,
    /// What it decides.
    pub decides: Decides,
    /// What lacks it.
    pub withheld: &'static [Caller],
    /// Whether `--stream` cannot follow it as it is given; `None` if it always can.
    pub needs_whole_log: Option<fn(&ScenarioArgs) -> bool>,
    /// What of it needs the whole log, if not all of it.
    pub in_part: Option<&'static str>,
    /// Its value as results state it, if it is not the default; `None` if results state it with the log, the machine, the
    /// reading or the measurement, or if it decides nothing.
    pub stated: Option<OptionCondition>,
}

/// A condition of results: its name, and its value.
#[derive(Clone, Copy)]
pub struct OptionCondition {
    name: &'static str,
    value: fn(&ReplayFacts<'_>) -> Option<String>,
}

/// A replay whose conditions are stated.
pub struct ReplayFacts<'a> {
    /// Its scenario; under `--stream`, of the first jobs.
    pub scenario: &'a Scenario,
    /// The rules by which its log was read.
    pub reading: &'a Reading,
    /// The log as a whole, if it is in memory.
    pub prepared: Option<&'a Prepared>,
}

/// Whether the values of an option name files. In an experiment, files are seen from its folder, and results depend on what
/// they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// They do not.
    No,
    /// They do.
    Named,
    /// They name a file, a preset, or are the text of a file.
    NamedOrText,
}

/// What an option decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// What is read from the log: workloads that differ in it cannot share a log in memory.
    Log,
    /// Which jobs, machine and rules a log in memory becomes.
    Jobs,
    /// Nothing of the results.
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

use Caller::{Compare, Read, Replay, Run, Shape, Sweep, Workload};

/// Calls that get a log that has been read.
const WITH_LOG: &[Caller] = &[Shape, Replay, Compare];

const fn of(name: &'static str, decides: Decides) -> OptionSpec {
    OptionSpec {
        name,
        files: Files::No,
        decides,
        withheld: &[],
        needs_whole_log: None,
        in_part: None,
        stated: None,
    }
}

/// An option about how a log is read.
const fn log(name: &'static str) -> OptionSpec {
    of(name, Decides::Log)
}

/// An option about the jobs, the machine and the replay.
const fn jobs(name: &'static str) -> OptionSpec {
    of(name, Decides::Jobs)
}

/// An option that some calls lack.
const fn withheld(name: &'static str, withheld: &'static [Caller]) -> OptionSpec {
    OptionSpec { withheld, ..of(name, Decides::Nothing) }
}

impl OptionSpec {
    const fn file(self) -> OptionSpec {
        OptionSpec { files: Files::Named, ..self }
    }

    const fn file_or_text(self) -> OptionSpec {
        OptionSpec { files: Files::NamedOrText, ..self }
    }

    const fn not_in(self, withheld: &'static [Caller]) -> OptionSpec {
        OptionSpec { withheld, ..self }
    }

    const fn whole_log(self, is_given: fn(&ScenarioArgs) -> bool) -> OptionSpec {
        OptionSpec { needs_whole_log: Some(is_given), ..self }
    }

    const fn in_part(self, part: &'static str) -> OptionSpec {
        OptionSpec { in_part: Some(part), ..self }
    }

    const fn stated(self, value: fn(&ReplayFacts<'_>) -> Option<String>) -> OptionSpec {
        let name = self.name;
        self.stated_as(name, value)
    }

    const fn stated_as(
        self,
        name: &'static str,
        value: fn(&ReplayFacts<'_>) -> Option<String>,
    ) -> OptionSpec {
        OptionSpec { stated: Some(OptionCondition { name, value }), ..self }
    }
}

/// The options, in the order in which results state them.
pub const OPTIONS: &[OptionSpec] = &[
    log("from").not_in(WITH_LOG),
    log("mapping").file().not_in(WITH_LOG),
    log("log-columns").not_in(WITH_LOG),
    log("zone"),
    log("strict"),
    log("rules").file_or_text().not_in(&[Workload]).whole_log(|args| args.rules.is_some()),
    log("steps")
        .file_or_text()
        .not_in(&[Workload, Shape])
        .whole_log(|args| args.steps.is_some())
        .stated(|of| of.prepared?.steps.clone()),
    jobs("procs"),
    jobs("nodes"),
    jobs("layout"),
    jobs("task-procs"),
    jobs("machine").file(),
    jobs("capacity"),
    jobs("memory"),
    jobs("size"),
    jobs("queue-from").stated(|of| of.prepared?.held()),
    jobs("requeues")
        .whole_log(|args| args.requeues != Requeues::default())
        .stated(|of| unless_default(&of.prepared?.requeues)),
    jobs("feedback")
        .whole_log(|args| args.feedback.is_some())
        .stated(|of| of.prepared?.feedback.map(|sessions| sessions.to_string())),
    jobs("dependencies").whole_log(|args| args.dependencies != Dependencies::default()).stated(|of| {
        let closed = of.scenario.workload.conditions().len() as u64;
        (closed > 0).then(|| format!("log ({})", counted(closed, "dependent job")))
    }),
    jobs("cancel").whole_log(|args| args.cancel != Cancel::default()).stated(|of| {
        let workload = &of.scenario.workload;
        let cancelled = workload.jobs().filter(|&job| workload.patience(job).is_some()).count() as u64;
        (cancelled > 0).then(|| format!("log ({})", counted(cancelled, "job")))
    }),
    jobs("estimate")
        .whole_log(|args| matches!(args.estimate, Estimate::Phi(_) | Estimate::Tsafrir(_)))
        .in_part("phi and tsafrir"),
    jobs("overrun"),
    jobs("status"),
    jobs("running").stated(|of| unless_default(&of.reading.running)),
    jobs("drop-zero-run"),
    jobs("load").not_in(&[Sweep]).whole_log(|args| args.load != 1.0),
    jobs("scale-run"),
    jobs("events"),
    // The jobs of Slurm keep what they asked of nodes when the log is read for an installation.
    log("slurm").file().whole_log(|args| args.slurm.is_given()).stated(|of| of.prepared?.slurm.clone()),
    jobs("slurm-delays").not_in(&[Workload]),
    jobs("limits")
        .file()
        .whole_log(|args| args.usage_limits.is_some())
        .stated(|of| of.prepared?.usage_limits.clone()),
    jobs("priorities")
        .file()
        .whole_log(|args| args.priorities.is_some())
        .stated(|of| of.prepared?.priorities.clone()),
    jobs("calendar")
        .file()
        .whole_log(|args| args.calendar.is_some())
        .stated(|of| of.prepared?.calendar.clone()),
    jobs("foresight"),
    jobs("cost").stated_as("costs", |of| unless_default(&of.scenario.costs)),
    jobs("stop").whole_log(|args| args.stop != StopRule::All).stated(|of| {
        let stop = &of.scenario.stop;
        stop.is_early().then(|| stop.rule().to_string())
    }),
    jobs("interactive").whole_log(|args| args.interactive != InteractiveRule::default()).stated(|of| {
        let rule = || of.scenario.workload.interactive_rule().to_string();
        of.prepared?.tells_classes_apart.then(rule)
    }),
    jobs("seed").not_in(&[Workload, Sweep]),
    of("limit", Decides::Nothing).not_in(&[Workload, Sweep]),
    of("quiet", Decides::Nothing).not_in(&[Workload, Sweep, Read, Shape, Replay, Compare, Run]),
];

/// Options of verbs that programs call beside those of [`OPTIONS`], which they lack: arguments of the call, and output.
const OF_VERBS: &[OptionSpec] = &[
    withheld("policy", &[Replay, Compare]),
    withheld("format", &[Replay, Compare, Run]),
    withheld("schedule", &[Replay, Compare, Run]),
    withheld("out", &[Replay, Compare]),
    withheld("schedule-columns", &[Replay, Compare]),
    withheld("stream", &[Replay, Compare]),
    withheld("clairvoyant", &[Replay]),
    withheld("bounds", &[Replay]),
    withheld("threads", &[Replay]),
    withheld("output", &[Shape]),
    withheld("dry-run", &[Run]),
    withheld("key", &[Run]),
    withheld("shard", &[Run]),
];

fn unless_default<T: Default + PartialEq + fmt::Display>(value: &T) -> Option<String> {
    (*value != T::default()).then(|| value.to_string())
}

/// Returns what is known of an option of `replay`.
pub fn spec(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| option.name == name)
}

/// Whether an option always names a file.
pub fn is_file(name: &str) -> bool {
    spec(name).is_some_and(|option| option.files == Files::Named)
}

/// Whether a caller lacks an option.
pub fn is_withheld(name: &str, from: Caller) -> bool {
    let mut rows = OPTIONS.iter().chain(OF_VERBS);
    rows.any(|option| option.name == name && option.withheld.contains(&from))
}

/// Whether an option may decide what is read from a log: all that are not known to come later.
pub fn decides_log(name: &str) -> bool {
    spec(name).is_none_or(|option| option.decides == Decides::Log)
}

/// Returns the first option that was given and can only be followed with the whole log in memory.
pub fn needing_whole_log(args: &ScenarioArgs) -> Option<String> {
    let is_given = |option: &&OptionSpec| option.needs_whole_log.is_some_and(|is_given| is_given(args));
    let words = |option: &OptionSpec| match option.in_part {
        Some(part) => format!("--{} {part}", option.name),
        None => format!("--{}", option.name),
    };
    OPTIONS.iter().find(is_given).map(words)
}

/// Returns the conditions by name that differ from the defaults, besides those of log, machine and reading.
pub fn stated(of: &ReplayFacts<'_>) -> Vec<(String, String)> {
    let stated = OPTIONS.iter().filter_map(|option| option.stated);
    stated.filter_map(|OptionCondition { name, value }| Some((name.into(), value(of)?))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Args, Command};

    use super::*;
    use crate::cli::calls;

    #[test]
    fn every_option_of_a_scenario_has_one_row_and_no_row_is_of_another() {
        let command = ScenarioArgs::augment_args(Command::new("replay"));
        let options: BTreeSet<&str> = command.get_arguments().filter_map(|arg| arg.get_long()).collect();
        let rows: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
        assert_eq!(rows.iter().copied().collect::<BTreeSet<_>>(), options);
        assert_eq!(rows.len(), options.len());
    }

    #[test]
    fn what_is_withheld_is_an_option_of_the_verb() {
        for (name, verb) in calls::Verb::ALL {
            let rows = OPTIONS.iter().chain(OF_VERBS);
            let lacked = rows.filter(|option| option.withheld.contains(&verb.caller()));
            for option in lacked {
                assert!(verb.is_of_its_verb(option.name), "{name} has no option {} to lack", option.name);
            }
        }
    }

    #[test]
    fn a_file_is_known_as_one() {
        // The placeholder of an option says so too.
        let command = ScenarioArgs::augment_args(Command::new("replay"));
        for arg in command.get_arguments() {
            let Some(name) = arg.get_long() else { continue };
            let shown =
                arg.get_value_names().unwrap_or_default().iter().any(|value| value.starts_with("FILE"));
            assert_eq!(is_file(name), shown, "{name}");
        }
    }
}
