//! Jobs that their users cancelled while they waited.

use super::Trace;
use crate::{Column, Field, Time, status};

/// The name of the column: seconds from submission until the job was cancelled without having started.
pub const CANCELLED: &str = "cancelled";

/// The jobs of a log that never started because they were cancelled.
#[derive(Clone, Copy, Debug)]
pub struct Cancellations<'a> {
    trace: &'a Trace,
    column: Option<&'a Column>,
}

impl<'a> Cancellations<'a> {
    /// Returns the jobs that were cancelled before they started, and when: from the column `cancelled`, else from field 3
    /// of jobs with status 5 that have neither a run time nor allocated processors.
    pub fn of(trace: &'a Trace) -> Cancellations<'a> {
        Cancellations { trace, column: trace.job_column(CANCELLED) }
    }

    /// Returns how long after its submission a row's job was cancelled; `None` if it started, or if the log does not state when.
    pub fn after(&self, row: usize) -> Option<Time> {
        let trace = self.trace;
        let never_ran = trace.time(row, Field::Run) <= Time::ZERO;
        if !never_ran || trace.get(row, Field::Status).truncated() != status::CANCELLED {
            return None;
        }
        let told = self.column.map(|column| Time::from_ticks(column.get(row).to_micro()));
        let told = told.filter(|&after| after >= Time::ZERO);
        let waited = || {
            let never_held = trace.get(row, Field::Allocated).truncated() <= 0;
            Some(trace.time(row, Field::Wait)).filter(|&wait| never_held && wait >= Time::ZERO)
        };
        told.or_else(waited)
    }
}
