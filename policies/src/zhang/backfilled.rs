//! Backfilling in the rows of a matrix.
//!
//! Schedule recomputes all reservations, in queue order. The reservations of the last event hold until then,
//! so that Compact does not move a job into them; those of Schedule-1 hold in Collapse-2.
//!
//! The walk through the queue stops once no job further back fits into the free columns of any row: no job
//! there can start. Their reservations are computed later, as of the same event, when they are needed: when
//! a job could be moved, or when one of them may be due.

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
use crate::tally;
use crate::turn::Turn;

/// The reservations of waiting jobs, and the predicted ends of the jobs in the matrix.
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

    /// An event: brings the reservations to the present.
    ///
    /// # Errors
    /// When a job can never fit.
    pub fn begins(&mut self, turn: &Turn<'_>, books: &Books<1>) -> Result<(), PolicyError> {
        let now = turn.now();
        if self.plan.first_change() <= now {
            self.complete(turn, books)?;
        }
        self.due = self.plan.due(now);
        Ok(())
    }

    /// A decision without an event. The queue may be re-ranked now, so missing reservations are computed
    /// first, in the order in which the others were made.
    ///
    /// # Errors
    /// When a job can never fit.
    pub fn idles(&mut self, turn: &Turn<'_>, books: &Books<1>) -> Result<(), PolicyError> {
        if books.queue.is_lasting() { Ok(()) } else { self.complete(turn, books) }
    }

    /// A job has left the matrix, or the queue.
    pub fn leaves(&mut self, job: JobId) {
        self.due.retain(|&other| other != job);
        self.gone.push(job);
    }

    /// The end of an event: counts the jobs that were due and have not started.
    pub fn ends(&mut self, turn: &mut Turn<'_>, matrix: &Matrix) {
        for job in std::mem::take(&mut self.due) {
            if matrix.seat(job).is_none() {
                turn.tally(tally::SLIPPED);
            }
        }
    }

    /// Returns the guard that checks moves.
    pub fn guard<'a, 't>(&'a mut self, turn: &'a Turn<'t>, books: &'a Books<1>) -> Guarded<'a, 't> {
        Guarded { backfilled: self, turn, books, advanced: false, failed: Ok(()) }
    }

    /// Starts waiting jobs in queue order if this delays no reservation; every other job gets a reservation.
    ///
    /// # Errors
    /// When a job can never fit.
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

    /// Computes the reservations of the rest of the queue, as of the instant at which the others were made.
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

/// Prevents jobs from moving into reserved columns.
pub struct Guarded<'a, 't> {
    backfilled: &'a mut Backfilled,
    turn: &'a Turn<'t>,
    books: &'a Books<1>,
    /// Whether the plan has been completed and brought to the present.
    advanced: bool,
    failed: Result<(), PolicyError>,
}

impl Guarded<'_, '_> {
    /// Returns an error that occurred during moves.
    ///
    /// # Errors
    /// When a job can never fit.
    pub fn end(self) -> Result<(), PolicyError> {
        self.failed
    }

    /// Completes the plan as of its instant, and brings it to the present.
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
