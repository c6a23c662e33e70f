//! A plan with reservations, and the start of waiting jobs in its holes.

use batchlab_traces::JobId;

use crate::cluster::Placed;
use crate::journal::Why;
use crate::policy::PolicyError;
use crate::spec::{BuildError, Params, Setting};
use crate::support::books::Books;
use crate::support::front::Room;
use crate::support::plan::{Reservation, ReservationPlan};
use crate::support::queue::Rank;
use crate::support::shapes::{Roomless, Shape};
use crate::turn::Turn;

/// The books, and a plan that is rebuilt at every decision.
pub struct Holes<const K: usize> {
    pub books: Books<K>,
    /// Running jobs until their expected ends, and reservations.
    pub plan: ReservationPlan<K>,
}

impl<const K: usize> Holes<K> {
    /// Returns empty books and an empty plan.
    pub fn new(params: &Params, setting: &Setting<'_>) -> Result<Holes<K>, BuildError> {
        Ok(Holes { books: Books::new(params, setting)?, plan: ReservationPlan::new(params, setting)? })
    }

    /// Rebuilds the plan with the running jobs only.
    pub fn reset(&mut self, turn: &Turn<'_>) {
        self.plan.reset(turn, &self.books);
    }

    /// Returns a job's earliest reservation in the plan.
    pub fn earliest(&self, turn: &Turn<'_>, job: JobId) -> Result<Reservation<K>, PolicyError> {
        let view = turn.job(job);
        self.plan.earliest(turn, view, self.books.stay(view))
    }

    /// Returns a job's reservation that begins now, if the plan has room for its whole stay.
    pub fn now(&self, turn: &Turn<'_>, job: JobId) -> Option<Reservation<K>> {
        let view = turn.job(job);
        self.plan.at(turn.machine(), view, turn.now(), self.books.stay(view))
    }

    /// As [`Holes::now`], in a plan that has only been added to since `full` was empty. On nodes, it does not try a job with
    /// the shape of one that found no room.
    fn now_beside(&self, full: &mut Roomless<K>, turn: &Turn<'_>, job: JobId) -> Option<Reservation<K>> {
        if self.books.hosts.is_none() {
            return self.now(turn, job);
        }
        let view = turn.job(job);
        full.find(Shape::of(turn.machine(), view), self.books.stay(view), || self.now(turn, job))
    }

    /// Whether a job of the queue fits into the free resources.
    pub fn anyone_fits(&self, turn: &Turn<'_>) -> bool {
        self.first_fitting(turn, None).is_some()
    }

    /// Returns the first job of the queue, at or after a rank if given, that fits into the free resources. As costly as
    /// [`Books::anyone_fits`].
    pub fn first_fitting(&self, turn: &Turn<'_>, from: Option<Rank>) -> Option<Rank> {
        self.books.first_fitting(turn, from, &Room::unreserved(self.books.free(turn)))
    }

    /// Starts a job in its reservation, which begins now; a job that ends within this instant leaves its room to others.
    pub fn start(
        &mut self,
        turn: &mut Turn<'_>,
        job: JobId,
        reservation: &Reservation<K>,
        why: Why,
    ) -> Result<(), PolicyError> {
        if self.books.start_in(turn, job, reservation, why)? == Placed::Holds {
            self.plan.take(turn.job(job), reservation);
        }
        Ok(())
    }

    /// Tries all waiting jobs in candidate order and starts those for which the plan has room from now on. A
    /// job with a later reservation does not start: with room now, its reservation would begin now.
    pub fn fill(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let (mut from, mut full) = (None, Roomless::default());
        loop {
            let room = Room::unreserved(self.books.free(turn));
            let Some(rank) = self.books.first_candidate(turn, from, &room) else { return Ok(()) };
            from = Some(rank.next());
            if let Some(reservation) = self.now_beside(&mut full, turn, rank.job()) {
                self.start(turn, rank.job(), &reservation, Why::Profile)?;
                from = self.books.candidates().onward(rank);
            }
        }
    }
}
