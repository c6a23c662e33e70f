//! Options of `replay` that are passed on to the experiment as they were typed.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, Error, FromArgMatches, Parser};

use crate::cli::measure::MeasureArgs;
use crate::cli::run::options;

/// An option as typed: its name, and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Name without the dashes.
    pub name: String,
    /// Its values; `true` for a flag.
    pub values: Vec<String>,
}

/// Options that a workload of an experiment may have, `rules` and `steps` among them.
pub struct Replayed(pub Vec<Given>);

/// Options of the measurement.
pub struct Measured(pub Vec<Given>);

/// Options that the sweep itself determines.
const OWN: [&str; 4] = ["load", "seed", "quiet", "limit"];

#[derive(Parser)]
struct MeasureLine {
    #[command(flatten)]
    measure: MeasureArgs,
}

fn replayed() -> Vec<Arg> {
    let is_passed_on = |arg: &Arg| arg.get_long().is_some_and(|name| !OWN.contains(&name));
    options::arguments().into_iter().filter(is_passed_on).collect()
}

fn measured() -> Vec<Arg> {
    MeasureLine::command().get_arguments().filter(|arg| arg.get_long().is_some()).cloned().collect()
}

/// Returns those of some options that were typed, with their values.
fn typed(matches: &ArgMatches, args: Vec<Arg>) -> Vec<Given> {
    let given = |arg: Arg| {
        let id = arg.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            return None;
        }
        let name = arg.get_long()?.to_owned();
        let raw = matches.get_raw(id).into_iter().flatten();
        let values = match arg.get_action() {
            ArgAction::SetTrue => vec!["true".to_owned()],
            _ => raw.map(|value| value.to_string_lossy().into_owned()).collect(),
        };
        Some(Given { name, values })
    };
    args.into_iter().filter_map(given).collect()
}

impl FromArgMatches for Replayed {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Replayed, Error> {
        Ok(Replayed(typed(matches, replayed())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0 = typed(matches, replayed());
        Ok(())
    }
}

impl Args for Replayed {
    fn augment_args(command: Command) -> Command {
        command.args(replayed())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Measured {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Measured, Error> {
        Ok(Measured(typed(matches, measured())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0 = typed(matches, measured());
        Ok(())
    }
}

impl Args for Measured {
    fn augment_args(command: Command) -> Command {
        command.args(measured())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
