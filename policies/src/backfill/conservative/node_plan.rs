//! The plan of conservative backfilling on nodes: each reservation is a placement.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::{JobId, Time};

use super::ledger::Ledger;
use crate::policy::PolicyError;
use crate::spec::{Params, Setting};
use crate::support::closures::{self, Out};
use crate::support::plan::{Reservation, ReservationPlan};
use crate::support::profile::Slot;
use crate::turn::Turn;
use crate::view::JobView;

/// Which job holds which nodes from when to when. It lacks the shortcuts of a pool's plan: a walk over the
/// queue searches the window once for each waiting job.
#[derive(Debug)]
pub struct NodePlan<const K: usize> {
    plan: ReservationPlan<K>,
    reserved: BTreeMap<JobId, Reservation<K>>,
    running: BTreeMap<JobId, Reservation<K>>,
    /// Reservations by start.
    starts: BTreeSet<(Time, JobId)>,
    /// What is out of service.
    closed: Vec<Out>,
}

impl<const K: usize> NodePlan<K> {
    /// Returns the plan of an empty machine.
    pub fn new(params: &Params, setting: &Setting<'_>) -> NodePlan<K> {
        NodePlan {
            plan: ReservationPlan::of_empty(params, setting),
            reserved: BTreeMap::new(),
            running: BTreeMap::new(),
            starts: BTreeSet::new(),
            closed: Vec::new(),
        }
    }

    fn take(&mut self, job: JobView<'_>, reservation: Reservation<K>) {
        self.plan.take(job, &reservation);
        self.starts.insert((reservation.slot.from, job.id()));
        self.reserved.insert(job.id(), reservation);
    }

    /// Takes a reservation out of the plan.
    fn lift(&mut self, job: JobView<'_>) -> Option<Reservation<K>> {
        let reservation = self.reserved.remove(&job.id())?;
        self.starts.remove(&(reservation.slot.from, job.id()));
        self.plan.give(job, &reservation);
        Some(reservation)
    }
}

impl<const K: usize> Ledger<K> for NodePlan<K> {
    fn advance(&mut self, turn: &Turn<'_>) {
        let now = turn.now();
        self.plan.advance(now);
        let overdue = self.running.iter().filter(|(_, reservation)| reservation.slot.to <= now);
        let overdue: Vec<JobId> = overdue.map(|(&job, _)| job).collect();
        for job in overdue {
            self.runs_until(turn.job(job), now + Time::SECOND, now);
        }
    }

    fn reserve(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError> {
        let reservation = self.plan.earliest(turn, job, stay)?;
        let from = reservation.slot.from;
        self.take(job, reservation);
        Ok(from)
    }

    fn move_up(&mut self, turn: &Turn<'_>, job: JobView<'_>) -> Option<Time> {
        let own = self.lift(job)?;
        let earlier = self.plan.earlier(turn, job, own.slot.to - own.slot.from, own.slot.from);
        let moved = earlier.as_ref().map(|reservation| reservation.slot.from);
        self.take(job, earlier.unwrap_or(own));
        moved
    }

    /// No bound is known: every waiting job is tried.
    fn most_opened(&self) -> [i64; K] {
        [i64::MAX; K]
    }

    fn settled(&mut self) {}

    fn cancel(&mut self, job: JobView<'_>) {
        self.lift(job);
    }

    fn reservation(&self, job: JobId) -> Option<Reservation<K>> {
        self.reserved.get(&job).cloned()
    }

    fn starts(&mut self, job: JobView<'_>, now: Time) {
        let Some(Reservation { slot, hosts }) = self.lift(job) else { return };
        let running = Slot { from: now, to: now.saturating_add(slot.to - slot.from), ..slot };
        let reservation = Reservation { slot: running, hosts };
        self.plan.take(job, &reservation);
        self.running.insert(job.id(), reservation);
    }

    fn runs_until(&mut self, job: JobView<'_>, to: Time, now: Time) {
        let Some(reservation) = self.running.get_mut(&job.id()) else { return };
        reservation.slot.from = now;
        self.plan.give(job, reservation);
        reservation.slot.to = to;
        self.plan.take(job, reservation);
    }

    fn leaves(&mut self, job: JobView<'_>, now: Time) -> bool {
        if self.lift(job).is_some() {
            return true;
        }
        let Some(mut reservation) = self.running.remove(&job.id()) else { return false };
        reservation.slot.from = now;
        self.plan.give(job, &reservation);
        reservation.slot.to > now
    }

    fn is_new(&self, turn: &Turn<'_>) -> bool {
        !closures::same(&self.closed, &closures::out(turn), turn.now())
    }

    fn close(&mut self, turn: &Turn<'_>) {
        let out = closures::out(turn);
        self.plan.reopen(&self.closed, turn.now());
        self.plan.close(&out, turn.now());
        self.closed = out;
    }

    fn due(&self, now: Time) -> Vec<JobId> {
        self.starts.range(..=(now, JobId(u32::MAX))).map(|&(_, job)| job).collect()
    }

    fn next_start(&self) -> Option<Time> {
        self.starts.first().map(|&(from, _)| from)
    }
}
