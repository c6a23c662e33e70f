//! Reservations of a new plan that follow from the last plan.
//!
//! Both plans are made job by job. In a row without a change the jobs of the matrix are the same, and so are the
//! reservations of earlier waiting jobs: a job starts there when it did in the last plan. So a job that had its reservation
//! in such a row keeps it, unless it starts earlier in a changed row.
//!
//! A job that started while the last plan was made had room beside the earlier reservations. So it hinders none of them in
//! this plan, which has the job from the beginning.

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use super::{Held, Made, Need};

/// The plan before, and the rows that have changed since.
#[derive(Debug)]
pub(super) struct LastPlan {
    made: Vec<Made>,
    places: FxHashMap<JobId, usize>,
    /// The first reservation whose job has not been met again.
    next: usize,
    changed: RowSet,
}

/// Some of the rows of a matrix.
#[derive(Debug)]
struct RowSet {
    /// All rows, those of the set first.
    rows: Vec<usize>,
    places: Vec<usize>,
    count: usize,
}

impl RowSet {
    fn new(rows: usize) -> RowSet {
        RowSet { rows: (0..rows).collect(), places: (0..rows).collect(), count: 0 }
    }

    fn has(&self, row: usize) -> bool {
        self.places[row] < self.count
    }

    fn insert(&mut self, row: usize) {
        let (place, other) = (self.places[row], self.rows.get(self.count).copied().unwrap_or(row));
        if place >= self.count {
            self.rows.swap(place, self.count);
            (self.places[row], self.places[other]) = (self.count, place);
            self.count += 1;
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LastReservation {
    pub(super) at: Time,
    pub(super) row: usize,
    /// Whether its row has no change: then the job starts there unless it starts earlier in another row. Otherwise it starts
    /// no earlier in any row without a change.
    pub(super) is_clean: bool,
}

impl LastReservation {
    /// Returns when and where the job starts if it does not start earlier elsewhere.
    pub(super) fn start(self) -> Option<(Time, usize)> {
        self.is_clean.then_some((self.at, self.row))
    }
}

impl LastPlan {
    pub(super) fn of_none(rows: usize) -> LastPlan {
        LastPlan { made: Vec::new(), places: FxHashMap::default(), next: 0, changed: RowSet::new(rows) }
    }

    /// The plan before is one of these reservations beside some jobs in the rows; the next one has no reservations so far, and other
    /// jobs in the rows.
    pub(super) fn follow(
        &mut self,
        (made, places): (&mut Vec<Made>, &mut FxHashMap<JobId, usize>),
        before: &FxHashMap<JobId, Held>,
        now: &FxHashMap<JobId, Held>,
    ) {
        self.changed.count = 0;
        for (one, other) in [(before, now), (now, before)] {
            for (_, held) in one.iter().filter(|&(job, held)| other.get(job) != Some(held)) {
                self.changed.insert(held.row);
            }
        }
        std::mem::swap(&mut self.made, made);
        std::mem::swap(&mut self.places, places);
        made.clear();
        places.clear();
        self.next = 0;
    }

    /// Returns the rows that have changed so far, in any order.
    pub(super) fn changed(&self) -> &[usize] {
        &self.changed.rows[..self.changed.count]
    }

    /// Returns the other rows, in any order.
    pub(super) fn unchanged(&self) -> &[usize] {
        &self.changed.rows[self.changed.count..]
    }

    pub(super) fn started_in(&mut self, row: usize) {
        self.changed.insert(row);
    }

    /// Returns the reservation that a job had, unless it must be made again, because it is overdue, or the job has another
    /// need or a later place in the queue. Reservations of jobs between the last job and this one are gone.
    pub(super) fn of(&mut self, need: Need, now: Time) -> Option<LastReservation> {
        let is_next = self.made.get(self.next).is_some_and(|made| made.need.job == need.job);
        let place = if is_next { self.next } else { *self.places.get(&need.job)? };
        for gone in self.made.get(self.next..place)? {
            self.changed.insert(gone.row);
        }
        self.next = place + 1;
        let made = self.made[place];
        if made.need != need || made.at < now {
            self.changed.insert(made.row);
            return None;
        }
        Some(LastReservation { at: made.at, row: made.row, is_clean: !self.changed.has(made.row) })
    }

    /// Records the new reservation of a job in the place of its old one.
    pub(super) fn reserved(&mut self, known: Option<LastReservation>, (at, row): (Time, usize)) {
        let is_same = known.is_some_and(|known| (known.at, known.row) == (at, row));
        if !is_same {
            self.changed.insert(row);
            if let Some(known) = known {
                self.changed.insert(known.row);
            }
        }
    }
}
