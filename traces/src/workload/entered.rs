//! The jobs of a replay in which the order of entry depends on the schedule.

use std::sync::Arc;

use super::interactive::Interactive;
use super::{Dependency, JobId, Preceding, Workload};
use crate::time::Time;

impl Workload {
    /// Returns a workload without jobs, to be filled by [`Workload::enter`] with jobs of this one.
    #[must_use]
    pub fn before_entries(&self) -> Workload {
        let interactive = self.interactive.as_ref();
        let rule = |known: &Arc<Interactive>| {
            Arc::new(Interactive { rule: known.rule.clone(), members: Vec::new() })
        };
        Workload {
            kinds: self.kinds,
            killed_at_limit: self.killed_at_limit,
            task_procs: self.task_procs,
            meanings: self.meanings.clone(),
            sites: self.sites.without_jobs(),
            tiers: self.tiers.clone(),
            interactive: interactive.map(rule),
            ..Workload::default()
        }
    }

    /// Adds a job of another workload, which enters the queue at an instant that is not before that of the last job
    /// added. Returns its identity here: its position in the order of entry. O(resources).
    pub fn enter(&mut self, of: &Workload, job: JobId, at: Time) -> JobId {
        let entered = self.end();
        // A job that waited before the replay has waited since its submission.
        let has_waited = !of.seen.is_empty() && of.condition(job).is_none();
        self.submit.push(if has_waited { of.submit(job).min(at) } else { at });
        self.submitted.push(of.submitted(job));
        self.run.push(of.run(job));
        self.estimate.push(of.estimate(job));
        self.demand.extend_from_slice(of.demand(job));
        self.rows.push(of.rows[of.position(job)]);
        self.numbers.push(of.numbers.get(of.position(job)));
        for (own, other) in self.attributes.iter_mut().zip(&of.attributes) {
            own.push(other.get(of.position(job)));
        }
        if !of.memory.is_empty() {
            self.memory.push(of.memory[of.position(job)]);
        }
        if of.has_own_layouts() {
            self.layouts.push(of.layout(job));
        }
        if of.has_cancellations() {
            self.patience.push(of.patience(job).unwrap_or(Time::MAX));
        }
        let condition = of.condition(job).map_or(&[][..], |condition| &condition.on);
        let preceding = |on: &Dependency| Preceding { number: of.number(on.on), milestone: on.milestone };
        self.preceding.push(condition.iter().map(preceding).collect());
        self.sites.push(&of.sites, of.position(job));
        if let Some(known) = &mut self.interactive {
            Arc::make_mut(known).members.push(of.is_interactive(job));
        }
        entered
    }
}
