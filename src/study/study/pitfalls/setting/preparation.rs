//! What a workload was prepared from.

use batchlab_traces::{Findings, Machine, Provenance, Reading, Trace, Workload};

use batchlab_engine::metrics::MeasureOptions;
use batchlab_engine::replay::engine::EventOrder;

/// The parts from which a workload was prepared.
#[derive(Clone, Copy, Debug)]
pub struct Preparation<'a> {
    /// The log as it was replayed: after rules and steps.
    pub trace: &'a Trace,
    pub workload: &'a Workload,
    pub machine: &'a Machine,
    pub reading: &'a Reading,
    pub provenance: &'a Provenance,
    pub findings: &'a Findings,
    pub measure: &'a MeasureOptions,
    pub events: EventOrder,
}

impl Preparation<'_> {
    /// Returns the number of jobs touched by the steps whose names begin with a text.
    pub(super) fn done(&self, beginning: &str) -> u64 {
        let steps = self.provenance.steps.iter().filter(|step| step.name.starts_with(beginning));
        steps.map(|step| step.count).sum()
    }
}
