//! When the loops run.

use batchlab_contract::policy::PolicyError;
use batchlab_contract::turn::Turn;
use batchlab_traces::Time;

use super::Controller;
use crate::twin::clock::PassDepth;
use crate::twin::heard::Heard;

impl Controller {
    /// Whether the loops are asked about jobs that run as if these waited.
    pub(in crate::twin) fn set_late(&mut self, has_late: bool) {
        self.has_late = has_late;
    }

    /// Whether the loops have jobs to look at.
    pub(in crate::twin) fn has_waiting(&self) -> bool {
        self.has_late || !self.queue.is_empty()
    }

    pub(in crate::twin) fn notice(&mut self, turn: &mut Turn<'_>, heard: &Heard) {
        let is_caused = heard.freed || heard.updated || !heard.submitted.is_empty();
        let causes_pass = is_caused && self.has_waiting();
        self.timers.notice(turn, heard.changed, causes_pass);
    }

    pub(in crate::twin) fn pass_due(&mut self, now: Time) -> Option<PassDepth> {
        self.timers.pass_due(now, self.allocations.completing().loops_wait_until())
    }

    pub(in crate::twin) fn cycle_due(&mut self, now: Time) -> bool {
        let wait = self.allocations.completing().loops_wait_until();
        self.has_waiting() && self.timers.cycle_due(now, wait)
    }

    /// Asks for a decision when something is due next; `asleep_until` is when a cycle that sleeps goes on.
    pub(in crate::twin) fn sleep(
        &mut self,
        turn: &mut Turn<'_>,
        asleep_until: Option<Time>,
    ) -> Result<(), PolicyError> {
        let now = turn.now();
        let completing = self.allocations.completing();
        let waits = !self.queue.is_empty() || !self.changed.held().is_empty();
        let changes = self.changed.next().filter(|_| waits);
        let stall = self.stall.next().filter(|_| waits);
        let always =
            [completing.next(), self.requeued.next(), asleep_until, self.choosy.next(), changes, stall];
        let mut next = always.into_iter().flatten().min();
        if self.has_waiting() {
            let edge = self.allocations.reservations().edges().filter(|&edge| edge > now).min();
            let loops = self.timers.next(now, completing.loops_wait_until(), asleep_until.is_some());
            next = [next, edge, loops, self.priorities.next()].into_iter().flatten().min();
        }
        if let Some(next) = next.map(|next| next.max(now + Time::TICK))
            && self.wake.is_none_or(|wake| wake <= now || next < wake)
        {
            turn.wake_at(next)?;
            self.wake = Some(next);
        }
        Ok(())
    }
}
