//! The plan of conservative backfilling on a pool: a profile that includes every running job and every reservation.
//!
//! A job moves up if its need is free for its whole stay before its reservation, or just before its reservation, whose room counts as
//! free. What is free at an instant rises only where room is given back: in an opening. So a need that was not free just
//! before an instant is not free there until an opening touches it, and neither is a larger need ([`Walls`]). Many waiting jobs start
//! together, so that one search of the profile answers for all of them.

mod classes;
mod openings;
mod walls;

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use super::due::Due;
use super::ledger::ReservationTable;
use crate::policy::PolicyError;
use crate::support::by_job::ByJob;
use crate::support::closures::{Out, OutOfService};
use crate::support::plan::Reservation;
use crate::support::profile::{Profile, Slot};
use crate::turn::Turn;
use crate::view::{JobView, padded};
use classes::Classes;
use openings::{Opening, Openings};
use walls::Walls;

/// The amounts that jobs hold over time: running jobs until their expected ends, reservations of at least one second each.
#[derive(Debug)]
pub struct PoolPlan<const K: usize> {
    profile: Profile<K>,
    reserved: ByJob<Reserved<K>>,
    running: FxHashMap<JobId, Slot<K>>,
    starts: Due,
    /// Running jobs by the end of their slot; a job that stays longer is overdue.
    ends: SortedSet<(Time, JobId)>,
    classes: Classes<K>,
    openings: Openings,
    walls: Walls<K>,
    /// Room given back since the last walk that moved no job lies before this instant.
    opened_before: Time,
    /// The most that is free at any instant of this room.
    opened: [i64; K],
    closed: OutOfService,
}

/// A reservation, and the class of its job.
#[derive(Clone, Copy, Debug)]
struct Reserved<const K: usize> {
    slot: Slot<K>,
    class: usize,
}

impl<const K: usize> PoolPlan<K> {
    pub fn new(now: Time, capacity: [i64; K]) -> PoolPlan<K> {
        PoolPlan {
            profile: Profile::new(now, capacity),
            reserved: ByJob::default(),
            running: FxHashMap::default(),
            starts: Due::default(),
            ends: SortedSet::new(),
            classes: Classes::default(),
            openings: Openings::default(),
            walls: Walls::default(),
            opened_before: now,
            opened: [0; K],
            closed: OutOfService::default(),
        }
    }

    fn lift(&mut self, job: JobId) -> Option<Slot<K>> {
        let Reserved { slot, class } = self.reserved.remove(job)?;
        self.starts.remove(job);
        self.classes.leaves(class);
        Some(slot)
    }

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

    fn moves(&mut self, job: JobId, from: Time) {
        let Some(reserved) = self.reserved.get_mut(job) else { return };
        let old = reserved.slot;
        let new = Slot { from, to: from + (old.to - old.from), ..old };
        reserved.slot = new;
        self.starts.add(job, from);
        // Where both overlap, nothing changes.
        self.profile.take(Slot { to: new.to.min(old.from), ..new });
        self.give(Slot { from: new.to.max(old.from), ..old });
    }

    /// Puts a job at the earliest start at which there is room for its stay.
    fn take(
        &mut self,
        job: JobView<'_>,
        found: Option<Time>,
        (class, stay): (usize, Time),
    ) -> Result<Time, PolicyError> {
        let Some(from) = found else {
            return Err(PolicyError::Books { job: job.id(), what: "it never fits" });
        };
        let slot = Slot { from, to: from.saturating_add(stay), amount: job.demands() };
        self.profile.take(slot);
        self.reserved.insert(job.id(), Reserved { slot, class });
        self.starts.add(job.id(), from);
        Ok(from)
    }

    fn give(&mut self, slot: Slot<K>) {
        if slot.to > slot.from {
            let most = self.profile.give(slot);
            for (opened, most) in self.opened.iter_mut().zip(most) {
                *opened = most.max(*opened);
            }
            self.openings.add(Opening { from: slot.from, to: slot.to, procs: most[0] });
            self.opened_before = self.opened_before.max(slot.to);
        }
    }
}

impl<const K: usize> ReservationTable<K> for PoolPlan<K> {
    fn advance(&mut self, turn: &Turn<'_>) -> bool {
        let now = turn.now();
        self.profile.advance(now);
        self.openings.advance(now);
        let mut outlives = false;
        while let Some(&(to, job)) = self.ends.first() {
            if to > now {
                break;
            }
            self.ends_at(job, now + Time::SECOND, now);
            outlives = true;
        }
        outlives
    }

    fn reserve(&mut self, _: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError> {
        let class = self.classes.enters(&self.openings, job.demands(), stay);
        let found = self.classes.search(class, &self.profile, &self.openings, Time::MAX);
        self.take(job, found, (class, stay))
    }

    fn rechooses(&self) -> bool {
        false
    }

    /// The job's own slot counts as free. A start less than the slot's length earlier needs room only up to
    /// the slot (which must not be promised twice); an earlier start needs room for its whole duration.
    fn move_up(&mut self, _: &Turn<'_>, job: JobView<'_>) -> Option<Time> {
        let job = job.id();
        let &Reserved { slot: own, class } = self.reserved.get(job)?;
        let duration = own.to - own.from;
        let apart = own.from - duration;
        let begin = self.profile.begin();
        let mut from = if apart < begin {
            None
        } else {
            self.classes.search(class, &self.profile, &self.openings, apart)
        };
        if from.is_none() && self.opened_before >= own.from && !self.walls.has(&self.openings, &own) {
            let since = self.profile.free_since(own.from, apart.max(begin), own.amount);
            let into_own = Slot { to: since + duration, amount: [0; K], ..own };
            if since >= own.from {
                self.walls.add(&self.openings, &own);
            } else if self.profile.has_room(into_own) {
                from = Some(since);
            }
        }
        self.moves(job, from?);
        from
    }

    fn most_opened(&mut self) -> [i64; K] {
        self.opened = self.profile.most_free(self.opened_before);
        self.opened
    }

    fn opened(&self) -> [i64; K] {
        self.opened
    }

    fn settled(&mut self) {
        self.opened_before = self.profile.begin();
    }

    fn is_overdrawn(&mut self, until: Time) -> bool {
        let may = self.starts.first().is_some_and(|from| from < until);
        may && self.profile.least(self.profile.begin(), until).iter().any(|&free| free < 0)
    }

    /// No opening: what leaves the plan comes back, or [`PoolPlan::make_again`] gives it.
    fn set_aside(&mut self, job: JobView<'_>) -> bool {
        let Some(reserved) = self.reserved.get(job.id()) else { return false };
        self.profile.give(reserved.slot);
        true
    }

    fn put_back(&mut self, job: JobView<'_>, now: Time) -> bool {
        let Some(&Reserved { slot, .. }) = self.reserved.get(job.id()) else { return false };
        let holds = slot.from >= now && self.profile.has_room(slot);
        if holds {
            self.profile.take(slot);
        }
        holds
    }

    /// Searches the profile, because knowledge about classes refers to the whole plan, and a part of it is set aside.
    fn make_again(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) -> Result<Time, PolicyError> {
        if let Some(old) = self.lift(job.id()) {
            self.openings.add(Opening { from: old.from.max(turn.now()), to: old.to, procs: i64::MAX });
            self.opened_before = self.opened_before.max(old.to);
        }
        let class = self.classes.enters(&self.openings, job.demands(), stay);
        let found = self.profile.earliest(turn.now(), job.demands(), stay);
        self.take(job, found, (class, stay))
    }

    fn never_due(&mut self, job: JobView<'_>) {
        self.starts.remove(job.id());
    }

    fn cancel(&mut self, job: JobView<'_>) {
        if let Some(slot) = self.lift(job.id()) {
            self.give(slot);
        }
    }

    fn reservation(&self, job: JobId) -> Option<Reservation<K>> {
        self.reserved.get(job).map(|reserved| Reservation { slot: reserved.slot, hosts: None })
    }

    fn starts(&mut self, job: JobView<'_>, now: Time) {
        let job = job.id();
        let Some(slot) = self.lift(job) else { return };
        let running = Slot { from: now, to: now.saturating_add(slot.to - slot.from), ..slot };
        if slot.from != now {
            self.give(slot);
            self.profile.take(running);
        }
        self.running.insert(job, running);
        self.ends.insert((running.to, job));
    }

    fn takes_over(&mut self, turn: &Turn<'_>, job: JobView<'_>, stay: Time) {
        self.cancel(job);
        let now = turn.now();
        let slot = Slot { from: now, to: now.saturating_add(stay), amount: job.demands() };
        self.profile.take(slot);
        self.running.insert(job.id(), slot);
        self.ends.insert((slot.to, job.id()));
    }

    fn runs_until(&mut self, job: JobView<'_>, to: Time, now: Time) {
        self.ends_at(job.id(), to, now);
    }

    fn leaves(&mut self, job: JobView<'_>, now: Time) -> bool {
        let job = job.id();
        if let Some(slot) = self.lift(job) {
            self.give(slot);
            return true;
        }
        let Some(slot) = self.running.remove(&job) else { return false };
        self.ends.remove(&(slot.to, job));
        self.give(Slot { from: now, ..slot });
        slot.to > now
    }

    fn is_new(&self, turn: &Turn<'_>) -> bool {
        !self.closed.still_holds(turn)
    }

    fn close(&mut self, turn: &Turn<'_>) {
        let now = turn.now();
        let out = OutOfService::new(turn);
        let slot = |out: &Out| Slot { from: out.from.max(now), to: out.to, amount: padded(&out.amounts) };
        for old in self.closed.list().iter().map(slot).filter(|slot| slot.to > now).collect::<Vec<_>>() {
            self.give(old);
        }
        for out in out.list() {
            self.profile.take(slot(out));
        }
        self.closed = out;
    }

    fn due(&mut self, now: Time) -> Vec<JobId> {
        self.starts.by(now)
    }

    fn next_start(&mut self) -> Option<Time> {
        self.starts.first()
    }
}
