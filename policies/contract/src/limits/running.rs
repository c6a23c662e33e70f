//! Limits on the jobs on the machine: a policy around another that considers the jobs within the limits only.

use batchlab_traces::JobId;
use batchlab_traces::limits::{Counted, LimitTable, LimitedQuantity};

use super::guard::Guard;
use super::share::LimitUsage;
use crate::policy::{Aside, Policy, PolicyError};
use crate::turn::Turn;
use crate::wrapper::Wrapper;

/// Shows a policy the waiting jobs that may start under limits on running jobs.
///
/// A job that would exceed a limit is not in the policy's queue: it holds no reservation and blocks no other job, as in
/// Slurm, whose scheduler skips jobs that wait for an association or QOS limit. When jobs of its class end, it is in the
/// queue again, at its place in the order of priority. If a start exhausts a limit, the policy's further starts of the same
/// decision do not count; it decides again without the jobs that have to wait now. So at every instant the schedule is the
/// policy's own schedule of the jobs that may start.
///
/// Jobs that stand alike under every limit are a group: either all of them may start or none. A policy that can put groups
/// aside ([`Policy::aside`]) is shown whole groups: then a change of what a class may still use costs O(g log n) for the g
/// groups of the class. For other policies it costs O(w log n) for the w waiting jobs that the change admits or excludes. A policy
/// that remembers its waiting jobs cannot avoid this: in conservative backfilling each of the w jobs gets a reservation,
/// beside which others are placed, until one of them starts.
///
/// Limits on processor-time have jobs of all sizes in a group, of which the policy is shown those that request at most what all
/// limits leave. What they leave grows while jobs run, so that at almost each instant another job is shown. The policy decides
/// only at the instant at which such a job may change what starts ([`Aside::beyond`]).
pub(super) struct Running<'a> {
    inner: Box<dyn Policy + 'a>,
    guard: Guard,
    /// Whether groups are put aside in the policy's queue.
    ///
    /// If jobs may preempt others, they come and go one by one, because room that is kept hides jobs, too. Under limits on
    /// processor-time groups have to be shown in part.
    by_group: bool,
}

impl<'a> Running<'a> {
    pub(super) fn new(
        mut inner: Box<dyn Policy + 'a>,
        table: &LimitTable,
        [preempt, parts]: [bool; 2],
    ) -> Running<'a> {
        let limits = table.limits.iter().enumerate();
        let counted = limits.filter(|(_, limit)| limit.counted == Counted::Running);
        let shares: Vec<LimitUsage> = counted.map(|(at, limit)| LimitUsage::new(at, limit)).collect();
        let is_work = |share: &LimitUsage| share.limit.quantity == LimitedQuantity::Work;
        let parts = parts && inner.aside().is_some_and(|queue| queue.shows_parts());
        let by_group = !preempt && (parts || !shares.iter().any(is_work));
        Running { by_group, inner, guard: Guard::new(shares, by_group && parts) }
    }

    /// Returns the limits, and the policy's queue if groups are put aside in it.
    fn parts(&mut self) -> (&mut Guard, Option<&mut dyn Aside>) {
        (&mut self.guard, if self.by_group { self.inner.aside() } else { None })
    }

    fn wake(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let (guard, queue) = self.parts();
        guard.wake(turn, queue)
    }
}

impl Wrapper for Running<'_> {
    fn inner(&self) -> &dyn Policy {
        self.inner.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Policy {
        self.inner.as_mut()
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let (guard, mut aside) = self.parts();
        let mut events = guard.screen(turn, &mut aside);
        let is_news = guard.has_news() && aside.is_none_or(|queue| queue.is_news(turn));
        if !is_news && events.is_empty() && !turn.events().is_empty() {
            return self.wake(turn);
        }
        loop {
            self.inner.decide(&mut turn.guarded(&events, &mut self.guard))?;
            let (guard, mut aside) = self.parts();
            // The queue has looked empty since the start that exhausted a limit.
            let was_cut = aside.is_some() && guard.is_exhausted();
            events = guard.settle(turn, &mut aside);
            let is_news = guard.has_news() && aside.is_none_or(|queue| queue.is_news(turn));
            if !was_cut && !is_news && events.is_empty() {
                return self.wake(turn);
            }
        }
    }

    /// Limits on running jobs hide jobs as events require.
    fn aside(&mut self) -> Option<&mut dyn Aside> {
        None
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        let taken = self.inner.take_over(&mut turn.guarded(&[], &mut self.guard), job, room)?;
        let (guard, mut aside) = self.parts();
        let withdrawn = guard.settle(turn, &mut aside);
        guard.tells_later(withdrawn);
        Ok(taken)
    }
}
