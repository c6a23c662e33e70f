//! The plan of conservative backfilling on nodes: each reservation is a placement.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::{JobId, Time};

use super::ledger::Ledger;
use crate::policy::PolicyError;
use crate::spec::{Params, Setting};
use crate::support::plan::{Berth, Plan};
use crate::support::profile::Slot;
use crate::turn::Turn;
use crate::view::JobView;

/// Who is where from when to when, without the shortcuts of a pool's plan: a walk over the queue searches the window
/// once for each waiting job.
#[derive(Debug)]
pub struct Berths<const K: usize> {
    plan: Plan<K>,
    reserved: BTreeMap<JobId, Berth<K>>,
    running: BTreeMap<JobId, Berth<K>>,
    /// Reservations by start.
    starts: BTreeSet<(Time, JobId)>,
}

impl<const K: usize> Berths<K> {
    /// Returns the plan of an empty machine.
    pub fn new(params: &Params, setting: &Setting<'_>) -> Berths<K> {
        Berths {
            plan: Plan::of_empty(params, setting),
            reserved: BTreeMap::new(),
            running: BTreeMap::new(),
            starts: BTreeSet::new(),
        }
    }

    fn take(&mut self, job: JobView<'_>, berth: Berth<K>) {
        self.plan.take(job, &berth);
        self.starts.insert((berth.slot.from, job.id()));
        self.reserved.insert(job.id(), berth);
    }

    /// Takes a reservation out of the plan.
    fn lift(&mut self, job: JobView<'_>) -> Option<Berth<K>> {
        let berth = self.reserved.remove(&job.id())?;
        self.starts.remove(&(berth.slot.from, job.id()));
        self.plan.give(job, &berth);
        Some(berth)
    }
}

impl<const K: usize> Ledger<K> for Berths<K> {
    fn advance(&mut self, turn: &Turn<'_>) {
        let now = turn.now();
        self.plan.advance(now);
        let overdue = self.running.iter().filter(|(_, berth)| berth.slot.to <= now);
        let overdue: Vec<JobId> = overdue.map(|(&job, _)| job).collect();
        for job in overdue {
            self.runs_until(turn.job(job), now + Time::SECOND, now);
        }
    }

    fn reserve(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError> {
        let berth = self.plan.earliest(turn, job, stay)?;
        let from = berth.slot.from;
        self.take(job, berth);
        Ok(from)
    }

    fn move_up(&mut self, turn: &Turn<'_>, job: JobView<'_>) -> Option<Time> {
        let own = self.lift(job)?;
        let earlier = self.plan.earlier(turn, job, own.slot.to - own.slot.from, own.slot.from);
        let moved = earlier.as_ref().map(|berth| berth.slot.from);
        self.take(job, earlier.unwrap_or(own));
        moved
    }

    /// Everybody is asked.
    fn most_opened(&self) -> [i64; K] {
        [i64::MAX; K]
    }

    fn settled(&mut self) {}

    fn cancel(&mut self, job: JobView<'_>) {
        self.lift(job);
    }

    fn berth(&self, job: JobId) -> Option<Berth<K>> {
        self.reserved.get(&job).cloned()
    }

    fn starts(&mut self, job: JobView<'_>, now: Time) {
        let Some(Berth { slot, hosts }) = self.lift(job) else { return };
        let running = Slot { from: now, to: now.saturating_add(slot.to - slot.from), ..slot };
        let berth = Berth { slot: running, hosts };
        self.plan.take(job, &berth);
        self.running.insert(job.id(), berth);
    }

    fn runs_until(&mut self, job: JobView<'_>, to: Time, now: Time) {
        let Some(berth) = self.running.get_mut(&job.id()) else { return };
        berth.slot.from = now;
        self.plan.give(job, berth);
        berth.slot.to = to;
        self.plan.take(job, berth);
    }

    fn leaves(&mut self, job: JobView<'_>, now: Time) -> bool {
        if self.lift(job).is_some() {
            return true;
        }
        let Some(mut berth) = self.running.remove(&job.id()) else { return false };
        berth.slot.from = now;
        self.plan.give(job, &berth);
        berth.slot.to > now
    }

    fn due(&self, now: Time) -> Vec<JobId> {
        self.starts.range(..=(now, JobId(u32::MAX))).map(|&(_, job)| job).collect()
    }

    fn next_start(&self) -> Option<Time> {
        self.starts.first().map(|&(from, _)| from)
    }
}
