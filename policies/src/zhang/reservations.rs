//! Reservations in the rows of a matrix: a time in a particular row.
//!
//! Each row acts as a machine of its own, and a job that starts may take any of its free columns: numbers of columns are enough.
//!
//! A new plan is much like the last one ([`last_plan`]): most jobs search only the rows that have changed, and a plan beside
//! the same jobs stays.

mod last_plan;
#[cfg(test)]
mod tests;

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use crate::policy::PolicyError;
use crate::support::bounds::Bounds;
use crate::support::matrix::schedule::best_fit;
use crate::support::matrix::{Matrix, Seat};
use crate::support::profile::{Profile, Slot};
use last_plan::{LastPlan, LastReservation};

/// The expected use of each row: its jobs until their predicted ends, and the starts of waiting jobs.
///
/// A search is O(changed rows · steps of a row's profile).
#[derive(Debug)]
pub struct Reservations {
    rows: Rows,
    /// The reservations of waiting jobs in the order in which they were made.
    made: Vec<Made>,
    places: FxHashMap<JobId, usize>,
    last: LastPlan,
    /// Instants before which no row has room: it only shrinks until the plan is reset.
    bounds: Bounds<1>,
}

#[derive(Clone, Debug)]
pub struct Rows {
    profiles: Vec<Profile<1>>,
    /// The jobs in the matrix, by home row.
    held: FxHashMap<JobId, Held>,
}

/// The jobs in the rows of a matrix, until their predicted ends.
#[derive(Debug)]
pub struct HeldRows(FxHashMap<JobId, Held>);

impl HeldRows {
    /// Returns the jobs of a matrix, each until its predicted end.
    pub fn of(matrix: &Matrix, until: impl Fn(JobId) -> Time) -> HeldRows {
        let held = |(job, seat): (JobId, &Seat)| {
            (job, Held { row: seat.home(), size: columns(seat.size()), until: until(job) })
        };
        HeldRows(matrix.seats().map(held).collect())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    row: usize,
    size: i64,
    until: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub job: JobId,
    /// Columns.
    pub size: usize,
    pub stay: Time,
}

#[derive(Clone, Copy, Debug)]
struct Made {
    need: Need,
    at: Time,
    row: usize,
}

/// A reserved stay of a waiting job.
#[derive(Clone, Copy, Debug)]
pub struct RowReservation {
    pub row: usize,
    pub slot: Slot<1>,
}

impl Need {
    fn columns(self) -> i64 {
        columns(self.size)
    }
}

impl Reservations {
    pub fn new(rows: usize, width: usize) -> Reservations {
        Reservations {
            rows: Rows {
                profiles: vec![Profile::new(Time::ZERO, [columns(width)]); rows],
                held: FxHashMap::default(),
            },
            made: Vec::new(),
            places: FxHashMap::default(),
            last: LastPlan::of_none(rows),
            bounds: Bounds::default(),
        }
    }

    /// Continues with the plan if it would be made again: no job in the rows has changed since, no reservation is overdue,
    /// and the first `waiting` jobs, in queue order, are those with reservations. Returns whether it does. O(jobs in the
    /// rows and in the plan).
    pub fn goes_on(&mut self, now: Time, held: &HeldRows, waiting: impl Iterator<Item = Need>) -> bool {
        let needs = self.made.iter().map(|made| made.need);
        let stands = self.rows.held == held.0
            && self.made.iter().all(|made| made.at >= now)
            && needs.eq(waiting.take(self.made.len()));
        if stands {
            self.rows.profiles.iter_mut().for_each(|profile| profile.advance(now));
        }
        stands
    }

    /// Resets the plan to jobs in the rows of a matrix with `width` columns.
    pub fn reset(&mut self, now: Time, width: usize, held: HeldRows) {
        self.last.follow((&mut self.made, &mut self.places), &self.rows.held, &held.0);
        self.rows.held = held.0;
        let Rows { profiles, held } = &mut self.rows;
        let mut ends: Vec<Vec<(Time, i64)>> = vec![Vec::new(); profiles.len()];
        for stays in held.values() {
            ends[stays.row].push((stays.until, stays.size));
        }
        for (profile, ends) in profiles.iter_mut().zip(&mut ends) {
            ends.sort_unstable();
            let used: i64 = ends.iter().map(|(_, size)| size).sum();
            profile.reset(now, [columns(width) - used]);
            for &(end, size) in ends.iter() {
                profile.release(end, [size]);
            }
        }
        self.bounds.clear();
    }

    /// Returns the row in which a job can start now without conflict with a reservation; among several, the
    /// row that it fits best.
    pub fn row_now(&self, now: Time, matrix: &Matrix, need: Need) -> Option<usize> {
        let slot = slot(now, need);
        best_fit(matrix, need.size, |row| self.rows.profiles[row].has_room(slot))
    }

    pub fn start(&mut self, now: Time, row: usize, need: Need) {
        let slot = slot(now, need);
        self.rows.profiles[row].take(slot);
        self.rows.held.insert(need.job, Held { row, size: need.columns(), until: slot.to });
        self.last.started_in(row);
    }

    /// Reserves the earliest start in any row, among equal rows the lowest, and returns it.
    pub fn reserve(&mut self, now: Time, need: Need) -> Result<RowReservation, PolicyError> {
        let from = self.bounds.of(need.columns(), need.stay).max(now);
        let known = self.last.of(need, now);
        let mut best = Earliest { rows: &self.rows, need, at: known.and_then(LastReservation::start) };
        self.last.changed().iter().for_each(|&row| best.look(row, from));
        // A job without a valid last reservation, or with one in a changed row, may start in a row without a change.
        if best.at.is_none() || known.is_none_or(|known| !known.is_clean) {
            let from = known.map_or(from, |known| known.at.max(from));
            self.last.unchanged().iter().for_each(|&row| best.look(row, from));
        }
        let Some((at, row)) = best.at else {
            return Err(PolicyError::Books { job: need.job, what: "it never fits" });
        };
        self.last.reserved(known, (at, row));
        self.bounds.add(need.columns(), need.stay, at);
        let reserved = RowReservation { row, slot: slot(at, need) };
        self.rows.profiles[row].take(reserved.slot);
        self.places.insert(need.job, self.made.len());
        self.made.push(Made { need, at, row });
        Ok(reserved)
    }

    pub fn has(&self, job: JobId) -> bool {
        self.places.contains_key(&job)
    }

    pub fn due(&self, now: Time) -> Vec<JobId> {
        self.made.iter().filter(|made| made.at <= now).map(|made| made.need.job).collect()
    }

    /// Returns the room for starts up to an instant: a job could get such a start only if it fits into one
    /// of these pairs of columns and stay.
    pub fn rooms(&self, upto: Time) -> Vec<(i64, Time)> {
        let mut rooms: Vec<(i64, Time)> = Vec::new();
        for profile in &self.rows.profiles {
            rectangles(profile, upto, |columns, from, to| widen(&mut rooms, (columns, lasts(from, to))));
        }
        rooms
    }

    /// Returns the room for reservations in a row that reach into an interval, as [`Reservations::rooms`].
    pub fn rooms_in(&self, row: usize, (since, until): (Time, Time)) -> Vec<(i64, Time)> {
        let mut rooms: Vec<(i64, Time)> = Vec::new();
        rectangles(&self.rows.profiles[row], until, |columns, from, to| {
            if from < until && to > since {
                widen(&mut rooms, (columns, lasts(from, to)));
            }
        });
        rooms
    }

    /// Returns the interval in which further reservations could take room of a row that a job of the matrix would need
    /// there, given the rows at present; `None` if jobs that have left since had all this room.
    pub fn exposed(&self, present: &Rows, job: JobId, row: usize, now: Time) -> Option<(Time, Time)> {
        let held = present.held.get(&job)?;
        let mut plan = self.rows.profiles[row].since(now).peekable();
        let mut exposed: Option<(Time, Time)> = None;
        let mut steps = present.profiles[row].since(now).peekable();
        let mut planned = 0;
        while let Some((begin, [free])) = steps.next().filter(|&(begin, _)| begin < held.until) {
            let end = steps.peek().map_or(held.until, |&(end, _)| end.min(held.until));
            // The planned steps from the one that contains the beginning of this step, up to its end.
            let mut at = begin.max(now);
            while at < end {
                while let Some((_, [room])) = plan.next_if(|&(from, _)| from <= at) {
                    planned = room;
                }
                let next = plan.peek().map_or(end, |&(from, _)| from.min(end));
                if free - held.size < planned {
                    exposed = Some((exposed.map_or(at, |(from, _)| from), next));
                }
                at = next;
            }
        }
        exposed
    }

    /// Returns the use of rows as seen at the present: without the jobs that have left the matrix since the
    /// plan was made, and with another second for each job beyond its predicted end.
    pub fn at(&self, now: Time, gone: &[JobId]) -> Rows {
        let mut rows = self.rows.clone();
        rows.profiles.iter_mut().for_each(|row| row.advance(now));
        for held in rows.held.values_mut().filter(|held| held.until <= now) {
            held.until = now + Time::SECOND;
            rows.profiles[held.row].take(Slot { from: now, to: held.until, amount: [held.size] });
        }
        for held in gone.iter().filter_map(|job| rows.held.remove(job)) {
            rows.profiles[held.row].give(held.slot(now));
        }
        rows
    }
}

/// The earliest start of a job in the rows that were looked at.
struct Earliest<'a> {
    rows: &'a Rows,
    need: Need,
    /// The start, and its row.
    at: Option<(Time, usize)>,
}

impl Earliest<'_> {
    /// Looks at a row from an instant on: it counts if the job could start earlier there, or as early in a lower row.
    fn look(&mut self, row: usize, from: Time) {
        let last = self.at.map_or(Time::MAX, |(at, best)| if row < best { at } else { at - Time::TICK });
        if last >= from
            && let Ok(at) = self.rows.profiles[row].search(from, last, [self.need.columns()], self.need.stay)
        {
            self.at = Some((at, row));
        }
    }
}

impl Rows {
    /// Records another reservation.
    pub fn take(&mut self, reserved: RowReservation) {
        self.profiles[reserved.row].take(reserved.slot);
    }

    /// Whether a job of the matrix has room in another row until its predicted end.
    pub fn has_room(&self, job: JobId, row: usize, now: Time) -> bool {
        self.held.get(&job).is_some_and(|held| self.profiles[row].has_room(held.slot(now)))
    }

    pub fn moves(&mut self, job: JobId, row: usize, now: Time) {
        if let Some(held) = self.held.get_mut(&job) {
            self.profiles[held.row].give(held.slot(now));
            held.row = row;
            self.profiles[row].take(held.slot(now));
        }
    }
}

impl Held {
    fn slot(self, now: Time) -> Slot<1> {
        Slot { from: now, to: self.until, amount: [self.size] }
    }
}

/// Passes on the largest rectangles below a profile that begin up to an instant: columns, and from when to when they are free.
/// O(steps up to the instant and the end of these rectangles).
fn rectangles(profile: &Profile<1>, upto: Time, mut tell: impl FnMut(i64, Time, Time)) {
    // Rectangles that have not ended; each is higher than the one before, and began later.
    let mut open: Vec<(Time, i64)> = Vec::new();
    for (at, [free]) in profile.since(profile.begin()) {
        let mut from = at;
        while let Some(&(begin, columns)) = open.last().filter(|&&(_, columns)| columns > free) {
            tell(columns, begin, at);
            from = begin;
            open.pop();
        }
        if from <= upto && free > 0 && open.last().is_none_or(|&(_, columns)| columns < free) {
            open.push((from, free));
        }
        if at > upto && open.is_empty() {
            return;
        }
    }
    for (from, columns) in open {
        tell(columns, from, Time::MAX);
    }
}

/// Returns the length of an interval, which may have no end.
fn lasts(from: Time, to: Time) -> Time {
    if to == Time::MAX { to } else { to - from }
}

/// Adds a room, unless another one is at least as large.
fn widen(rooms: &mut Vec<(i64, Time)>, room: (i64, Time)) {
    let within = |one: (i64, Time), other: (i64, Time)| one.0 <= other.0 && one.1 <= other.1;
    if !rooms.iter().any(|&other| within(room, other)) {
        rooms.retain(|&other| !within(other, room));
        rooms.push(room);
    }
}

fn slot(from: Time, need: Need) -> Slot<1> {
    Slot { from, to: from.saturating_add(need.stay), amount: [need.columns()] }
}

fn columns(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
