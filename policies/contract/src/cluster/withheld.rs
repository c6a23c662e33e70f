//! What the cluster withholds from most jobs: capacity out of service, reservations, and the resources of suspended jobs.

use batchlab_traces::capacity::KeptFor;
use batchlab_traces::{JobId, Time};

use super::closures::Closures;
use super::common::Common;
use super::kept::{Kept, shut};
use super::suspended::{self, Suspended};
use super::{Cluster, State};
use crate::placement::{Placement, Rate};
use crate::refused::Reason;

#[derive(Debug)]
pub(super) struct Withheld {
    closures: Closures,
    kept: Kept,
    suspended: Suspended,
}

impl Withheld {
    /// Takes back the loans of a job that leaves the machine, and owed amounts that it gave back.
    pub(super) fn leave(&mut self, common: &mut Common, job: JobId) {
        self.suspended.forget(common, job);
        self.kept.reclaim(&mut self.closures, job);
        self.closures.settle(common);
    }
}

impl Cluster {
    fn withhold(&mut self) -> (&mut Withheld, &mut Common) {
        let none = || {
            let closures = Closures::none(self.common.room().len());
            Box::new(Withheld { closures, kept: Kept::default(), suspended: Suspended::default() })
        };
        (self.withheld.get_or_insert_with(none), &mut self.common)
    }

    /// Takes amounts of a node out of service: free resources at once, the others when jobs give them back. `drains` says
    /// whether jobs run on.
    pub fn take_out(&mut self, node: usize, amounts: &[i64], drains: bool) {
        let (withheld, common) = self.withhold();
        withheld.closures.take_out(common, node, amounts, drains);
    }

    /// Puts amounts of a node back into service; `drains` as in [`Cluster::take_out`].
    pub fn bring_back(&mut self, node: usize, amounts: &[i64], drains: bool) {
        let (withheld, common) = self.withhold();
        withheld.closures.bring_back(common, node, amounts, drains);
    }

    /// Returns the job that was started last of the jobs that hold resources of a node that are out of service and not drained.
    /// Jobs that are `ending` within this instant give them back anyway, and jobs in a reservation hold what it keeps.
    pub fn in_the_way(&self, node: usize, ending: impl Fn(JobId) -> bool) -> Option<JobId> {
        let withheld = self.withheld.as_ref()?;
        let (machine, workload) = (self.machine(), self.workload());
        let width = machine.width();
        let is_urgent = |kind: &usize| withheld.closures.is_urgent(node * width + kind);
        let urgent: Vec<usize> = (0..width).filter(is_urgent).collect();
        if urgent.is_empty() {
            return None;
        }
        let holds = |job: &JobId| {
            self.state(*job) == State::Resident
                && !ending(*job)
                && !withheld.kept.has_on(*job, node, width)
                && self.shares(*job).iter().any(|share| {
                    share.node as usize == node
                        && urgent.iter().any(|&kind| match machine.capacity(node).get(kind) {
                            Some(&capacity) => workload.held_on(*job, kind, share.procs, capacity) > 0,
                            None => share.devices >> (kind - machine.kinds()) & 1 == 1,
                        })
                })
        };
        self.resident().filter(holds).last()
    }

    /// Takes a resident job off the machine: it loses its work and waits again. Its next start counts as its start.
    ///
    /// # Errors
    /// When the job is not resident.
    pub fn requeue(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        self.common.jobs().expect(job, State::Resident)?;
        match &mut self.general {
            Some(general) => _ = general.displace(&mut self.common, job, false, now),
            None => self.common.give_back_plain(job),
        }
        if let Some(withheld) = &mut self.withheld {
            withheld.leave(&mut self.common, job);
        }
        self.common.jobs_mut().lose(job, now);
        Ok(())
    }

    /// Turns away a waiting job that the capacity in service can never hold: it has neither start nor end.
    pub fn turn_away(&mut self, job: JobId) {
        self.common.jobs_mut().turn_away(job);
    }

    /// Returns the amounts of a node that are in service.
    pub fn in_service(&self, node: usize) -> Vec<i64> {
        self.without(node, self.machine().amounts(node), Closures::out)
    }

    /// Returns the free amounts of a node less the amounts out of service that jobs still hold.
    pub fn balance(&self, node: usize) -> Vec<i64> {
        self.without(node, self.room(node).to_vec(), Closures::owed)
    }

    fn without(
        &self,
        node: usize,
        mut amounts: Vec<i64>,
        taken: impl Fn(&Closures, usize) -> i64,
    ) -> Vec<i64> {
        if let Some(withheld) = &self.withheld {
            let first = node * self.machine().width();
            for (kind, amount) in amounts.iter_mut().enumerate() {
                *amount -= taken(&withheld.closures, first + kind);
            }
        }
        amounts
    }

    /// Amounts of a node, which have just gone out of service, are kept for the jobs of a reservation.
    pub fn keep(&mut self, kept_for: KeptFor, node: usize, amounts: &[i64]) {
        self.withhold().0.kept.open(kept_for, node, amounts);
    }

    /// Ends a reservation on a node. Returns its jobs there: from now on they hold capacity that is out of service, like
    /// drained jobs. O(jobs in reservations).
    pub fn keep_no_longer(&mut self, reservation: usize, node: usize) -> Vec<JobId> {
        let width = self.machine().width();
        let withheld = self.withhold().0;
        withheld.kept.close(&mut withheld.closures, reservation, node, width)
    }

    /// Returns until when a reservation is open, and what its jobs may take on each node. O(nodes).
    pub fn room_kept(&self, reservation: usize) -> Option<(Time, Vec<Vec<i64>>)> {
        let Withheld { kept, closures, .. } = self.withheld.as_deref()?;
        kept.room(closures, self.machine(), reservation)
    }

    /// Lends a job the amounts of a reservation that it needs, so that it can be placed there.
    ///
    /// # Errors
    /// When the reservation is not open, or has less room on one of the nodes.
    pub fn lend(&mut self, job: JobId, reservation: usize, placement: &Placement) -> Result<(), Reason> {
        let Some(withheld) = &mut self.withheld else { return Err(shut()) };
        withheld.kept.lend(&withheld.closures, &mut self.common, job, reservation, placement)
    }

    /// Whether a job was lent room of a reservation.
    pub fn is_reserved_for(&self, job: JobId) -> bool {
        self.withheld.as_ref().is_some_and(|withheld| withheld.kept.has(job))
    }

    /// Takes back the loan of a job that has left the machine or could not be placed.
    pub fn reclaim(&mut self, job: JobId) {
        let Some(withheld) = &mut self.withheld else { return };
        withheld.kept.reclaim(&mut withheld.closures, job);
        withheld.closures.settle(&mut self.common);
    }

    /// Returns the machine with jobs that may be suspended in place; `releases` says which resources they give back.
    ///
    /// On the general path only.
    #[must_use]
    pub fn with_suspension(mut self, releases: &[bool]) -> Cluster {
        // Lent resources are owed.
        self.withhold().1.let_suspend(releases);
        self
    }

    /// Returns the suspended jobs, in the order of submission.
    pub fn suspended(&self) -> impl Iterator<Item = JobId> + '_ {
        self.withheld.iter().flat_map(|withheld| withheld.suspended.jobs())
    }

    /// Whether a job is suspended in place.
    #[inline]
    pub fn is_suspended(&self, job: JobId) -> bool {
        self.withheld.as_ref().is_some_and(|withheld| withheld.suspended.given(job).is_some())
    }

    /// Returns the amounts that a job on the machine would give back if it were suspended, or gave back if it is, by node
    /// and resource as in the free amounts. O(its nodes).
    pub fn released(&self, job: JobId) -> Vec<(usize, i64)> {
        match self.withheld.as_ref().and_then(|withheld| withheld.suspended.given(job)) {
            Some(given) => given.clone(),
            None => self.common.released(job, &self.shares(job)),
        }
    }

    /// Suspends a running job in place. The resources that it gives back are not free: see [`Cluster::lend_suspended`].
    ///
    /// # Errors
    /// When the job does not run.
    pub fn suspend(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        self.common.jobs().expect(job, State::Resident)?;
        if self.is_suspended(job) {
            return Err(Reason::State { state: "is suspended already" });
        }
        let given = self.released(job);
        self.rate_to(job, Rate::PAUSED, now)?;
        let (withheld, common) = self.withhold();
        withheld.suspended.suspend(common, job, given);
        Ok(())
    }

    /// Resumes a suspended job where it is. The caller ensures that no running job has the resources that it gave back.
    ///
    /// # Errors
    /// When the job is not suspended.
    pub fn resume(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        let (withheld, common) = self.withhold();
        if !withheld.suspended.forget(common, job) {
            return Err(Reason::State { state: "is not suspended" });
        }
        self.rate_to(job, Rate::FULL, now)
    }

    /// Makes room for a job on the nodes of a placement, from the resources that suspended jobs gave back; returns the
    /// amounts that were missing. Once the job is placed, they are owed ([`Cluster::take_back_lent`]).
    pub fn lend_suspended(&mut self, job: JobId, placement: &Placement) -> Vec<(usize, i64)> {
        suspended::lend(&mut self.common, job, placement)
    }

    /// Takes lent amounts back: at once if they are free, otherwise when their job gives them back.
    pub fn take_back_lent(&mut self, lent: &[(usize, i64)]) {
        let (withheld, common) = self.withhold();
        suspended::take_back(common, &mut withheld.closures, lent);
    }

    /// Returns the amounts that a suspended job may have on each node: those that no running job holds, less those of other
    /// suspended jobs that are `ahead` of it. If it `runs_on`, it may also have capacity that is out of service for new jobs
    /// only. O(nodes + suspended jobs and their nodes).
    pub fn room_to_resume(
        &self,
        job: JobId,
        runs_on: bool,
        mut ahead: impl FnMut(JobId) -> bool,
    ) -> Vec<Vec<i64>> {
        let mut room = self.room_with(|other| other == job || !ahead(other));
        if let Some(withheld) = self.withheld.as_ref().filter(|_| runs_on) {
            for (at, amount) in room.iter_mut().flatten().enumerate() {
                *amount += withheld.closures.draining(at);
            }
        }
        room
    }

    /// Returns the amounts that jobs may take on each node if they may take the resources that some suspended jobs gave
    /// back. O(nodes + suspended jobs and their nodes).
    pub fn room_with(&self, lends: impl FnMut(JobId) -> bool) -> Vec<Vec<i64>> {
        let mut room: Vec<Vec<i64>> = (0..self.machine().nodes()).map(|node| self.balance(node)).collect();
        if let Some(withheld) = &self.withheld {
            withheld.suspended.add_given(&mut room, self.machine().width(), lends);
        }
        room
    }
}
