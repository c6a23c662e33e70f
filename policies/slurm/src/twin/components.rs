//! Heterogeneous jobs, whose components start together.
//!
//! The main loop starts no component: the first one closes its partition, as a job that does not fit does. A cycle of the backfill
//! loop reserves nodes for each component at its earliest start, but not before the starts of the components that it has come to.
//! At the end of the cycle the components of a job start if each of them can start now, on different nodes.
//!
//! Source: `_het_job_start_set`, `_het_job_start_find` and `_het_job_start_test` (`backfill.c`), `_schedule` (`job_scheduler.c`) of Slurm
//! 22.05.

use std::collections::BTreeMap;
use std::sync::Arc;

use batchlab_traces::Time;

use super::controller::Twin;
use super::node_set::NodeSet;
use super::queue::{Het, Waiting};
use batchlab_policies::journal::Why;
use batchlab_policies::placement::Placement;
use batchlab_policies::policy::PolicyError;
use batchlab_policies::turn::Turn;

/// A component with its earliest start.
type Found = (Arc<Waiting>, Time);

/// What a cycle has found for components, and which ones have started.
#[derive(Clone, Debug, Default)]
pub(super) struct Components {
    /// The earliest starts of the components of each job, in the order in which the cycle came to them; [`Time::FARTHEST`] for
    /// one without a start in the window.
    found: Vec<(Het, Vec<Found>)>,
    /// How many components of a job have started.
    started: BTreeMap<i64, usize>,
}

impl Components {
    /// A cycle begins.
    pub(super) fn begin(&mut self) {
        self.found.clear();
    }

    /// Returns the instant before which a component does not start, as others of its job cannot.
    pub(super) fn floor(&self, job: &Waiting) -> Time {
        let of_job = self.found.iter().filter(|(het, _)| Some(het.number) == job.het.map(|het| het.number));
        let others = of_job.flat_map(|(_, found)| found).filter(|(other, _)| other.job != job.job);
        others.map(|(_, start)| *start).max().unwrap_or(Time::ZERO)
    }

    /// Notes the earliest start of a component.
    pub(super) fn note(&mut self, job: &Arc<Waiting>, start: Time) {
        let Some(het) = job.het else { return };
        let at = self.found.iter().position(|(known, _)| known.number == het.number);
        let at = at.unwrap_or_else(|| {
            self.found.push((het, Vec::new()));
            self.found.len() - 1
        });
        let found = &mut self.found[at].1;
        match found.iter_mut().find(|(other, _)| other.job == job.job) {
            Some(known) => known.1 = start,
            None => found.push((job.clone(), start)),
        }
    }

    /// Notes that a job has started.
    pub(super) fn start(&mut self, job: &Waiting) {
        if let Some(het) = job.het {
            *self.started.entry(het.number).or_default() += 1;
        }
    }

    /// Takes the jobs whose components can all start now.
    fn take_ready(&mut self, now: Time) -> Vec<Vec<Arc<Waiting>>> {
        let found = std::mem::take(&mut self.found);
        let is_ready = |(het, found): &(Het, Vec<Found>)| {
            let left = het.count.saturating_sub(self.started.get(&het.number).copied().unwrap_or(0));
            found.len() >= left && found.iter().all(|(_, start)| *start <= now)
        };
        let ready = found.into_iter().filter(is_ready);
        ready.map(|(_, found)| found.into_iter().map(|(job, _)| job).collect()).collect()
    }
}

impl Twin {
    /// Starts the jobs whose components can all start now; called at the end of a cycle.
    pub(super) fn start_together(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        for jobs in self.components.take_ready(turn.now()) {
            let Some(placements) = self.places_together(turn, &jobs) else { continue };
            for (job, placement) in jobs.iter().zip(&placements) {
                self.launch(turn, job, placement, Why::Profile)?;
            }
        }
        Ok(())
    }

    /// Returns the nodes of the components of a job, each on nodes of its own; `None` if they do not fit or may not start.
    fn places_together(&mut self, turn: &mut Turn<'_>, jobs: &[Arc<Waiting>]) -> Option<Vec<Placement>> {
        let mut taken = NodeSet::empty(self.space.nodes());
        let mut before = self.would_run();
        let mut placements = Vec::new();
        for job in jobs {
            if !self.is_allowed(turn, job) {
                return None;
            }
            let mut nodes = self.usable(turn, job);
            nodes.subtract(&taken);
            let held = self.hold_cores(turn.now(), job);
            let placement = self.space.now(job, &nodes);
            self.give_back(held);
            let placement = placement?;
            let nodes = placement.0.len() as i64;
            if !turn.is_within_limits((job.job, Some(nodes)), &before) {
                return None;
            }
            taken.unite(&self.nodes_of(&placement));
            before.push((job.job, nodes));
            placements.push(placement);
        }
        Some(placements)
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::{JobId, Layout};

    use super::*;

    fn component(job: u32, number: i64) -> Arc<Waiting> {
        let het = Some(Het { number, count: 2 });
        Arc::new(Waiting { job: JobId(job), het, ..Waiting::of_tasks(Layout::of_tasks(4, 1), 0) })
    }

    #[test]
    fn a_component_waits_for_the_others_and_all_start_at_once() {
        let (one, other, lone) = (component(1, 7), component(2, 7), component(3, 8));
        let mut components = Components::default();
        components.begin();
        let at = Time::from_secs;
        components.note(&one, at(50));
        components.note(&lone, at(10));
        assert_eq!((components.floor(&other), components.floor(&one)), (at(50), Time::ZERO));
        components.note(&other, at(60));
        assert_eq!(components.floor(&one), at(60));
        let ready = |components: &Components, now| {
            let ready = components.clone().take_ready(now);
            ready.iter().map(|jobs| jobs.iter().map(|job| job.job.0).collect()).collect::<Vec<Vec<u32>>>()
        };
        assert_eq!(ready(&components, at(59)), Vec::<Vec<u32>>::new());
        assert_eq!(ready(&components, at(60)), [[1, 2]], "one component of job 8 is missing");
        components.start(&component(4, 8));
        assert_eq!(ready(&components, at(60)), [vec![1, 2], vec![3]], "the other one has started");
    }
}
