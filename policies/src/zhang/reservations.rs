//! Reservations in the rows of a matrix: a particular time in a particular row.
//!
//! A row is a machine of its own, and a job that starts may have any of its free columns: so numbers of columns are
//! enough.

use std::collections::BTreeMap;

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use crate::policy::PolicyError;
use crate::support::matrix::Matrix;
use crate::support::matrix::schedule::best_fit;
use crate::support::profile::{Profile, Slot};

/// What is expected of each row: its jobs until their predicted ends, and who is to start when.
///
/// A search is O(rows · steps of a row's profile).
#[derive(Debug)]
pub struct Reservations {
    rows: Vec<Profile<1>>,
    /// The jobs in the matrix, by home row.
    held: BTreeMap<JobId, Held>,
    /// When waiting jobs are to start.
    reserved: BTreeMap<JobId, Time>,
    /// For jobs of a kind (columns, time): before when no row has room. Room is only taken until all is made anew.
    barren: FxHashMap<(i64, Time), Time>,
    /// Whether every waiting job holds its reservation; else those who do not could not start earlier than all others
    /// in the queue, and what is theirs is worked out when it is asked for.
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
    /// For how long.
    pub stay: Time,
}

impl Need {
    fn columns(self) -> i64 {
        columns(self.size)
    }
}

impl Reservations {
    /// Returns those of an empty matrix.
    pub fn new(rows: usize, width: usize) -> Reservations {
        Reservations {
            rows: vec![Profile::new(Time::ZERO, [columns(width)]); rows],
            held: BTreeMap::new(),
            reserved: BTreeMap::new(),
            barren: FxHashMap::default(),
            complete: true,
        }
    }

    /// Starts anew with the jobs of a matrix, each until its predicted end.
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

    /// Returns the row in which a job can start now without being in the way of a reservation: that in which it fits
    /// best.
    pub fn row_now(&self, now: Time, matrix: &Matrix, need: Need) -> Option<usize> {
        let slot = slot(now, need);
        best_fit(matrix, need.size, |row| self.rows[row].has_room(slot))
    }

    /// A job starts in a row.
    pub fn start(&mut self, now: Time, row: usize, need: Need) {
        let slot = slot(now, need);
        self.rows[row].take(slot);
        self.held.insert(need.job, Held { row, size: need.columns(), until: slot.to });
    }

    /// Reserves the earliest start in any row, of rows alike the lowest, and returns it.
    ///
    /// # Errors
    /// When the job never fits, which the reading of jobs makes sure of.
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

    /// The rest of the queue has not been looked at: nobody there can start now.
    pub fn leave_off(&mut self) {
        self.complete = false;
    }

    /// Whether some of the queue have not been looked at.
    pub fn is_incomplete(&self) -> bool {
        !self.complete
    }

    /// All of the queue have been looked at.
    pub fn completed(&mut self) {
        self.complete = true;
    }

    /// Whether a waiting job holds a reservation.
    pub fn has(&self, job: JobId) -> bool {
        self.reserved.contains_key(&job)
    }

    /// Returns the first instant after the beginning at which more may be free: no reservation is earlier.
    pub fn first_change(&self) -> Time {
        let next = self.rows.iter().filter_map(|row| row.since(row.begin()).nth(1));
        next.map(|(at, _)| at).min().unwrap_or(Time::MAX)
    }

    /// Returns the jobs whose reservations are due.
    pub fn due(&self, now: Time) -> Vec<JobId> {
        self.reserved.iter().filter(|&(_, &at)| at <= now).map(|(&job, _)| job).collect()
    }

    /// Lets time pass: whoever is in the matrix beyond its predicted end has a second more.
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

    /// Whether a job of the matrix could be in another row, as far as reservations go.
    pub fn admits(&self, job: JobId, row: usize, now: Time) -> bool {
        self.held.get(&job).is_some_and(|held| self.rows[row].has_room(held.slot(now)))
    }

    /// A job has another home row.
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
