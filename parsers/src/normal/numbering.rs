//! Job numbers: the log's own where they do.

use std::collections::{HashMap, HashSet};

use batchlab_traces::{Field, Number, Trace};

use super::rules;
use crate::desk::Desk;
use crate::error::ReadError;

/// One job in so many may have a number that does not do before all are numbered anew.
const FEW: usize = 100;

/// What numbers the jobs have.
pub(super) enum Numbering {
    /// The log's own, but for some rows.
    Own(HashMap<u32, i64>),
    /// The order of submission, from 1.
    Counter,
}

impl Numbering {
    /// Looks whether the log's own numbers do: a few that are missing or given twice (the runs of requeued jobs)
    /// get numbers above the highest; when there are many, all jobs are counted.
    ///
    /// # Errors
    /// A strict refusal.
    pub(super) fn of(trace: &Trace, rows: &[u32], desk: &mut Desk<'_>) -> Result<Numbering, ReadError> {
        let column = trace.column(Field::Job);
        if column.constant().is_some_and(Number::is_unknown) {
            return Ok(Numbering::Counter);
        }
        let mut seen = HashSet::with_capacity(rows.len());
        let number = |row: u32| column.whole(row as usize);
        let odd: Vec<u32> =
            rows.iter().copied().filter(|&row| number(row) < 0 || !seen.insert(number(row))).collect();
        for &row in &odd {
            let detail = || format!("job number {} is missing or given twice", number(row));
            desk.report_at(&rules::NUMBERED, trace.line(row as usize), detail)?;
        }
        if odd.len() * FEW > rows.len() {
            return Ok(Numbering::Counter);
        }
        let highest = seen.iter().copied().max().unwrap_or(0);
        Ok(Numbering::Own(odd.into_iter().zip(highest.saturating_add(1)..).collect()))
    }

    /// Returns the number of a row that comes at this place, from 1, in the order of submission; `None` for the
    /// log's own.
    pub(super) fn number(&self, row: u32, place: i64) -> Option<i64> {
        match self {
            Numbering::Own(others) => others.get(&row).copied(),
            Numbering::Counter => Some(place),
        }
    }
}
