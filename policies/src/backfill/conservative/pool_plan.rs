//! The plan of conservative backfilling on a pool: a profile with every running job and every reservation in it.

use std::collections::BTreeSet;

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use super::ledger::Ledger;
use crate::policy::PolicyError;
use crate::support::plan::Reservation;
use crate::support::profile::{Profile, Slot};
use crate::turn::Turn;
use crate::view::JobView;

/// Which job holds what from when to when: running jobs until their expected ends, reservations of at least
/// one second each.
#[derive(Debug)]
pub struct PoolPlan<const K: usize> {
    profile: Profile<K>,
    reserved: FxHashMap<JobId, Slot<K>>,
    running: FxHashMap<JobId, Slot<K>>,
    /// Reservations by start.
    starts: BTreeSet<(Time, JobId)>,
    /// Running jobs by the end of their slot; a job that stays longer is overdue.
    ends: BTreeSet<(Time, JobId)>,
    barren: Barren<K>,
    /// Room given back since the last walk that moved no job lies before this instant.
    opened_before: Time,
}

/// For each kind of job (need, duration), the instant before which the profile has no room for it.
///
/// Logs contain many equal jobs. If one of them found no room, the others need not search until room is
/// given back there.
#[derive(Debug, Default)]
struct Barren<const K: usize> {
    before: FxHashMap<([i64; K], Time), Time>,
}

impl<const K: usize> PoolPlan<K> {
    /// Returns the plan of an empty machine.
    pub fn new(now: Time, capacity: [i64; K]) -> PoolPlan<K> {
        PoolPlan {
            profile: Profile::new(now, capacity),
            reserved: FxHashMap::default(),
            running: FxHashMap::default(),
            starts: BTreeSet::new(),
            ends: BTreeSet::new(),
            barren: Barren::default(),
            opened_before: now,
        }
    }

    fn lift(&mut self, job: JobId) {
        if let Some(slot) = self.reserved.remove(&job) {
            self.starts.remove(&(slot.from, job));
            self.give(slot);
        }
    }

    /// Changes the expected end of a running job.
    fn ends_at(&mut self, job: JobId, to: Time, now: Time) {
        let Some(slot) = self.running.get_mut(&job) else { return };
        let old = *slot;
        slot.to = to;
        let new = *slot;
        self.ends.remove(&(old.to, job));
        self.ends.insert((to, job));
        self.give(Slot { from: now, ..old });
        self.profile.take(Slot { from: now, ..new });
    }

    fn take(&mut self, job: JobId, slot: Slot<K>) {
        self.profile.take(slot);
        self.reserved.insert(job, slot);
        self.starts.insert((slot.from, job));
    }

    fn give(&mut self, slot: Slot<K>) {
        if slot.to > slot.from {
            self.profile.give(slot);
            self.barren.opened(slot, self.profile.begin());
            self.opened_before = self.opened_before.max(slot.to);
        }
    }
}

impl<const K: usize> Ledger<K> for PoolPlan<K> {
    fn advance(&mut self, turn: &Turn<'_>) {
        let now = turn.now();
        self.profile.advance(now);
        while let Some(&(to, job)) = self.ends.first() {
            if to > now {
                break;
            }
            self.ends_at(job, now + Time::SECOND, now);
        }
    }

    fn reserve(&mut self, _: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError> {
        let amount = job.demands();
        let barren = self.barren.before(amount, stay, self.profile.begin());
        let Some(from) = self.profile.earliest(barren, amount, stay) else {
            return Err(PolicyError::Books { job: job.id(), what: "it never fits" });
        };
        self.barren.found(amount, stay, from);
        self.take(job.id(), Slot { from, to: from.saturating_add(stay), amount });
        Ok(from)
    }

    /// The job's own slot counts as free. A start less than the slot's length earlier needs room only up to
    /// the slot (which must not be promised twice); an earlier start needs room for its whole duration.
    fn move_up(&mut self, _: &Turn<'_>, job: JobView<'_>) -> Option<Time> {
        let job = job.id();
        let own = *self.reserved.get(&job)?;
        let duration = own.to - own.from;
        let apart = own.from - duration;
        let begin = self.profile.begin();
        let mut barren = self.barren.before(own.amount, duration, begin);
        let mut from = None;
        if barren <= apart {
            match self.profile.search(barren, apart, own.amount, duration) {
                Ok(at) => from = Some(at),
                Err(none_before) => barren = none_before,
            }
            self.barren.found(own.amount, duration, from.unwrap_or(barren));
        }
        if from.is_none() && self.opened_before >= own.from {
            let since = self.profile.free_since(own.from, apart.max(begin), own.amount);
            let into_own = Slot { to: since + duration, amount: [0; K], ..own };
            from = Some(since).filter(|&since| since < own.from && self.profile.has_room(into_own));
        }
        let from = from?;
        self.lift(job);
        self.take(job, Slot { from, to: from + duration, ..own });
        Some(from)
    }

    fn most_opened(&self) -> [i64; K] {
        self.profile.most_free(self.opened_before)
    }

    fn settled(&mut self) {
        self.opened_before = self.profile.begin();
    }

    fn cancel(&mut self, job: JobView<'_>) {
        self.lift(job.id());
    }

    fn reservation(&self, job: JobId) -> Option<Reservation<K>> {
        self.reserved.get(&job).map(|&slot| Reservation { slot, hosts: None })
    }

    fn starts(&mut self, job: JobView<'_>, now: Time) {
        let job = job.id();
        let Some(slot) = self.reserved.remove(&job) else { return };
        self.starts.remove(&(slot.from, job));
        let running = Slot { from: now, to: now.saturating_add(slot.to - slot.from), ..slot };
        if slot.from != now {
            self.give(slot);
            self.profile.take(running);
        }
        self.running.insert(job, running);
        self.ends.insert((running.to, job));
    }

    fn runs_until(&mut self, job: JobView<'_>, to: Time, now: Time) {
        self.ends_at(job.id(), to, now);
    }

    fn leaves(&mut self, job: JobView<'_>, now: Time) -> bool {
        let job = job.id();
        if self.reserved.contains_key(&job) {
            self.lift(job);
            return true;
        }
        let Some(slot) = self.running.remove(&job) else { return false };
        self.ends.remove(&(slot.to, job));
        self.give(Slot { from: now, ..slot });
        slot.to > now
    }

    fn due(&self, now: Time) -> Vec<JobId> {
        self.starts.range(..=(now, JobId(u32::MAX))).map(|&(_, job)| job).collect()
    }

    fn next_start(&self) -> Option<Time> {
        self.starts.first().map(|&(from, _)| from)
    }
}

impl<const K: usize> Barren<K> {
    /// Returns an instant, not before the present, before which there is no room.
    fn before(&self, need: [i64; K], duration: Time, now: Time) -> Time {
        self.before.get(&(need, duration)).map_or(now, |&before| before.max(now))
    }

    /// Records that there is no room before an instant.
    fn found(&mut self, need: [i64; K], duration: Time, before: Time) {
        self.before.insert((need, duration), before);
    }

    /// Room was given back: jobs whose slot would touch it may have room now.
    fn opened(&mut self, slot: Slot<K>, now: Time) {
        if slot.from <= now {
            return self.before.clear();
        }
        self.before.retain(|(_, duration), before| {
            *before = (*before).min(slot.from - *duration);
            *before > now
        });
    }
}
