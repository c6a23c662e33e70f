//! What a replay produced: when every job started and ended, where it was, and what became of it.

mod places;
mod slices;

use std::collections::BTreeMap;

pub use batchlab_policies::cluster::record::{Epoch, Service};
use batchlab_traces::{JobId, Time};
pub use places::Places;

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Ran for its whole run time.
    Finished,
    /// Was killed by the policy.
    Killed,
}

/// What happened to a job during an interval of a time-shared schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalKind {
    /// It ran at the interval's rate.
    Run,
    /// It was resident but paused.
    Paused,
    /// It had its processors, and they switched from other jobs to it.
    Switch,
    /// It had its processors, and waited for a checkpoint or a restart, its own or that of the job before it.
    Migrate,
    /// It was being swapped out or in.
    Swap,
}

/// A stretch of a job's life on the machine; recorded only where jobs do not simply run from start to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The job.
    pub job: JobId,
    /// From this instant.
    pub from: Time,
    /// Until this instant.
    pub to: Time,
    /// The rate, 1 being full speed.
    pub rate: f64,
    /// What it did.
    pub kind: IntervalKind,
}

/// The outcome of one replay; metrics read nothing but this and the workload.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// First start of each job, by [`JobId`].
    pub start: Vec<Time>,
    /// End of each job, by [`JobId`].
    pub end: Vec<Time>,
    /// Fate of each job, by [`JobId`]; empty when all finished.
    pub fate: Vec<Fate>,
    /// Stretches of jobs' lives, in the order in which they ended; empty in plain space sharing. What jobs did while
    /// rows took turns is in [`Outcome::epochs`]; [`Outcome::all_intervals`] has both.
    pub intervals: Vec<Interval>,
    /// Times in which rows took turns, in order.
    pub epochs: Vec<Epoch>,
    /// What became of each job's time on the machine, by [`JobId`]; empty in plain space sharing.
    pub services: Vec<Service>,
    /// Whether jobs were placed on processors, by their numbers ([`Machine::by_processor`]), and places say so.
    ///
    /// [`Machine::by_processor`]: batchlab_traces::Machine::by_processor
    pub by_processor: bool,
    /// Nodes of each job; empty on a pool.
    pub places: Places,
    /// How often the policy was asked.
    pub decisions: u64,
    /// What the policy counted, by name (slipped reservations, corrected predictions).
    pub tallies: BTreeMap<&'static str, u64>,
    /// Choices by score and how many of them were ties, by what was chosen (host choices).
    pub ties: BTreeMap<&'static str, (u64, u64)>,
}

impl Outcome {
    /// Returns the first start of a job.
    pub fn start(&self, job: JobId) -> Time {
        self.start[job.index()]
    }

    /// Returns the end of a job.
    pub fn end(&self, job: JobId) -> Time {
        self.end[job.index()]
    }

    /// Returns the fate of a job.
    pub fn fate(&self, job: JobId) -> Fate {
        self.fate.get(job.index()).copied().unwrap_or(Fate::Finished)
    }
}
