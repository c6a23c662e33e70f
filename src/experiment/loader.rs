//! What an experiment gets from outside: its workloads, ready to be replayed.

use batchlab_traces::expr::Vocabulary;
use batchlab_traces::{Findings, Provenance, Reading, Time, Trace};

use super::frame::UnitKind;
use super::workload::WorkloadSpec;
use crate::metrics::MeasureOptions;
use crate::replay::Conditions;
use crate::replay::engine::Scenario;

/// Reads and makes workloads.
///
/// The same workload, unit and seed give the same jobs, on whatever thread.
pub trait Loader: Sync {
    /// Why a workload cannot be had.
    type Error: Send + From<super::PlanError>;

    /// Finds out what units a workload has and what it is made of.
    ///
    /// # Errors
    /// When it cannot be read, or is not what it must be.
    fn survey(&self, workload: &WorkloadSpec, seed: u64) -> Result<Survey, Self::Error>;

    /// Loads one unit; `unit` is a number of the survey's.
    ///
    /// # Errors
    /// When it cannot be read, or has no jobs to replay.
    fn load(&self, workload: &WorkloadSpec, unit: u32, seed: u64) -> Result<Loaded, Self::Error>;

    /// Returns how many replays an experiment may have: each takes memory as soon as it is planned.
    fn most_replays(&self) -> u64 {
        u64::MAX
    }

    /// Loads what the units are cut from; `None` where they are cut from nothing.
    ///
    /// # Errors
    /// As [`Loader::load`].
    fn whole(&self, _: &WorkloadSpec, _: u64) -> Result<Option<Loaded>, Self::Error> {
        Ok(None)
    }
}

/// What units a workload has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// What a unit is.
    pub kind: UnitKind,
    /// Their numbers, ascending; 0 alone for one replay.
    pub units: Vec<u32>,
    /// What the workload is made of, beside what its spec says: hashes of the files that it reads.
    pub identity: Vec<String>,
    /// What is to be said about the cut, in sentences.
    pub notes: Vec<String>,
}

/// One unit of a workload.
pub struct Loaded {
    /// The log, cleaned and shaped.
    pub trace: Trace,
    /// Jobs, machine, event order.
    pub scenario: Scenario,
    /// How the log was read.
    pub reading: Reading,
    /// What was odd about the log and its jobs.
    pub findings: Findings,
    /// Where the jobs come from.
    pub provenance: Provenance,
    /// Simulated before a window; `None` where the experiment's own prefix holds.
    pub prefix: Option<Time>,
    /// Conditions beside those of log, machine and reading that differ from the defaults, by name.
    pub further: Vec<(String, String)>,
}

impl Loaded {
    /// Returns what conditions of classes may use.
    pub fn vocabulary(&self) -> Vocabulary {
        Vocabulary::jobs(&self.scenario.machine).named(&self.trace.header).dated(self.trace.calendar)
    }

    /// Returns the conditions of the results.
    pub fn conditions(&self, options: MeasureOptions) -> Conditions {
        let Scenario { workload, machine, order, .. } = &self.scenario;
        let conditions =
            Conditions::new(&self.trace, workload, machine, &self.reading, order.to_string(), options);
        Conditions { further: self.further.clone(), ..conditions }
    }
}
