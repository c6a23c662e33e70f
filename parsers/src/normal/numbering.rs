//! Job numbers: the log's own where they are usable.

use std::collections::{HashMap, HashSet};

use batchlab_traces::{Field, Number, Trace};

use super::rules;
use crate::error::Result;
use crate::reporter::Reporter;

pub(super) enum Numbering {
    /// The log's own numbers, except for the listed rows.
    Own(HashMap<u32, i64>),
    /// The order of submission, from 1: the log has no numbers.
    Counter,
}

impl Numbering {
    /// Replaces missing numbers (tasks of an array may share one) and repeated numbers (later runs of requeued jobs) by numbers above
    /// the highest, so that every number is unique.
    pub(super) fn of(trace: &Trace, rows: &[u32], reporter: &mut Reporter<'_>) -> Result<Numbering> {
        let column = trace.column(Field::Job);
        let arrays = ["array", "het_job"].map(|name| trace.resource(name));
        if column.constant().is_some_and(Number::is_unknown) && arrays.iter().all(Option::is_none) {
            return Ok(Numbering::Counter);
        }
        let mut seen = HashSet::with_capacity(rows.len());
        let number = |row: u32| column.whole(row as usize);
        let odd: Vec<u32> =
            rows.iter().copied().filter(|&row| number(row) < 0 || !seen.insert(number(row))).collect();
        for &row in &odd {
            let detail = || match number(row) {
                missing if missing < 0 => "job number missing".into(),
                twice => format!("job number {twice} given twice"),
            };
            reporter.report_at(&rules::NUMBERED, trace.line(row as usize), detail)?;
        }
        let shared = arrays.into_iter().flatten().flat_map(|column| column.iter().map(Number::truncated));
        let highest = seen.into_iter().chain(shared).max().unwrap_or(0).max(0);
        Ok(Numbering::Own(odd.into_iter().zip(highest.saturating_add(1)..).collect()))
    }

    /// Whether some jobs have a number other than the log's own.
    pub(super) fn is_apart(&self) -> bool {
        matches!(self, Numbering::Own(others) if !others.is_empty())
    }

    /// Returns the number of a row at this place, from 1, in the order of submission; `None` for the log's own number.
    pub(super) fn number(&self, row: u32, place: i64) -> Option<i64> {
        match self {
            Numbering::Own(others) => others.get(&row).copied(),
            Numbering::Counter => Some(place),
        }
    }
}
