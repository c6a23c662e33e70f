//! Anomalies of a log: a registry of checks, one line each.
//!
//! A check reports what it found and changes nothing. What a replay does with the same jobs is in [`super::Replay`].

mod capacity;
mod flurries;
mod header;
mod order;
mod registry;
mod requests;
mod seen;

use batchlab_traces::{Example, Findings, SourcePlace};

pub use registry::{ANOMALIES, Anomaly};
pub use seen::{Log, Seen};

/// Runs all checks, in the order of the registry.
pub(super) fn find(log: &Log<'_>) -> Findings {
    let mut findings = Findings::lenient();
    for anomaly in ANOMALIES {
        let seen = (anomaly.look)(log);
        // The count of the first example includes all cases that have no example of their own.
        let further = seen.examples.len().saturating_sub(1) as u64;
        let mut count = seen.count.saturating_sub(further);
        for (row, detail) in seen.examples {
            let whole = || SourcePlace { file: log.trace.file(), line: 0, column: 0 };
            let place = Some(row.map_or_else(whole, |row| log.trace.place(row)));
            // A lenient collection refuses nothing.
            let _ = findings.report_many(anomaly.kind, count, || Example { place, detail });
            count = 1;
        }
    }
    findings
}
