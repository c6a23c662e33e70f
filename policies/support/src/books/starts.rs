//! Starts of jobs: of heads, in reservations, in lent room, and of jobs as they come, without a place in the queue.

use batchlab_traces::JobId;

use super::Books;
use crate::cluster::Placed;
use crate::event::Event;
use crate::front::Room;
use crate::hosts::Offers;
use crate::journal::Why;
use crate::placement::Placement;
use crate::plan::Reservation;
use crate::policy::PolicyError;
use crate::starts::{start_now, start_on};
use crate::turn::Turn;
use crate::view::padded;

impl<const K: usize> Books<K> {
    /// Starts a waiting job if it fits into the free resources; returns `None` if it does not.
    pub fn try_start(
        &mut self,
        turn: &mut Turn<'_>,
        job: JobId,
        why: Why,
    ) -> Result<Option<Placed>, PolicyError> {
        match start_now::<K>(self.hosts.as_ref(), turn, job, why)? {
            Some(placed) => self.note_start(turn, job, placed).map(Some),
            None => Ok(None),
        }
    }

    pub fn fits_in(&self, turn: &Turn<'_>, job: JobId, reservation: &Reservation<K>) -> bool {
        let Some(choice) = &reservation.hosts else { return turn.fits(job) };
        let view = turn.job(job);
        choice.placement.0.iter().all(|share| {
            let node = share.node as usize;
            let held: [i64; K] = view.holds(share, turn.machine().capacity(node), turn.machine().devices());
            turn.room(node).iter().zip(held).all(|(&free, held)| held <= free)
        })
    }

    /// Starts a waiting job now, at its reservation.
    pub fn start_in(
        &mut self,
        turn: &mut Turn<'_>,
        job: JobId,
        reservation: &Reservation<K>,
        why: Why,
    ) -> Result<Placed, PolicyError> {
        match &reservation.hosts {
            Some(choice) => {
                let placed = start_on(turn, job, choice, why)?;
                self.note_start(turn, job, placed)
            }
            None => self.start(turn, job, why),
        }
    }

    /// Starts a waiting job on a pool and records it; returns whether the job holds its resources.
    pub fn start(&mut self, turn: &mut Turn<'_>, job: JobId, why: Why) -> Result<Placed, PolicyError> {
        let placed = turn.start_as(job, why)?;
        self.note_start(turn, job, placed)
    }

    /// Starts a waiting job in lent room, and records it; returns whether it has started.
    pub fn take_over(
        &mut self,
        turn: &mut Turn<'_>,
        job: JobId,
        room: &[Vec<i64>],
    ) -> Result<bool, PolicyError> {
        let view = turn.job(job);
        let placement = match &self.hosts {
            None => Placement::on(0, view.procs()),
            Some(hosts) => {
                let room: Vec<[i64; K]> = room.iter().map(|room| padded(room)).collect();
                match hosts.choose(turn.machine(), view, Offers { room: &room, free: &room }) {
                    Some(choice) => choice.placement,
                    None => return Ok(false),
                }
            }
        };
        let Some(placed) = turn.take_over(job, &placement)? else { return Ok(false) };
        self.note_start(turn, job, placed)?;
        Ok(true)
    }

    /// Starts jobs in queue order while they fit; the first that does not fit stays the head if the books say so.
    pub fn start_heads(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        while let Some(head) = self.queue.head() {
            if self.try_start(turn, head, Why::Head)?.is_none() {
                self.stay_head(turn, head);
                break;
            }
        }
        Ok(())
    }

    /// Returns the job whose submission is the only event since the last decision, if these books determine the state of the
    /// machine, and no job waited for an instant that has come, for a prediction or for a limit.
    #[inline]
    pub fn newcomer(&self, turn: &Turn<'_>) -> Option<JobId> {
        let &[Event::Submitted(job)] = turn.events() else { return None };
        let is_plain = self.keeps_ranks() && !self.has_aside && turn.is_plain();
        is_plain.then_some(job)
    }

    /// Whether a job may fit into the free resources: their total, and each of its tasks on a node. O(nodes).
    pub fn has_room(&self, turn: &Turn<'_>, job: JobId) -> bool {
        self.need(turn.job(job)).fits(&Room::unreserved(self.free(turn))) && self.nodes_have_room(turn, job)
    }

    /// Starts the [newcomer](Books::newcomer) to a pool if there is one, no job waits and it fits; returns whether it has
    /// started. The events need not be [settled](Books::settle) then.
    #[inline]
    pub fn start_alone(&mut self, turn: &mut Turn<'_>) -> Result<bool, PolicyError> {
        let is_alone = |&job: &JobId| self.hosts.is_none() && self.queue.is_empty() && turn.fits(job);
        let alone = self.newcomer(turn).filter(is_alone);
        let Some(job) = alone else { return Ok(false) };
        self.start_newcomer(turn, job, Why::Head)?;
        Ok(true)
    }

    /// Starts a [newcomer](Books::newcomer), which has not become a waiting job.
    pub fn start_newcomer(
        &mut self,
        turn: &mut Turn<'_>,
        job: JobId,
        why: Why,
    ) -> Result<Placed, PolicyError> {
        let view = turn.job(job);
        let expected = self.estimates.expected(view);
        self.queue.pass(view, expected);
        if let Some(candidates) = &mut self.candidates {
            candidates.pass(view, expected);
        }
        let placed = turn.start_as(job, why)?;
        self.note_running(turn, job, placed)?;
        Ok(placed)
    }
}
