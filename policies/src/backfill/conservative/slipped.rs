//! Reservations that slip because running jobs stay longer than expected.
//!
//! A reservation that falls due and has no room is made again without a wake-up of its own: an overdue job is expected
//! to end in a second, and a wake-up for that instant would come every second. Such a reservation is tentative: it
//! keeps its place in the plan, so that no job behind takes it, and is made again at each decision; at the next event
//! it becomes a reservation like any other. The same holds for every reservation that is made again at a wake-up.

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use super::Conservative;
use super::ledger::ReservationTable;
use crate::event::Event;
use crate::policy::PolicyError;
use crate::tally;
use crate::turn::Turn;

/// The deviations from the reservations' assumptions.
#[derive(Debug)]
pub(super) struct Lateness {
    /// Whether jobs may outlive their expected ends: otherwise the plan need not be checked.
    possible: bool,
    /// The instant up to which running jobs may hold resources that were promised to waiting jobs.
    until: Time,
    tentative: SortedSet<JobId>,
}

impl Lateness {
    /// Returns the state in which all went as expected.
    pub fn new(possible: bool) -> Lateness {
        Lateness { possible, until: Time::ZERO, tentative: SortedSet::new() }
    }

    /// A running job has outlived its slot and is expected to end in one second.
    pub fn outlived(&mut self, now: Time) {
        if self.possible {
            self.stays_until(now + Time::SECOND);
        }
    }

    pub fn stays_until(&mut self, to: Time) {
        self.until = self.until.max(to);
    }

    /// A reservation has moved up: it is one like any other.
    pub fn moved_up(&mut self, job: JobId) {
        self.tentative.remove(&job);
    }

    /// All reservations are made again.
    pub fn clear(&mut self) {
        self.until = Time::ZERO;
        self.tentative.clear();
    }
}

impl<const K: usize, L: ReservationTable<K>> Conservative<K, L> {
    /// Makes tentative reservations again, and reservations that no longer hold. O(1) if all hold, else O(n) and a search
    /// for each reservation that is made again.
    ///
    /// A reservation that has moved since changes nothing at a wake-up: starts do not depend on it.
    pub(super) fn make_slipped_again(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if !is_told(turn) && self.plan.next_start().is_none_or(|at| at > turn.now()) {
            return Ok(());
        }
        let until = std::mem::replace(&mut self.lateness.until, Time::ZERO);
        let overdrawn = until > turn.now() && self.plan.is_overdrawn(until);
        if overdrawn || !self.lateness.tentative.is_empty() {
            self.make_again(turn, until, &SortedSet::new())?;
        }
        Ok(())
    }

    /// Starts the jobs whose reservations are due, and makes new reservations for jobs that do not fit.
    pub(super) fn start_all_due(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let unfit = self.start_due(turn)?;
        if unfit.is_empty() {
            return Ok(());
        }
        self.make_again(turn, Time::ZERO, &unfit)?;
        // For this instant only, the plan may differ from the free resources.
        for job in self.start_due(turn)? {
            self.plan.never_due(turn.job(job));
            self.lateness.tentative.insert(job);
        }
        Ok(())
    }

    /// Makes reservations again, in queue order, each beside the running jobs and the reservations of the jobs ahead: the
    /// tentative reservations, those of `unfit` jobs, and later ones that no longer hold. Up to `until` the plan may be
    /// overdrawn.
    fn make_again(
        &mut self,
        turn: &mut Turn<'_>,
        until: Time,
        unfit: &SortedSet<JobId>,
    ) -> Result<(), PolicyError> {
        let now = turn.now();
        let told = is_told(turn);
        let tentative = std::mem::take(&mut self.lateness.tentative);
        let slips = |job: &JobId| tentative.contains(job) || unfit.contains(job);
        for job in self.set_aside(turn, until, slips) {
            let view = turn.job(job);
            if !slips(&job) && self.plan.put_back(view, now) {
                continue;
            }
            let before = self.plan.reservation(job).map_or(now, |reservation| reservation.slot.from);
            let stay = self.books.stay(view);
            let at = self.plan.make_again(turn, view, stay)?;
            turn.promise(job, at);
            self.restless = true;
            let fell_due = before <= now && !tentative.contains(&job);
            if fell_due && at > now {
                turn.tally(tally::SLIPPED);
            }
            if at > now && (fell_due || !told) {
                self.plan.never_due(turn.job(job));
                self.lateness.tentative.insert(job);
            }
        }
        Ok(())
    }

    /// Takes reservations out of the plan, from the end of the queue, until the plan is not overdrawn and all reservations
    /// that slip are out; returns their jobs in queue order.
    fn set_aside(&mut self, turn: &Turn<'_>, until: Time, slips: impl Fn(&JobId) -> bool) -> Vec<JobId> {
        let mut queue = self.books.queue.jobs();
        let first = queue.iter().position(slips).unwrap_or(queue.len());
        let mut from = queue.len();
        while from > first || from > 0 && until > turn.now() && self.plan.is_overdrawn(until) {
            from -= 1;
            if !self.plan.set_aside(turn.job(queue[from])) {
                queue.remove(from);
            }
        }
        queue.split_off(from)
    }
}

/// Whether an event has happened; a wake-up does not count as one.
fn is_told(turn: &Turn<'_>) -> bool {
    turn.events().iter().any(|event| !matches!(event, Event::Woke(_)))
}
