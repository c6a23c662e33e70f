//! Reservations in the rows of a matrix: a time in a particular row.
//!
//! Each row acts as a machine of its own, and a job that starts may take any of its free columns: so numbers
//! of columns suffice.

use std::collections::BTreeMap;

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use crate::policy::PolicyError;
use crate::support::matrix::Matrix;
use crate::support::matrix::schedule::best_fit;
use crate::support::profile::{Profile, Slot};

/// The expected use of each row: its jobs until their predicted ends, and the starts of waiting jobs.
///
/// A search is O(rows · steps of a row's profile).
#[derive(Debug)]
pub struct Reservations {
    rows: Vec<Profile<1>>,
    /// The jobs in the matrix, by home row.
    held: BTreeMap<JobId, Held>,
    /// The reserved starts of waiting jobs.
    reserved: BTreeMap<JobId, Time>,
    /// For each kind of job (columns, time), the instant before which no row has room. Room only shrinks
    /// until the plan is reset.
    barren: FxHashMap<(i64, Time), Time>,
    /// Whether every waiting job holds its reservation. Otherwise the jobs without one could not start
    /// before all others of the queue, and their reservations are computed when they are needed.
    complete: bool,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    row: usize,
    size: i64,
    until: Time,
}

/// A waiting job's need.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// The job.
    pub job: JobId,
    /// Columns.
    pub size: usize,
    /// The duration of its stay.
    pub stay: Time,
}

impl Need {
    fn columns(self) -> i64 {
        columns(self.size)
    }
}

impl Reservations {
    /// Returns the reservations of an empty matrix.
    pub fn new(rows: usize, width: usize) -> Reservations {
        Reservations {
            rows: vec![Profile::new(Time::ZERO, [columns(width)]); rows],
            held: BTreeMap::new(),
            reserved: BTreeMap::new(),
            barren: FxHashMap::default(),
            complete: true,
        }
    }

    /// Resets the plan to the jobs of a matrix, each until its predicted end.
    pub fn reset(&mut self, now: Time, matrix: &Matrix, until: impl Fn(JobId) -> Time) {
        let mut ends: Vec<Vec<(Time, i64)>> = vec![Vec::new(); self.rows.len()];
        self.held.clear();
        for (job, seat) in matrix.seats() {
            let held = Held { row: seat.home(), size: columns(seat.size()), until: until(job) };
            ends[held.row].push((held.until, held.size));
            self.held.insert(job, held);
        }
        for (profile, ends) in self.rows.iter_mut().zip(&mut ends) {
            ends.sort_unstable();
            let used: i64 = ends.iter().map(|(_, size)| size).sum();
            profile.reset(now, [columns(matrix.width()) - used]);
            for &(end, size) in ends.iter() {
                profile.release(end, [size]);
            }
        }
        self.reserved.clear();
        self.barren.clear();
        self.complete = true;
    }

    /// Returns the row in which a job can start now without conflict with a reservation; among several, the
    /// row that it fits best.
    pub fn row_now(&self, now: Time, matrix: &Matrix, need: Need) -> Option<usize> {
        let slot = slot(now, need);
        best_fit(matrix, need.size, |row| self.rows[row].has_room(slot))
    }

    /// A job starts in a row; records it.
    pub fn start(&mut self, now: Time, row: usize, need: Need) {
        let slot = slot(now, need);
        self.rows[row].take(slot);
        self.held.insert(need.job, Held { row, size: need.columns(), until: slot.to });
    }

    /// Reserves the earliest start in any row, among equal rows the lowest, and returns it.
    ///
    /// # Errors
    /// When the job can never fit; the reading of jobs rules this out.
    pub fn reserve(&mut self, now: Time, need: Need) -> Result<Time, PolicyError> {
        let kind = (need.columns(), need.stay);
        let from = self.barren.get(&kind).map_or(now, |&before| before.max(now));
        let mut best: Option<(Time, usize)> = None;
        for (row, profile) in self.rows.iter().enumerate() {
            let last = best.map_or(Time::MAX, |(at, _)| at - Time::from_ticks(1));
            if last >= from
                && let Ok(at) = profile.search(from, last, [kind.0], need.stay)
            {
                best = Some((at, row));
            }
        }
        let Some((at, row)) = best else {
            return Err(PolicyError::Books { job: need.job, what: "it never fits" });
        };
        self.barren.insert(kind, at);
        self.rows[row].take(slot(at, need));
        self.reserved.insert(need.job, at);
        Ok(at)
    }

    /// The walk stops before the end of the queue: no job behind can start now.
    pub fn leave_off(&mut self) {
        self.complete = false;
    }

    /// Whether the walk stopped before the end of the queue.
    pub fn is_incomplete(&self) -> bool {
        !self.complete
    }

    /// The reservations of the whole queue are computed.
    pub fn completed(&mut self) {
        self.complete = true;
    }

    /// Whether a waiting job holds a reservation.
    pub fn has(&self, job: JobId) -> bool {
        self.reserved.contains_key(&job)
    }

    /// Returns the first instant after the beginning at which more may become free: no reservation is
    /// earlier.
    pub fn first_change(&self) -> Time {
        let next = self.rows.iter().filter_map(|row| row.since(row.begin()).nth(1));
        next.map(|(at, _)| at).min().unwrap_or(Time::MAX)
    }

    /// Returns the jobs whose reservations are due.
    pub fn due(&self, now: Time) -> Vec<JobId> {
        self.reserved.iter().filter(|&(_, &at)| at <= now).map(|(&job, _)| job).collect()
    }

    /// Brings the plan to the present; a job in the matrix beyond its predicted end gets another second.
    pub fn advance(&mut self, now: Time) {
        self.rows.iter_mut().for_each(|row| row.advance(now));
        for held in self.held.values_mut().filter(|held| held.until <= now) {
            held.until = now + Time::SECOND;
            self.rows[held.row].take(Slot { from: now, to: held.until, amount: [held.size] });
        }
    }

    /// A job has left the matrix.
    pub fn leaves(&mut self, job: JobId, now: Time) {
        if let Some(held) = self.held.remove(&job) {
            self.rows[held.row].give(held.slot(now));
        }
    }

    /// Whether reservations allow a job of the matrix to move to another row.
    pub fn admits(&self, job: JobId, row: usize, now: Time) -> bool {
        self.held.get(&job).is_some_and(|held| self.rows[row].has_room(held.slot(now)))
    }

    /// A job moves to another home row; records it.
    pub fn moves(&mut self, job: JobId, row: usize, now: Time) {
        if let Some(held) = self.held.get_mut(&job) {
            self.rows[held.row].give(held.slot(now));
            held.row = row;
            self.rows[row].take(held.slot(now));
        }
    }
}

impl Held {
    fn slot(self, now: Time) -> Slot<1> {
        Slot { from: now, to: self.until, amount: [self.size] }
    }
}

fn slot(from: Time, need: Need) -> Slot<1> {
    Slot { from, to: from.saturating_add(need.stay), amount: [need.columns()] }
}

fn columns(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
