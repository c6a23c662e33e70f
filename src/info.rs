//! What is in a log: machine, period, jobs, users, sizes, times, offered load, and what is odd about it.
//!
//! All of it is a pure function of the [`Trace`]. Jobs are the lines that are no parts of checkpointed jobs
//! (status 2 to 4); unknown values (below zero) are left out of every distribution, which says how many it
//! is over.

mod contradictions;
mod jobs;
mod machine;
mod period;
mod replay;
mod spread;
mod times;

use batchlab_traces::provenance::Source;
use batchlab_traces::{Field, Finding, Trace, status};
use serde::Serialize;

pub use jobs::{Busy, Group, Jobs, StatusCount};
pub use machine::{MachineFacts, Memory};
pub use period::{Moment, Period};
pub use replay::{Load, Replay};
pub use spread::Spread;
pub use times::{Sizes, Times};

/// What is in a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Info {
    /// Where it comes from.
    pub source: Source,
    /// The machine, as the header has it.
    pub machine: MachineFacts,
    /// From when to when.
    pub period: Period,
    /// Who submitted how many.
    pub jobs: Jobs,
    /// How large.
    pub sizes: Sizes,
    /// How long, and how well that was known in advance.
    pub times: Times,
    /// What is known about memory and further resources.
    pub memory: Memory,
    /// What a replay with default options would be given.
    pub replay: Replay,
    /// What is odd about the log: what reading it found, and where the header contradicts the jobs.
    pub findings: Vec<Finding>,
}

impl Info {
    /// Looks through a log. O(n log n).
    pub fn of(trace: &Trace) -> Info {
        let rows = job_rows(trace);
        let jobs = Jobs::of(trace, &rows);
        let mut findings = trace.findings.clone();
        findings.extend(contradictions::find(trace, &rows));
        Info {
            source: trace.provenance.source.clone(),
            machine: MachineFacts::of(trace),
            period: Period::of(trace, &rows),
            sizes: Sizes::of(trace, &rows),
            times: Times::of(trace, &rows),
            memory: Memory::of(trace, &rows),
            replay: Replay::of(trace),
            findings: findings.list().to_vec(),
            jobs,
        }
    }
}

/// Returns the rows that are jobs, not parts of jobs.
fn job_rows(trace: &Trace) -> Vec<usize> {
    let column = trace.column(Field::Status);
    (0..trace.len()).filter(|&row| !status::is_part(column.whole(row))).collect()
}

/// Returns a field of a row in seconds; `None` when it is unknown.
fn secs(trace: &Trace, row: usize, field: Field) -> Option<f64> {
    Some(trace.get(row, field)).filter(|number| !number.is_unknown()).map(batchlab_traces::Number::to_f64)
}

/// Returns a part of a whole; 0 of nothing.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests;
