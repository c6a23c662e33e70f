//! The time limits of jobs: how long each may run, that it may run for ever, or that its log does not say.

use super::Trace;
use crate::notation::Bound;
use crate::{Column, Field, Time};

/// The name of the column: 1 if the log states that the job has no time limit.
pub const NO_LIMIT: &str = "no_limit";

/// The time limits of a log's jobs.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits<'a> {
    trace: &'a Trace,
    column: Option<&'a Column>,
}

impl<'a> TimeLimits<'a> {
    /// Returns the time limits of a log's jobs: from field 9, and from the column `no_limit`.
    pub fn of(trace: &'a Trace) -> TimeLimits<'a> {
        TimeLimits { trace, column: trace.job_column(NO_LIMIT) }
    }

    /// Returns the limit of a row's job; `None` if the log does not state whether it has one. A number in field 9, which a step or
    /// a rule may have written, is a limit whatever the column says.
    #[inline]
    pub fn get(&self, row: usize) -> Option<Bound<Time>> {
        let limit = self.trace.time(row, Field::RequestedTime);
        if limit > Time::ZERO {
            return Some(Bound::Most(limit));
        }
        self.column.filter(|column| column.whole(row) > 0).map(|_| Bound::Unlimited)
    }
}
