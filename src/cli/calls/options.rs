//! Options of calls: those of the verbs, without the ones about output.

use std::path::PathBuf;

use batchlab_traces::nearest::{meant, nearest};
use clap::{Arg, ArgAction, Args, Command, FromArgMatches};

use super::{Call, Reading};
use crate::cli::options::{Caller, is_withheld};
use crate::cli::replay::Replay;
use crate::cli::run::Run;
use crate::cli::run::options::first_words;
use crate::cli::shape::Shape;
use crate::cli::{Failure, Given, outputs, with_formats};

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Reading a log.
    Read,
    /// Shaping a log.
    Shape,
    /// Replaying a log under a policy.
    Replay,
    /// Replaying a log under several policies.
    Compare,
    /// Running an experiment.
    Run,
}

impl Verb {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Verb); 5] = [
        ("read", Verb::Read),
        ("shape", Verb::Shape),
        ("replay", Verb::Replay),
        ("compare", Verb::Compare),
        ("run", Verb::Run),
    ];

    /// Returns the caller whose options these are.
    pub fn caller(self) -> Caller {
        match self {
            Verb::Read => Caller::Read,
            Verb::Shape => Caller::Shape,
            Verb::Replay => Caller::Replay,
            Verb::Compare => Caller::Compare,
            Verb::Run => Caller::Run,
        }
    }

    fn command(self) -> Command {
        let bare = Command::new("batchlab").no_binary_name(true).disable_help_flag(true);
        match self {
            Verb::Read => Reading::augment_args(bare),
            Verb::Shape => Shape::augment_args(bare),
            Verb::Replay | Verb::Compare => Replay::augment_args(bare),
            Verb::Run => Run::augment_args(bare),
        }
    }

    /// Whether the verb has an option of a name, which its calls may lack.
    #[cfg(test)]
    pub fn is_of_its_verb(self, name: &str) -> bool {
        self.command().get_arguments().any(|arg| arg.get_long() == Some(name))
    }

    fn has(self, arg: &Arg) -> bool {
        arg.get_long().is_some_and(|name| !is_withheld(name, self.caller()))
    }
}

/// An option of a call.
#[derive(Clone, Debug)]
pub struct CallOption {
    /// Its name, with underscores.
    pub name: String,
    /// What it is, in a sentence or two.
    pub help: String,
    /// Whether it is on or off.
    pub is_flag: bool,
    /// Whether it may have several values.
    pub is_list: bool,
}

/// Returns the options of a call, in the order of the verb's help.
pub fn option_list(verb: Verb) -> Vec<CallOption> {
    let option = |arg: &Arg| CallOption {
        name: arg.get_long().unwrap_or_default().replace('-', "_"),
        help: arg.get_help().map(ToString::to_string).unwrap_or_default(),
        is_flag: is_flag(arg),
        is_list: matches!(arg.get_action(), ArgAction::Append),
    };
    verb.command().get_arguments().filter(|arg| verb.has(arg)).map(option).collect()
}

fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

impl Call<'_> {
    /// Returns the files that a call reads: those of its options, and its log and the plug-ins of its policies.
    pub(super) fn inputs(&self, verb: Verb, trace: &str, policies: &[String]) -> Vec<PathBuf> {
        let command = with_formats(self.registry, verb.command());
        let arg = |name: &str| {
            let long = name.replace('_', "-");
            command.get_arguments().find(|arg| arg.get_long() == Some(&long))
        };
        let given = self.options.iter().filter_map(|given| Some((arg(&given.name)?, &given.values)));
        let pairs = given.flat_map(|(arg, values)| values.iter().map(move |value| (arg, &value[..])));
        outputs::inputs(pairs, [trace], policies.iter().map(String::as_str))
    }

    /// Parses the options after `first` words, as the command line does. Names may have underscores for dashes. A list
    /// for an option with one value is joined by commas.
    pub(super) fn parse<T: FromArgMatches>(&self, verb: Verb, first: Vec<String>) -> Result<T, Failure> {
        let command = with_formats(self.registry, verb.command());
        let mut words = first;
        for Given { name, values } in self.options {
            let long = name.replace('_', "-");
            let known = || command.get_arguments().filter(|arg| verb.has(arg));
            let Some(arg) = known().find(|arg| arg.get_long() == Some(&long)) else {
                let names = known().filter_map(Arg::get_long);
                let meant = meant(nearest(&long, names)).replace('-', "_");
                return Err(Failure::Usage(format!("unknown option `{name}`{meant}")));
            };
            match arg.get_action() {
                ArgAction::SetTrue => match &values[..] {
                    [value] if value == "true" => words.push(format!("--{long}")),
                    [value] if value == "false" => {}
                    _ => return Err(Failure::Usage(format!("`{name}` is true or false"))),
                },
                ArgAction::Append => words.extend(values.iter().map(|value| format!("--{long}={value}"))),
                _ => words.push(format!("--{long}={}", values.join(","))),
            }
        }
        let matches = command.try_get_matches_from(words);
        let parsed = matches.and_then(|matches| T::from_arg_matches(&matches));
        parsed.map_err(|error| Failure::Usage(first_words(&error)))
    }
}
