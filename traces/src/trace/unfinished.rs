//! Jobs that had not ended when their log was written.

use super::Trace;
use crate::column::Column;
use crate::field::Field;
use crate::header::ColumnScope;
use crate::time::Time;

/// The name of the column: seconds that a job had run when the log was written; 0 if it was waiting, -1 if
/// it had ended.
pub const ELAPSED: &str = "elapsed";

/// The beginning of the note that says when a log was written: `written`, the seconds since 1970, a colon and words.
pub const WRITTEN: &str = "written";

/// The state of a job when its log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It waited.
    Waiting,
    /// It had been running for this long.
    Running(Time),
}

/// The jobs of a log that had not ended when it was written.
#[derive(Clone, Copy, Debug)]
pub struct UnfinishedJobs<'a> {
    trace: &'a Trace,
    column: Option<&'a Column>,
}

impl Trace {
    /// Returns when the log was written, if a note says so.
    pub fn written(&self) -> Option<Time> {
        let seconds = self.header.noted(WRITTEN).next()?.number;
        Some(Time::from_secs(seconds.saturating_sub(self.header.unix_start_time?)))
    }

    /// Returns the jobs that had not ended when the log was written, from the column `elapsed`.
    pub fn unfinished(&self) -> UnfinishedJobs<'_> {
        let resources = &self.header.resources;
        let at = resources.iter().position(|known| known.name == ELAPSED && known.scope == ColumnScope::Job);
        UnfinishedJobs { trace: self, column: at.and_then(|at| self.resource_at(at)) }
    }
}

impl UnfinishedJobs<'_> {
    /// Returns the state of a row's job; `None` if it had ended.
    pub fn get(&self, row: usize) -> Option<Unfinished> {
        let elapsed = Time::from_ticks(self.column?.get(row).to_micro());
        if elapsed < Time::ZERO || !self.trace.get(row, Field::Run).is_unknown() {
            return None;
        }
        let started = !self.trace.get(row, Field::Wait).is_unknown();
        Some(if started { Unfinished::Running(elapsed) } else { Unfinished::Waiting })
    }
}
