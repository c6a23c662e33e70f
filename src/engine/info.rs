//! The contents of a log: machine, period, jobs, users, sizes, times, offered load, and anomalies.
//!
//! All of it is a pure function of the [`Trace`]. Jobs are all records except parts of checkpointed jobs
//! (status 2 to 4). Unknown values (below zero) are left out of every distribution, which states its number
//! of values.

pub mod anomalies;
mod arrivals;
pub mod charts;
mod classes;
pub mod columns;
mod estimates;
mod jobs;
mod machine;
mod missing;
mod period;
mod replay;
mod spread;
mod table;
mod times;
mod usage;

use batchlab_traces::provenance::Source;
use batchlab_traces::reading::Size;
use batchlab_traces::workload::size;
use batchlab_traces::{Field, Finding, Trace, status};
use serde::Serialize;

pub use arrivals::{ArrivalPattern, WeeklyCycle};
pub use classes::{RunClass, SizeClass};
pub use estimates::{EstimateAccuracy, Modal};
pub use jobs::{Busy, Jobs, QueueJobs, StatusCount};
pub use machine::{MachineFacts, MemoryFacts};
pub use missing::Missing;
pub use period::{LogInstant, Period};
pub use replay::{Load, Replay};
pub use spread::Spread;
pub use table::{DEFAULT_COLUMNS, logs_table};
pub use times::{SizeFacts, TimeFacts};
pub use usage::Usage;

use anomalies::Log;

/// The contents of a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Info {
    /// Its source.
    pub source: Source,
    /// The machine, as the header has it.
    pub machine: MachineFacts,
    /// Its period.
    pub period: Period,
    /// Jobs by status, queue and user.
    pub jobs: Jobs,
    /// Sizes of jobs.
    pub sizes: SizeFacts,
    /// Times of jobs, and the accuracy of requests.
    pub times: TimeFacts,
    /// Requested times as estimates; `None` if there are none.
    pub estimates: Option<EstimateAccuracy>,
    /// The arrivals of jobs.
    pub arrivals: ArrivalPattern,
    /// Jobs by size.
    pub size_classes: Vec<SizeClass>,
    /// Jobs by run time.
    pub run_classes: Vec<RunClass>,
    /// The use of the machine by the log's own schedule; `None` if the log records no waits.
    pub usage: Option<Usage>,
    /// Fields that are unknown in some jobs.
    pub missing: Vec<Missing>,
    /// Facts about memory and further resources.
    pub memory: MemoryFacts,
    /// The workload that a replay with default options would get.
    pub replay: Replay,
    /// Findings: those of reading the log, then [`anomalies::ANOMALIES`].
    pub findings: Vec<Finding>,
}

impl Info {
    /// Analyses a log. O(n log n).
    pub fn of(trace: &Trace) -> Info {
        let rows = job_rows(trace);
        let jobs = Jobs::of(trace, &rows);
        let usage = Usage::of(trace, &rows);
        let mut findings = trace.findings.clone();
        findings.extend(anomalies::find(&Log { trace, rows: &rows, usage: usage.as_ref() }));
        Info {
            source: trace.provenance.source.clone(),
            machine: MachineFacts::of(trace),
            period: Period::of(trace, &rows),
            sizes: SizeFacts::of(trace, &rows),
            times: TimeFacts::of(trace, &rows),
            estimates: EstimateAccuracy::of(trace, &rows),
            arrivals: ArrivalPattern::of(trace, &rows),
            size_classes: classes::size_classes(trace, &rows),
            run_classes: classes::run_classes(trace, &rows),
            usage,
            missing: missing::missing(trace, &rows),
            memory: MemoryFacts::of(trace, &rows),
            replay: Replay::of(trace),
            findings: findings.list().to_vec(),
            jobs,
        }
    }
}

/// Returns the rows that are jobs rather than parts of jobs.
fn job_rows(trace: &Trace) -> Vec<usize> {
    let column = trace.column(Field::Status);
    (0..trace.len()).filter(|&row| !status::is_part(column.whole(row))).collect()
}

/// Returns a field of a row in seconds; `None` if it is unknown.
fn secs(trace: &Trace, row: usize, field: Field) -> Option<f64> {
    Some(trace.get(row, field)).filter(|number| !number.is_unknown()).map(batchlab_traces::Number::to_f64)
}

/// Returns processors × run time of a row, in processor-seconds; 0 if either is unknown.
fn work(trace: &Trace, row: usize) -> f64 {
    size(trace, Size::Requested, row).unwrap_or(0) as f64 * secs(trace, row, Field::Run).unwrap_or(0.0)
}

/// Returns a part divided by the whole; 0 if the whole is 0.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests;
