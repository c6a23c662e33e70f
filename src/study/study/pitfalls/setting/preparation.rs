//! What a workload was prepared from.

use batchlab_traces::{Findings, Machine, Provenance, Reading, Trace, Workload};

use batchlab_engine::metrics::MeasureOptions;
use batchlab_engine::replay::engine::EventOrder;

/// The parts from which a workload was prepared.
#[derive(Clone, Copy, Debug)]
pub struct Preparation<'a> {
    /// The log as it was replayed: after rules and steps.
    pub trace: &'a Trace,
    /// Its jobs.
    pub workload: &'a Workload,
    /// The machine.
    pub machine: &'a Machine,
    /// The rules by which rows became jobs.
    pub reading: &'a Reading,
    /// What was done to log and jobs.
    pub provenance: &'a Provenance,
    /// What was found in log and jobs.
    pub findings: &'a Findings,
    /// Options of the measurement.
    pub measure: &'a MeasureOptions,
    /// Order of simultaneous events.
    pub events: EventOrder,
}

impl Preparation<'_> {
    /// Returns the number of jobs touched by the steps whose names begin with a text.
    pub(super) fn done(&self, beginning: &str) -> u64 {
        let steps = self.provenance.steps.iter().filter(|step| step.name.starts_with(beginning));
        steps.map(|step| step.count).sum()
    }
}
