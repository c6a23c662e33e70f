//! Options of `replay` that are passed on to the experiment as they were typed.

use clap::{Arg, ArgMatches, Args, Command, CommandFactory, Error, FromArgMatches, Parser};

use crate::cli::given::{Given, typed};
use crate::cli::measure::MeasureArgs;
use crate::cli::options::{Caller, is_withheld};
use crate::cli::run::options;

/// Options that a workload of an experiment may have, `rules` and `steps` among them.
pub struct Replayed(pub Vec<Given>);

/// Options of the measurement.
pub struct Measured(pub Vec<Given>);

#[derive(Parser)]
struct MeasureLine {
    #[command(flatten)]
    measure: MeasureArgs,
}

fn replayed() -> Vec<Arg> {
    let is_passed_on = |arg: &Arg| arg.get_long().is_some_and(|name| !is_withheld(name, Caller::Sweep));
    options::arguments().into_iter().filter(is_passed_on).collect()
}

fn measured() -> Vec<Arg> {
    MeasureLine::command().get_arguments().filter(|arg| arg.get_long().is_some()).cloned().collect()
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
