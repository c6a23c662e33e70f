//! What a check of a log gets, and what it has seen.

use batchlab_traces::Trace;

use crate::info::usage::Usage;

#[derive(Clone, Copy, Debug)]
pub struct Log<'a> {
    pub trace: &'a Trace,
    pub rows: &'a [usize],
    /// Its own schedule, if it is recorded.
    pub usage: Option<&'a Usage>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub count: u64,
    /// The first few cases: the row, or `None` for the log as a whole, and the details.
    pub examples: Vec<(Option<usize>, String)>,
}

pub(super) const EXAMPLES: usize = 3;

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
