//! Options of `replay` that are passed on to the experiment as they were typed.

use clap::{ArgMatches, Error};

use crate::cli::arguments::{Argument, Arguments, argument, typed};
use crate::lab::Given;
use crate::lab::options::{Caller, of_scenario};
use crate::lab::settings::measure::MeasureSettings;

/// Options that a workload of an experiment may have, `rules` and `steps` among them.
pub struct WorkloadOptions(pub Vec<Given>);

/// Options of the measurement.
pub struct Measured(pub Vec<Given>);

impl Arguments for WorkloadOptions {
    fn arguments() -> Vec<Argument> {
        of_scenario().filter(|option| !option.withheld.contains(&Caller::Sweep)).map(argument).collect()
    }

    fn of(matches: &ArgMatches) -> Result<WorkloadOptions, Error> {
        Ok(WorkloadOptions(typed(matches, WorkloadOptions::arguments())))
    }
}

impl Arguments for Measured {
    fn arguments() -> Vec<Argument> {
        MeasureSettings::arguments()
    }

    fn of(matches: &ArgMatches) -> Result<Measured, Error> {
        Ok(Measured(typed(matches, Measured::arguments())))
    }
}
