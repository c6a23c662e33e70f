//! Reservations that jobs keep from decision to decision.

use batchlab_traces::JobId;

use crate::cluster::Placed;
use crate::journal::Why;
use crate::policy::PolicyError;
use crate::support::books::Books;
use crate::support::plan::{Reservation, ReservationPlan};
use crate::tally;
use crate::turn::Turn;

/// The jobs that hold a reservation, in the order in which they got it.
///
/// A job keeps its reservation even if other jobs have moved ahead of it in the queue since. At every
/// decision each reservation is lifted out in this order and put back at its earliest start, never later
/// than before; the job starts if that is now. A reservation that is overdue, or whose room is taken by a
/// job that outlives its estimate or by a reservation before it that has slipped, is recomputed beside those
/// before it and counted as slipped: later ones give way.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept<const K: usize> {
    held: Vec<(JobId, Reservation<K>)>,
}

impl<const K: usize> Kept<K> {
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether a job holds a reservation. O(reservations).
    pub fn has(&self, job: JobId) -> bool {
        self.held.iter().any(|(held, _)| *held == job)
    }

    pub fn add(&mut self, job: JobId, reservation: Reservation<K>) {
        self.held.push((job, reservation));
    }

    pub fn remove(&mut self, job: JobId) -> Option<Reservation<K>> {
        let at = self.held.iter().position(|(held, _)| *held == job)?;
        Some(self.held.remove(at).1)
    }

    /// Moves every reservation to its earliest start in a plan that contains no reservations yet, and starts
    /// the jobs that are due.
    pub fn renew(
        &mut self,
        turn: &mut Turn<'_>,
        books: &mut Books<K>,
        plan: &mut ReservationPlan<K>,
    ) -> Result<(), PolicyError> {
        let now = turn.now();
        let mut slipped = Vec::with_capacity(self.held.len());
        for (job, reservation) in &mut self.held {
            let view = turn.job(*job);
            let holds = reservation.slot.from >= now && plan.has_room(view, reservation);
            if !holds {
                let duration = books.stay(view);
                *reservation = plan.earliest(turn, view, duration)?;
                turn.tally(tally::SLIPPED);
            }
            plan.take(turn.job(*job), reservation);
            slipped.push(!holds);
        }
        let held = std::mem::take(&mut self.held);
        for ((job, old), slipped) in held.into_iter().zip(slipped) {
            let view = turn.job(job);
            plan.give(view, &old);
            let duration = books.stay(view);
            let new = plan.earliest(turn, view, duration)?;
            let moved = slipped || new.slot.from < old.slot.from;
            let reservation = if new.slot.from < old.slot.from { new } else { old };
            if reservation.slot.from > now {
                plan.take(view, &reservation);
                if moved {
                    turn.promise(job, reservation.slot.from);
                }
                self.held.push((job, reservation));
            } else if books.start_in(turn, job, &reservation, Why::Reserved)? == Placed::Holds {
                plan.take(turn.job(job), &reservation);
            }
        }
        Ok(())
    }
}
