//! The reservations of the last decision that the next decision would make again.
//!
//! A plan in which each job gets its earliest start beside the jobs before it in the queue does not change while jobs run,
//! end and start as planned: room that was not free for a job before is not free for it now. Then only jobs that have joined
//! the queue need reservations.

use std::ops::ControlFlow;

use batchlab_traces::{JobId, Time};

use super::books::Books;
use super::bounds::Bounds;
use super::front::Room;
use super::plan::{Reservation, ReservationPlan, of_pool};
use super::profile::{Profile, Slot};
use super::queue::Rank;
use crate::cluster::{Placed, State};
use crate::journal::Why;
use crate::policy::PolicyError;
use crate::turn::Turn;

/// The reservations in a plan of a pool, in queue order without gaps, and the assumptions on which they rest.
///
/// With each reservation a policy may record a further fact about the job.
#[derive(Clone, Debug)]
pub struct StandingReservations<const K: usize, T = ()> {
    /// The free amounts beside running jobs, as the plan assumes them.
    expected: Profile<K>,
    /// The free amounts beside running jobs now.
    running: Profile<K>,
    made: Vec<Made<K, T>>,
}

/// A job, its reservation, and the fact recorded about it.
pub type Made<const K: usize, T> = (Rank, Slot<K>, T);

impl<const K: usize, T> Default for StandingReservations<K, T> {
    fn default() -> StandingReservations<K, T> {
        let empty = Profile::new(Time::ZERO, [0; K]);
        StandingReservations { expected: empty.clone(), running: empty, made: Vec::new() }
    }
}

impl<const K: usize, T> StandingReservations<K, T> {
    /// Removes reservations that may change from a plan of a pool, and starts the jobs whose reservations are due, in queue
    /// order. Bounds are forgotten unless the plan has only been added to. `starting` is called with each job before it starts.
    ///
    /// O(n + r) for n reservations and r running jobs.
    pub fn start_due(
        &mut self,
        turn: &mut Turn<'_>,
        books: &mut Books<K>,
        plan: &mut ReservationPlan<K>,
        bounds: &mut Bounds<K>,
        mut starting: impl FnMut(JobId),
    ) -> Result<(), PolicyError> {
        if turn.is_journalled() {
            self.clear();
        }
        if !self.renew(turn, books, plan) {
            bounds.clear();
        }
        let mut from = 0;
        while let Some((at, rank, slot)) = self.due(from, turn.now()) {
            starting(rank.job());
            let due = Reservation { slot, hosts: None };
            if books.start_in(turn, rank.job(), &due, Why::Profile)? == Placed::Holds {
                self.starts(at);
            } else {
                self.gives_back(at, plan);
                bounds.clear();
            }
            from = at;
        }
        Ok(())
    }

    /// Removes from a plan of a pool the reservations that may change, and the assumptions about running jobs if they have
    /// changed; returns whether the plan has only been added to since the last decision.
    fn renew(&mut self, turn: &Turn<'_>, books: &Books<K>, plan: &mut ReservationPlan<K>) -> bool {
        let ReservationPlan::Pool(plan) = plan else { return false };
        let now = turn.now();
        of_pool(&mut self.running, turn, books);
        // Heads that fit have started before the plan is asked; they may have ended since, and left a stream.
        let has_started = |job| turn.state(job) == State::Done || turn.started(job).is_some();
        let started = self.made.iter().take_while(|made| has_started(made.0.job())).count();
        for (_, slot, _) in self.made.drain(..started) {
            self.expected.take(slot);
        }
        self.expected.advance(now);
        let sound = self.expected.is_like(&self.running);
        let keeps = if sound { self.unchanged(now, books) } else { 0 };
        if keeps == 0 || keeps < self.made.len() / 2 {
            self.made.clear();
            self.expected.clone_from(&self.running);
            plan.clone_from(&self.running);
            return false;
        }
        plan.advance(now);
        let whole = keeps == self.made.len();
        for (_, slot, _) in self.made.drain(keeps..) {
            plan.give(slot);
        }
        whole
    }

    /// Returns how many reservations belong to the first jobs of the queue and are not overdue.
    fn unchanged(&self, now: Time, books: &Books<K>) -> usize {
        let mut keeps = 0;
        books.queue.for_each_fitting(&[Room::unreserved([i64::MAX; K])], |rank, need| {
            let same = |&(job, slot, _): &Made<K, T>| {
                job == rank
                    && slot.amount == need.demand
                    && slot.to - slot.from == need.time
                    && slot.from >= now
            };
            if !self.made.get(keeps).is_some_and(same) {
                return ControlFlow::Break(());
            }
            keeps += 1;
            ControlFlow::Continue(())
        });
        keeps
    }

    pub fn clear(&mut self) {
        self.made.clear();
    }

    pub fn count(&self) -> usize {
        self.made.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Made<K, T>> {
        self.made.iter()
    }

    /// Returns the last job in queue order that holds a reservation.
    pub fn last(&self) -> Option<Rank> {
        self.made.last().map(|made| made.0)
    }

    /// Returns the first job at or behind a place that is due, with its place and its reservation.
    fn due(&self, from: usize, now: Time) -> Option<(usize, Rank, Slot<K>)> {
        let at = from + self.made.get(from..)?.iter().position(|made| made.1.from == now)?;
        let (rank, slot, _) = self.made[at];
        Some((at, rank, slot))
    }

    /// The next job in queue order got a reservation.
    pub fn add(&mut self, rank: Rank, slot: Slot<K>, record: T) {
        self.made.push((rank, slot, record));
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Made<K, T>> {
        self.made.iter_mut()
    }

    /// Whether the running jobs are those that the reservations assume.
    pub fn expects(&self, running: &Profile<K>) -> bool {
        self.expected.is_like(running)
    }

    /// Replaces the reservations of all jobs, in queue order; some may stay the same. Jobs whose reservation begins now have
    /// started. The record of a job whose reservation has changed is forgotten. The plan is given room, too.
    pub fn change(&mut self, now: Time, slots: impl Iterator<Item = Slot<K>>, plan: &mut ReservationPlan<K>)
    where
        T: Default,
    {
        let ReservationPlan::Pool(plan) = plan else { return };
        for ((_, slot, record), new) in self.made.iter_mut().zip(slots).filter(|(made, new)| made.1 != *new) {
            plan.give(*slot);
            plan.take(new);
            (*slot, *record) = (new, T::default());
        }
        for (_, slot, _) in self.made.extract_if(.., |made| made.1.from == now) {
            self.expected.take(slot);
        }
    }

    /// A job that holds no reservation has started and holds its slot.
    pub fn started(&mut self, slot: Slot<K>) {
        self.expected.take(slot);
    }

    /// The job at a place has started; its slot stays in the plan.
    fn starts(&mut self, at: usize) {
        let (_, slot, _) = self.made.remove(at);
        self.expected.take(slot);
    }

    /// The job at a place ended at once: its slot, and the reservations behind it, leave a plan of a pool.
    fn gives_back(&mut self, at: usize, plan: &mut ReservationPlan<K>) {
        if let ReservationPlan::Pool(plan) = plan {
            for (_, slot, _) in self.made.drain(at..) {
                plan.give(slot);
            }
        }
    }
}
