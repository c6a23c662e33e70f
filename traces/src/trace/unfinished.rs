use super::Trace;
use crate::{Column, Field, Time};

/// The name of the column: seconds that a job had run when the log was written; 0 if it was waiting, -1 if it had ended.
pub const ELAPSED: &str = "elapsed";

/// The name of the column: what a job that had started did when the log was written, 1 if it was suspended and 2 if it was ending.
pub const STAGE: &str = "stage";

/// The beginning of the note that says when a log was written: `written`, the seconds since 1970, a colon and words.
pub const WRITTEN: &str = "written";

/// The state of a job when its log was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It waited.
    Waiting,
    /// It had been running for this long.
    Running(Time),
    /// It had run for this long, and was suspended: its processors were free.
    Suspended(Time),
    /// It had run for this long, and its end was being worked on: it still had its processors.
    Ending(Time),
}

/// The jobs of a log that had not ended when it was written.
#[derive(Clone, Copy, Debug)]
pub struct UnfinishedJobs<'a> {
    trace: &'a Trace,
    column: Option<&'a Column>,
    stage: Option<&'a Column>,
}

impl Trace {
    /// Returns when the log was written, if a note says so.
    pub fn written(&self) -> Option<Time> {
        let seconds = self.header.noted(WRITTEN).next()?.number;
        Some(Time::from_secs(seconds.saturating_sub(self.header.unix_start_time?)))
    }

    /// Returns the jobs that had not ended when the log was written, from the columns `elapsed` and `stage`.
    pub fn unfinished(&self) -> UnfinishedJobs<'_> {
        UnfinishedJobs { trace: self, column: self.job_column(ELAPSED), stage: self.job_column(STAGE) }
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
        let stage = self.stage.map_or(0, |stage| stage.whole(row));
        Some(match (started, stage) {
            (false, _) => Unfinished::Waiting,
            (true, 1) => Unfinished::Suspended(elapsed),
            (true, 2) => Unfinished::Ending(elapsed),
            (true, _) => Unfinished::Running(elapsed),
        })
    }
}
