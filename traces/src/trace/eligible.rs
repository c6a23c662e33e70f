//! When jobs became eligible to start: jobs may be held, depend on other jobs or be postponed.

use super::Trace;
use crate::{Column, Field, Time};

/// The name of the column: seconds from submission until the job became eligible to start.
pub const ELIGIBLE: &str = "eligible";

/// How long after their submission the jobs of a log became eligible.
#[derive(Clone, Copy, Debug)]
pub struct Holds<'a> {
    trace: &'a Trace,
    /// `None` if no job was held.
    column: Option<&'a Column>,
}

impl<'a> Holds<'a> {
    /// Returns how long jobs were held back after their submission, from the column `eligible`. O(n).
    pub fn of(trace: &'a Trace) -> Holds<'a> {
        let column = trace.job_column(ELIGIBLE);
        Holds { trace, column: column.filter(|column| column.iter().any(|held| held.value > 0)) }
    }

    /// Whether any job was held.
    pub fn any(&self) -> bool {
        self.column.is_some()
    }

    /// Returns the number of jobs held.
    pub fn count(&self) -> u64 {
        (0..self.trace.len()).filter(|&row| self.any() && self.get(row) > Time::ZERO).count() as u64
    }

    /// Returns how long after its submission a row's job became eligible: zero if unknown, and no longer than until it started.
    pub fn get(&self, row: usize) -> Time {
        let Some(column) = self.column else { return Time::ZERO };
        let held = Time::from_ticks(column.get(row).to_micro()).max(Time::ZERO);
        match self.trace.time(row, Field::Wait) {
            wait if wait >= Time::ZERO => held.min(wait),
            _ => held,
        }
    }
}
