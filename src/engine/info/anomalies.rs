//! Anomalies of a log: a registry of checks, one line each.
//!
//! A check reports what it found and changes nothing. What a replay does with the same jobs is in
//! [`super::Replay`].

mod capacity;
mod flurries;
mod header;
mod order;
mod registry;
mod requests;

use batchlab_traces::{Example, Findings, Kind, SourcePlace, Trace};

use super::Usage;

pub use registry::{ANOMALIES, Anomaly};

/// The input of the checks.
#[derive(Clone, Copy, Debug)]
pub struct Log<'a> {
    /// The whole log.
    pub trace: &'a Trace,
    /// The rows that are jobs.
    pub rows: &'a [usize],
    /// Its own schedule, if it is recorded.
    pub usage: Option<&'a Usage>,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The number of cases.
    pub count: u64,
    /// The first few cases: the row, or `None` for the log as a whole, and the details.
    pub examples: Vec<(Option<usize>, String)>,
}

/// The most examples kept.
const EXAMPLES: usize = 3;

impl Seen {
    /// Returns a result about the log as a whole, with the number of cases.
    pub fn of_log(count: u64, detail: impl Into<String>) -> Seen {
        Seen { count, examples: vec![(None, detail.into())] }
    }

    /// Returns a result about rows, with the details of the first few.
    pub fn in_rows(rows: impl Iterator<Item = usize>, detail: impl Fn(usize) -> String) -> Seen {
        let mut seen = Seen::default();
        for row in rows {
            seen.count += 1;
            if seen.examples.len() < EXAMPLES {
                seen.examples.push((Some(row), detail(row)));
            }
        }
        seen
    }
}

/// Runs all checks, in the order of the registry.
pub(super) fn find(log: &Log<'_>) -> Findings {
    let mut findings = Findings::lenient();
    for anomaly in ANOMALIES {
        let seen = (anomaly.look)(log);
        // The count of the first example includes all cases that have no example of their own.
        let further = seen.examples.len().saturating_sub(1) as u64;
        let mut count = seen.count.saturating_sub(further);
        for (row, detail) in seen.examples {
            report(log.trace, &mut findings, anomaly.kind, count, row, detail);
            count = 1;
        }
    }
    findings
}

fn report(
    trace: &Trace,
    findings: &mut Findings,
    kind: &'static Kind,
    count: u64,
    row: Option<usize>,
    detail: String,
) {
    let whole = || SourcePlace { file: trace.file(), line: 0, column: 0 };
    let place = Some(row.map_or_else(whole, |row| trace.place(row)));
    // A lenient collection refuses nothing.
    let _ = findings.report_many(kind, count, || Example { place, detail });
}
