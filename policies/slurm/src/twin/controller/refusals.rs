//! The jobs that the controller refuses, since no loop would ever start them.

use batchlab_contract::policy::PolicyError;
use batchlab_contract::turn::Turn;
use batchlab_traces::{JobId, Time};

use super::Controller;
use crate::twin::heard::Heard;

impl Controller {
    pub(in crate::twin) fn reject_refused(
        &mut self,
        turn: &mut Turn<'_>,
        heard: &mut Heard,
    ) -> Result<(), PolicyError> {
        let nodes = self.allocations.spaces().all();
        let why = |&job: &JobId| Some((job, self.admission.refuses(self.queue.of(job), nodes)?));
        let refused: Vec<(JobId, &str)> = heard.submitted.iter().filter_map(why).collect();
        for (job, why) in refused {
            heard.submitted.retain(|&other| other != job);
            self.queue.remove(job);
            turn.reject_as(job, why)?;
        }
        Ok(())
    }

    /// Rejects the jobs that have not started after all loops have looked at the empty machine, with nothing to come that would
    /// change it for them: no rule lets them start, and they would wait for ever.
    pub(in crate::twin) fn reject_stuck(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let now = turn.now();
        let comes = self.requeued.next().or(self.choosy.next()).or(self.changed.next()).is_some()
            || self.allocations.reservations().edges().any(|edge| edge > now);
        let held = self.changed.held();
        let waits = !self.queue.is_empty() || !held.is_empty();
        if comes || !waits || !self.stays_empty(turn) {
            self.stall.end();
            return Ok(());
        }
        let state = (self.allocations.spaces().all().generation(), self.queue.len() + held.len());
        let Some(entered_by) = self.stall.go_on(state, now) else { return Ok(()) };
        let stuck = self.queue.iter().filter(|job| job.entered <= entered_by);
        let stuck: Vec<JobId> = stuck.map(|job| job.job).chain(held.iter().copied()).collect();
        self.give_up(turn, &stuck)
    }

    /// Whether no job runs, and no node comes back.
    pub(in crate::twin) fn stays_empty(&self, turn: &Turn<'_>) -> bool {
        let now = turn.now();
        let changes = || turn.foreseen().iter().any(|closure| closure.to > now && closure.to < Time::MAX);
        self.allocations.is_idle() && !changes()
    }

    /// Rejects jobs for which the empty machine has no room.
    pub(in crate::twin) fn give_up(
        &mut self,
        turn: &mut Turn<'_>,
        jobs: &[JobId],
    ) -> Result<(), PolicyError> {
        for &job in jobs {
            self.queue.remove(job);
            self.changed.leaves(job);
            turn.reject_as(job, "no rule lets it start on the empty machine")?;
        }
        Ok(())
    }
}
