//! External inputs of steps.

use super::error::StepError;
use crate::trace::Trace;

/// The caller's inputs: the seed, other logs, measurements.
pub struct Context<'a> {
    /// Seed of all draws.
    pub seed: u64,
    /// Reads another log, by the name that a step gives.
    pub log: &'a dyn Fn(&str) -> Result<Trace, String>,
    /// Measures the value that a calibration aims at.
    pub measure: &'a dyn Fn(&Trace, &Target) -> Result<f64, String>,
}

/// The target of a calibration.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // The names say the rest.
pub struct Target {
    pub policy: String,
    pub metric: String,
    pub value: f64,
}

pub(super) struct Env<'a> {
    pub context: &'a Context<'a>,
    /// Its position among the steps of its kind, from 1, so that two steps of a kind draw different numbers.
    pub ordinal: usize,
    /// The part of a split trace that it works on; empty for a whole trace.
    pub part: &'a str,
}

impl Env<'_> {
    /// Returns the name of a random stream of the step, for draws that are keyed by job.
    pub fn stream(&self, what: &str) -> String {
        match self.ordinal {
            1 => format!("shape {what}"),
            ordinal => format!("shape {what} #{ordinal}"),
        }
    }

    /// Returns the name of a random stream of the step, for draws about the trace as a whole.
    pub fn part_stream(&self, what: &str) -> String {
        let stream = self.stream(what);
        if self.part.is_empty() { stream } else { format!("{stream} part {}", self.part) }
    }

    /// Reads another log.
    pub fn log(&self, name: &str) -> Result<Trace, StepError> {
        (self.context.log)(name).map_err(StepError::Log)
    }
}
