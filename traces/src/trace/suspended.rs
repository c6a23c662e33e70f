//! Jobs that were suspended after their start: their run time leaves the suspensions out, so that they left the machine later than
//! start and run time say.

use super::Trace;
use crate::{Column, Field, Time};

/// The name of the column: seconds for which a job was suspended after its start.
pub const SUSPENDED: &str = "suspended";

/// The name of the column: seconds from the start of a job to its first suspension, if the log says when that was.
pub const SUSPENDED_FROM: &str = "suspended_from";

/// The name of the column: seconds from the start of a job to the end of its last suspension, if the log says when that was.
pub const SUSPENDED_UNTIL: &str = "suspended_until";

/// How long a job was suspended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suspension {
    /// In all.
    pub total: Time,
    /// From the first suspension to the end of the last one, counted from the start; `None` if the log does not say when.
    pub between: Option<(Time, Time)>,
}

/// The suspensions of a log's jobs.
#[derive(Clone, Copy, Debug)]
pub struct Suspensions<'a> {
    trace: &'a Trace,
    columns: [Option<&'a Column>; 3],
}

impl<'a> Suspensions<'a> {
    /// Returns the suspensions of a log's jobs, from the columns `suspended`, `suspended_from` and `suspended_until`.
    pub fn of(trace: &'a Trace) -> Suspensions<'a> {
        let columns = [SUSPENDED, SUSPENDED_FROM, SUSPENDED_UNTIL].map(|name| trace.job_column(name));
        Suspensions { trace, columns }
    }

    /// Whether the log has suspended jobs.
    pub fn any(&self) -> bool {
        self.columns[0].is_some()
    }

    /// Returns how long a row's job was suspended; nothing if the log does not say.
    #[inline]
    pub fn get(&self, row: usize) -> Suspension {
        if self.any() { self.told(row) } else { Suspension::default() }
    }

    fn told(&self, row: usize) -> Suspension {
        let [total, from, until] = self.columns.map(|column| {
            let told = Time::from_ticks(column?.get(row).to_micro());
            Some(told).filter(|told| (Time::ZERO..=Time::FARTHEST).contains(told))
        });
        let between = from.zip(until).filter(|&(from, until)| until - from >= total.unwrap_or_default());
        Suspension { total: total.unwrap_or_default(), between }
    }

    /// Returns the time that a row's job was on the machine, suspensions included; `None` if its run time is unknown.
    pub fn stay(&self, row: usize) -> Option<Time> {
        let run = Some(self.trace.time(row, Field::Run));
        let run = run.filter(|run| (Time::ZERO..=Time::FARTHEST).contains(run))?;
        Some(run.saturating_add(self.get(row).total))
    }
}

impl Suspension {
    /// Returns the parts of a stay of some length, from the start, in which the job certainly had its processors: before the first
    /// suspension and after the last one. If the log does not say when it was suspended, this is the instant of the start.
    pub fn certain(&self, stay: Time) -> [(Time, Time); 2] {
        match self.between {
            _ if self.total <= Time::ZERO => [(Time::ZERO, stay), (stay, stay)],
            Some((from, until)) => [(Time::ZERO, from.min(stay)), (until.min(stay), stay)],
            None => [(Time::ZERO, Time::TICK.min(stay)), (stay, stay)],
        }
    }
}
