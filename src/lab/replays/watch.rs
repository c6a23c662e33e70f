//! Pitfalls of a single replay's table, in a few lines.

use std::sync::{Mutex, PoisonError};

use batchlab_policies::registry::Policies;
use batchlab_traces::sorted::SortedMap;

use crate::lab::scenario::ready_log::Prepared;
use crate::metrics::{MeasureOptions, Measurement};
use crate::outcome::Outcome;
use crate::replay::comparison::ComparedPolicy;
use crate::replay::conditions::short_name;
use crate::study::pitfalls::{
    Measures, Pitfall, Preparation, Replayed, WorkloadSetting, may_be_saturated, of_replay_in_short,
};

pub struct Watch<'a> {
    policies: &'a Policies,
    prepared: &'a Prepared,
    options: MeasureOptions,
    /// Whether replays are complete and measured completely, so that a cheap test can show that the machine kept up.
    is_whole: bool,
    measures: Measures,
    seen: Mutex<SortedMap<String, Vec<Option<f64>>>>,
}

impl<'a> Watch<'a> {
    /// Returns an observer of the replays of a log; `stops_early` is whether they may end before every job has.
    pub fn new(
        policies: &'a Policies,
        prepared: &'a Prepared,
        options: MeasureOptions,
        stops_early: bool,
    ) -> Watch<'a> {
        let is_whole = !stops_early && options.trimming() == MeasureOptions::default().trimming();
        let measures = Measures::of_saturation(&prepared.scenario.machine);
        Watch { policies, prepared, options, is_whole, measures, seen: Mutex::default() }
    }

    /// Observes a replay before it is dropped. The backlog is computed only if the machine may not have kept up.
    pub fn look(&self, compared: &ComparedPolicy, outcome: &Outcome) {
        let (workload, machine) = (&self.prepared.scenario.workload, &self.prepared.scenario.machine);
        if self.is_whole && !may_be_saturated(workload, machine, outcome) {
            return;
        }
        let Ok(measurement) = Measurement::new(workload, machine, outcome, self.options) else { return };
        let values = self.measures.values(&measurement);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(compared.label(), values);
    }

    pub fn pitfalls(self, compared_policies: &[ComparedPolicy]) -> Vec<Pitfall> {
        let prepared = self.prepared;
        let scenario = &prepared.scenario;
        let setting = WorkloadSetting::in_short(&Preparation {
            trace: &prepared.trace,
            workload: &scenario.workload,
            machine: &scenario.machine,
            reading: &prepared.reading,
            provenance: &prepared.provenance,
            findings: &prepared.findings,
            measure: &self.options,
            events: scenario.order,
        });
        let mut seen = self.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        let of = |compared: &ComparedPolicy| {
            let label = compared.label();
            let values = seen.remove(&label).unwrap_or_else(|| self.measures.nothing());
            (label, values)
        };
        let policies: Vec<(String, Vec<Option<f64>>)> = compared_policies.iter().map(of).collect();
        let name = short_name(&prepared.trace.provenance.source.name);
        let (measures, known) = (&self.measures, self.policies);
        let replayed = Replayed { name, setting: &setting, measures, policies: &policies, known };
        let mut pitfalls = of_replay_in_short(&replayed);
        // A single policy is not compared with anything.
        pitfalls.retain(|pitfall| pitfall.spec.code != "one-replay" || compared_policies.len() > 1);
        pitfalls
    }
}
