//! The contents of a log: machine, period, jobs, users, sizes, times, offered load, and anomalies.
//!
//! All of it is a pure function of the [`Trace`]. Jobs are all records except parts of checkpointed jobs (status 2 to 4). Unknown
//! values (below zero) are left out of every distribution, which states its number of values.
#![allow(missing_docs)] // Most fields are keys of `info --format json`, whose names say what they hold.

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
mod rows;
mod spread;
mod table;
mod times;
mod usage;

use batchlab_traces::provenance::Source;
use batchlab_traces::{Finding, Trace};
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
use rows::job_rows;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Info {
    pub source: Source,
    pub machine: MachineFacts,
    pub period: Period,
    pub jobs: Jobs,
    pub sizes: SizeFacts,
    pub times: TimeFacts,
    /// Requested times as estimates; `None` if there are none.
    pub estimates: Option<EstimateAccuracy>,
    pub arrivals: ArrivalPattern,
    pub size_classes: Vec<SizeClass>,
    pub run_classes: Vec<RunClass>,
    /// The use of the machine by the log's own schedule; `None` if the log records no waits.
    pub usage: Option<Usage>,
    pub missing: Vec<Missing>,
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

#[cfg(test)]
mod tests;
