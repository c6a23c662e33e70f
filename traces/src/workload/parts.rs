//! Checkpointed jobs: several lines for one job.

use crate::sorted::{SortedMap, SortedSet};
use crate::{Field, Time, Trace, status};

/// The rows that represent a job, if a log has lines for parts of jobs.
#[derive(Debug, Default)]
pub struct Parts {
    /// Rows to be skipped: parts of a job with a summary line, or later parts of a joined job.
    pub skipped: SortedSet<usize>,
    /// First parts of jobs without a summary line, with the total run time of all their parts.
    pub joined: SortedMap<usize, Time>,
}

impl Parts {
    /// Finds the parts of a trace. O(n), and without parts nothing is allocated.
    pub fn find(trace: &Trace) -> Parts {
        let mut parts = Parts::default();
        let column = trace.column(Field::Status);
        let is_part = |row: usize| status::is_part(column.whole(row));
        let rows: Vec<usize> = (0..trace.len()).filter(|&row| is_part(row)).collect();
        if rows.is_empty() {
            return parts;
        }
        let number = |row: usize| trace.get(row, Field::Job).truncated();
        let wanted: SortedSet<i64> = rows.iter().map(|&row| number(row)).collect();
        let summaries: SortedSet<i64> = (0..trace.len())
            .filter(|&row| !is_part(row))
            .map(number)
            .filter(|number| wanted.contains(number))
            .collect();
        let mut first_part = SortedMap::new();
        for row in rows {
            let run = trace.time(row, Field::Run).max(Time::ZERO);
            if summaries.contains(&number(row)) {
                parts.skipped.insert(row);
            } else if let Some(first) = first_part.get(&number(row)) {
                parts.skipped.insert(row);
                if let Some(total) = parts.joined.get_mut(first) {
                    *total = total.saturating_add(run);
                }
            } else {
                first_part.insert(number(row), row);
                parts.joined.insert(row, run);
            }
        }
        parts
    }
}
