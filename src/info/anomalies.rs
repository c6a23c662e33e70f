//! What is odd about a log: a registry of checks, one line each.
//!
//! Nothing is changed, so a check tells what it saw and lets it stand. What a replay makes of the same jobs is
//! another matter: [`super::Replay`].

mod capacity;
mod flurries;
mod header;
mod order;
mod registry;
mod requests;

use batchlab_traces::{Example, Findings, Kind, SourcePlace, Trace};

use super::Usage;

pub use registry::{ANOMALIES, Anomaly};

/// A log as the checks see it.
#[derive(Clone, Copy, Debug)]
pub struct Log<'a> {
    /// All of it.
    pub trace: &'a Trace,
    /// The rows that are jobs.
    pub rows: &'a [usize],
    /// Its own schedule, where it is recorded.
    pub usage: Option<&'a Usage>,
}

/// What a check saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many.
    pub count: u64,
    /// The first few: the row, or `None` for the log as a whole, and the particulars.
    pub examples: Vec<(Option<usize>, String)>,
}

/// Examples that are kept.
const EXAMPLES: usize = 3;

impl Seen {
    /// Returns something that was seen so many times of the log as a whole.
    pub fn of_log(count: u64, detail: impl Into<String>) -> Seen {
        Seen { count, examples: vec![(None, detail.into())] }
    }

    /// Returns something that was seen in rows, with the particulars of the first few.
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

/// Makes all checks, in the order of the registry.
pub(super) fn find(log: &Log<'_>) -> Findings {
    let mut findings = Findings::lenient();
    for anomaly in ANOMALIES {
        let seen = (anomaly.look)(log);
        // The first example stands for all that have none.
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
    // Lenient findings refuse nothing.
    let _ = findings.report_many(kind, count, || Example { place, detail });
}
