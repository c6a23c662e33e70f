//! Options of `replay` that are passed on to the experiment as they were typed.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::cli::arguments::{argument, arguments, typed};
use crate::lab::Given;
use crate::lab::options::{Caller, MEASURE, of_scenario};

/// Options that a workload of an experiment may have, `rules` and `steps` among them.
pub struct WorkloadOptions(pub Vec<Given>);

/// Options of the measurement.
pub struct Measured(pub Vec<Given>);

fn replayed() -> Vec<Arg> {
    of_scenario().filter(|option| !option.withheld.contains(&Caller::Sweep)).map(argument).collect()
}

fn measured() -> Vec<Arg> {
    arguments(&[&MEASURE])
}

impl FromArgMatches for WorkloadOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<WorkloadOptions, Error> {
        Ok(WorkloadOptions(typed(matches, replayed())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0 = typed(matches, replayed());
        Ok(())
    }
}

impl Args for WorkloadOptions {
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
