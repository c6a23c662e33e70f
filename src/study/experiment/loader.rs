//! The interface through which an experiment gets its workloads.

use batchlab_support::spec::Chosen;
use batchlab_traces::expr::Vocabulary;
use batchlab_traces::{Findings, Provenance, Reading, Time, Trace};

use super::frame::UnitKind;
use super::workload::WorkloadSpec;
use batchlab_engine::metrics::MeasureOptions;
use batchlab_engine::replay::Conditions;
use batchlab_engine::replay::conditions::replaced;
use batchlab_engine::replay::engine::Scenario;

/// Reads and makes workloads: the same workload, unit and seed give the same jobs on any thread.
pub trait Loader: Sync {
    /// The reason why a workload cannot be loaded.
    type Error: Send + From<super::PlanError>;

    /// Determines the units of a workload and the files that it is made of.
    fn survey(&self, workload: &WorkloadSpec, seed: u64) -> Result<Survey, Self::Error>;

    /// Loads one unit; `unit` is one of the survey's numbers.
    fn load(&self, workload: &WorkloadSpec, unit: u32, seed: u64) -> Result<Loaded, Self::Error>;

    /// Returns the most replays that an experiment may have: each takes memory as soon as it is planned.
    fn most_replays(&self) -> u64 {
        u64::MAX
    }

    /// Returns hashes of the files that carry a policy and the policies within it: none for what is built in.
    fn plugins(&self, _: &Chosen) -> Vec<String> {
        Vec::new()
    }

    /// Loads the log from which the units are cut; `None` if they are not cut from a log.
    fn whole(&self, _: &WorkloadSpec, _: u64) -> Result<Option<Loaded>, Self::Error> {
        Ok(None)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    pub kind: UnitKind,
    /// The numbers of the units, ascending; only 0 for one replay.
    pub units: Vec<u32>,
    /// What the workload is made of besides its spec: hashes of the files that it reads.
    pub identity: Vec<String>,
    pub notes: Vec<String>,
}

/// One unit of a workload.
pub struct Loaded {
    /// The log, cleaned and shaped.
    pub trace: Trace,
    pub scenario: Scenario,
    pub reading: Reading,
    pub findings: Findings,
    pub provenance: Provenance,
    /// Time simulated before a window; `None` means the experiment's own prefix.
    pub prefix: Option<Time>,
    /// Conditions by name that differ from the defaults, besides those of log, machine and reading.
    pub further: Vec<(String, String)>,
}

impl Loaded {
    /// Returns the names that conditions of classes may use.
    pub fn vocabulary(&self) -> Vocabulary {
        Vocabulary::jobs(&self.scenario.machine).named(&self.trace.header).dated(self.trace.calendar)
    }

    pub fn conditions(&self, options: MeasureOptions) -> Conditions {
        let Scenario { workload, machine, order, .. } = &self.scenario;
        let conditions =
            Conditions::new(&self.trace, workload, machine, &self.reading, order.to_string(), options);
        let replaced = replaced(&self.trace, workload, &self.reading, &self.findings);
        Conditions { replaced, further: self.further.clone(), ..conditions }
    }
}
