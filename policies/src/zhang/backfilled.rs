//! Backfilling in the rows of a matrix.
//!
//! Reservations are made anew in Schedule, in queue order. Those of the last event are in force until then, so that
//! Compact does not move a job into them; those of Schedule-1 are in force in Collapse-2.
//!
//! Once nobody further back fits into what is free in any row, the walk through the queue stops: nobody there can start.
//! Their reservations are worked out as they would have been when somebody asks for them, which is when a job could be
//! moved, or when one of them may be due.

use batchlab_traces::{JobId, Time};

use super::gang::{size, start_heads};
use super::options::prediction;
use super::prediction::Prediction;
use super::reservations::{Need, Reservations};
use crate::policy::PolicyError;
use crate::spec::{Params, Setting};
use crate::support::books::Books;
use crate::support::front::Room;
use crate::support::matrix::Matrix;
use crate::support::matrix::compact::Guard;
use crate::support::matrix::schedule::Taking;
use crate::support::walk::Walk;
use crate::turn::Turn;

/// What a reservation that fell due and did not let its job start is counted as.
const SLIPPED: &str = "slipped reservations";

/// The reservations of waiting jobs, and when those in the matrix are predicted to end.
pub struct Backfilled {
    plan: Reservations,
    prediction: Prediction,
    /// When the plan was made.
    made: Time,
    /// Jobs whose reservations are due at this event.
    due: Vec<JobId>,
    /// Jobs that have left the matrix since the plan was made.
    gone: Vec<JobId>,
}

impl Backfilled {
    /// Returns the reservations of an empty machine.
    pub fn new(params: &Params, setting: &Setting<'_>, rows: usize, width: usize) -> Backfilled {
        Backfilled {
            plan: Reservations::new(rows, width),
            prediction: prediction(params, setting, rows),
            made: Time::ZERO,
            due: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// An event: time has passed since the reservations were made.
    ///
    /// # Errors
    /// When a job never fits.
    pub fn begins(&mut self, turn: &Turn<'_>, books: &Books<1>) -> Result<(), PolicyError> {
        let now = turn.now();
        if self.plan.first_change() <= now {
            self.complete(turn, books)?;
        }
        self.due = self.plan.due(now);
        Ok(())
    }

    /// A decision at which nothing has happened: the queue may be ranked anew, but reservations were made in the order that
    /// it had.
    ///
    /// # Errors
    /// When a job never fits.
    pub fn idles(&mut self, turn: &Turn<'_>, books: &Books<1>) -> Result<(), PolicyError> {
        if books.queue.is_lasting() { Ok(()) } else { self.complete(turn, books) }
    }

    /// A job has left the matrix, or the queue.
    pub fn leaves(&mut self, job: JobId) {
        self.due.retain(|&other| other != job);
        self.gone.push(job);
    }

    /// The event has been dealt with: counts who should have started and has not.
    pub fn ends(&mut self, turn: &mut Turn<'_>, matrix: &Matrix) {
        for job in std::mem::take(&mut self.due) {
            if matrix.seat(job).is_none() {
                turn.tally(SLIPPED);
            }
        }
    }

    /// Returns who watches over moves.
    pub fn guard<'a, 't>(&'a mut self, turn: &'a Turn<'t>, books: &'a Books<1>) -> Guarded<'a, 't> {
        Guarded { backfilled: self, turn, books, advanced: false, failed: Ok(()) }
    }

    /// Starts waiting jobs in queue order where that delays nobody who holds a reservation; all others hold one.
    ///
    /// # Errors
    /// When a job never fits.
    pub fn schedule(
        &mut self,
        turn: &mut Turn<'_>,
        books: &mut Books<1>,
        matrix: &mut Matrix,
        taking: Taking,
    ) -> Result<(), PolicyError> {
        start_heads(turn, books, matrix, taking)?;
        let now = turn.now();
        self.made = now;
        self.gone.clear();
        self.plan.reset(now, matrix, |job| {
            let estimate = books.estimates.expected(turn.job(job));
            self.prediction.end(turn, job, estimate)
        });
        let mut walk = Walk::new(&books.queue);
        while let Some(rank) = walk.next(&books.queue) {
            let job = rank.job();
            let room = Room::unreserved([most_free(matrix)]);
            if !turn.is_journalled() && books.queue.find(Some(rank), &room).is_none() {
                self.plan.leave_off();
                break;
            }
            let need = self.need(turn, books, job);
            let row = self.plan.row_now(now, matrix, need);
            let columns = row.and_then(|row| taking.take(matrix, row, need.size));
            if let (Some(row), Some(columns)) = (row, columns) {
                matrix.put(job, columns, row);
                self.plan.start(now, row, need);
                books.placed(turn, job)?;
                walk.started(&books.queue);
            } else {
                let at = self.plan.reserve(now, need)?;
                turn.promise(job, at);
                walk.leaves(job);
            }
        }
        Ok(())
    }

    fn need(&self, turn: &Turn<'_>, books: &Books<1>, job: JobId) -> Need {
        let estimate = books.estimates.expected(turn.job(job));
        let stay = self.prediction.duration(estimate).max(Time::SECOND);
        Need { job, size: size(turn, job), stay }
    }

    /// Works out the reservations of the rest of the queue, as of when the others were made.
    fn complete(&mut self, turn: &Turn<'_>, books: &Books<1>) -> Result<(), PolicyError> {
        if !self.plan.is_incomplete() {
            return Ok(());
        }
        let mut from = books.queue.first();
        while let Some(rank) = from.and_then(|from| books.queue.at_or_after(from)) {
            if !self.plan.has(rank.job()) {
                self.plan.reserve(self.made, self.need(turn, books, rank.job()))?;
            }
            from = Some(rank.next());
        }
        self.plan.completed();
        Ok(())
    }
}

fn most_free(matrix: &Matrix) -> i64 {
    let most = (0..matrix.height()).map(|row| matrix.free(row).len()).max().unwrap_or(0);
    i64::try_from(most).unwrap_or(i64::MAX)
}

/// Lets nobody move into what is reserved.
pub struct Guarded<'a, 't> {
    backfilled: &'a mut Backfilled,
    turn: &'a Turn<'t>,
    books: &'a Books<1>,
    /// Whether the plan has been completed and brought to the present.
    advanced: bool,
    failed: Result<(), PolicyError>,
}

impl Guarded<'_, '_> {
    /// Says whether all went well.
    ///
    /// # Errors
    /// When a job never fits.
    pub fn end(self) -> Result<(), PolicyError> {
        self.failed
    }

    /// Completes the plan as it was made, and brings it to the present.
    fn advance(&mut self) {
        if std::mem::replace(&mut self.advanced, true) {
            return;
        }
        let now = self.turn.now();
        self.failed = self.backfilled.complete(self.turn, self.books);
        self.backfilled.plan.advance(now);
        for job in self.backfilled.gone.drain(..) {
            self.backfilled.plan.leaves(job, now);
        }
    }
}

impl Guard for Guarded<'_, '_> {
    fn admits(&mut self, _: &Matrix, job: JobId, row: usize) -> bool {
        self.advance();
        self.failed.is_ok() && self.backfilled.plan.admits(job, row, self.turn.now())
    }

    fn moved(&mut self, matrix: &Matrix, job: JobId, _: usize) {
        if let Some(seat) = matrix.seat(job) {
            self.backfilled.plan.moves(job, seat.home(), self.turn.now());
        }
    }
}
