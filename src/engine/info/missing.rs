//! Fields that the log does not record.

use batchlab_traces::{Field, Trace};
use serde::Serialize;

use super::rows::share;

/// A field that is unknown (below zero) in some jobs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Missing {
    pub field: &'static str,
    /// Its number in the Standard Workload Format, from 1.
    pub number: usize,
    pub jobs: u64,
    pub share: f64,
}

/// Returns the fields that are unknown in some jobs, in the order of the format. Preceding job and think time
/// are left out, because -1 means there that the job has none.
pub(super) fn missing(trace: &Trace, rows: &[usize]) -> Vec<Missing> {
    let fields = Field::ALL.into_iter().filter(|field| !matches!(field, Field::Preceding | Field::Think));
    let missing = fields.map(|field| {
        let unknown = rows.iter().filter(|&&row| trace.get(row, field).is_unknown()).count() as u64;
        Missing {
            field: field.name(),
            number: field.index() + 1,
            jobs: unknown,
            share: share(unknown, rows.len() as u64),
        }
    });
    missing.filter(|missing| missing.jobs > 0).collect()
}
