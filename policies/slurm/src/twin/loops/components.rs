//! Heterogeneous jobs, whose components start together.
//!
//! The main loop starts no component: the first component closes its partition, as a job that does not fit does. A cycle of the backfill
//! loop reserves nodes for each component at its earliest start, but not before the starts of the components that it has come to.
//! At the end of the cycle the components of a job start if each of them can start now, on different nodes.
//!
//! Source: `_het_job_start_set`, `_het_job_start_find` and `_het_job_start_test` (`backfill.c`), `_schedule` (`job_scheduler.c`) of Slurm
//! 22.05.

use std::sync::Arc;

use batchlab_traces::Time;

use crate::twin::controller::Controller;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::{Het, Waiting};
use batchlab_contract::journal::Why;
use batchlab_contract::placement::Placement;
use batchlab_contract::policy::PolicyError;
use batchlab_contract::turn::Turn;

/// A component with its earliest start.
type Found = (Arc<Waiting>, Time);

/// What a cycle has found for components: the earliest starts of the components of each job, in the order in which the cycle came to
/// them; [`Time::FARTHEST`] for a component without a start in the window.
#[derive(Clone, Debug, Default)]
pub(super) struct Components(Vec<(Het, Vec<Found>)>);

impl Components {
    /// Returns the instant before which a component does not start, as others of its job cannot.
    pub(super) fn floor(&self, job: &Waiting) -> Time {
        let of_job = self.0.iter().filter(|(het, _)| Some(het.number) == job.het.map(|het| het.number));
        let others = of_job.flat_map(|(_, found)| found).filter(|(other, _)| other.job != job.job);
        others.map(|(_, start)| *start).max().unwrap_or(Time::ZERO)
    }

    pub(super) fn note(&mut self, job: &Arc<Waiting>, start: Time) {
        let Some(het) = job.het else { return };
        let at = self.0.iter().position(|(known, _)| known.number == het.number);
        let at = at.unwrap_or_else(|| {
            self.0.push((het, Vec::new()));
            self.0.len() - 1
        });
        let found = &mut self.0[at].1;
        match found.iter_mut().find(|(other, _)| other.job == job.job) {
            Some(known) => known.1 = start,
            None => found.push((job.clone(), start)),
        }
    }

    /// Returns the jobs whose components can all start now, given how many components of each job have started.
    fn ready(self, now: Time, started: impl Fn(i64) -> usize) -> Vec<Vec<Arc<Waiting>>> {
        let is_ready = |(het, found): &(Het, Vec<Found>)| {
            let left = het.count.saturating_sub(started(het.number));
            found.len() >= left && found.iter().all(|(_, start)| *start <= now)
        };
        let ready = self.0.into_iter().filter(is_ready);
        ready.map(|(_, found)| found.into_iter().map(|(job, _)| job).collect()).collect()
    }

    /// Starts the jobs whose components can all start now; called at the end of a cycle.
    pub(super) fn start(self, controller: &mut Controller, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let ready = self.ready(turn.now(), |het| controller.started_components(het));
        for jobs in ready {
            let Some(placements) = placed_together(controller, turn, &jobs) else { continue };
            for (job, placement) in jobs.iter().zip(&placements) {
                controller.launch(turn, job, placement, Why::Profile)?;
            }
        }
        Ok(())
    }
}

/// Returns the nodes of the components of a job, each on nodes of its own; `None` if they do not fit or may not start.
fn placed_together(
    controller: &mut Controller,
    turn: &mut Turn<'_>,
    jobs: &[Arc<Waiting>],
) -> Option<Vec<Placement>> {
    let mut taken = NodeSet::empty(controller.nodes());
    let mut before = controller.hypothesis().would_run();
    let mut placements = Vec::new();
    for job in jobs {
        if !controller.is_allowed(turn, job) {
            return None;
        }
        let mut nodes = controller.allocations().usable(turn, job);
        nodes.subtract(&taken);
        let placement = controller.allocations_mut().now(job, &nodes, turn.now())?;
        let nodes = placement.0.len() as i64;
        if !turn.is_within_limits((job.job, Some(nodes)), &before) {
            return None;
        }
        taken.unite(&controller.allocations().nodes_of(&placement));
        before.push((job.job, nodes));
        placements.push(placement);
    }
    Some(placements)
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
        let at = Time::from_secs;
        components.note(&one, at(50));
        components.note(&lone, at(10));
        assert_eq!((components.floor(&other), components.floor(&one)), (at(50), Time::ZERO));
        components.note(&other, at(60));
        assert_eq!(components.floor(&one), at(60));
        let ready = |started: usize, now| {
            let ready = components.clone().ready(now, |het| if het == 8 { started } else { 0 });
            ready.iter().map(|jobs| jobs.iter().map(|job| job.job.0).collect()).collect::<Vec<Vec<u32>>>()
        };
        assert_eq!(ready(0, at(59)), Vec::<Vec<u32>>::new());
        assert_eq!(ready(0, at(60)), [[1, 2]], "one component of job 8 is missing");
        assert_eq!(ready(1, at(60)), [vec![1, 2], vec![3]], "the other one has started");
    }
}
