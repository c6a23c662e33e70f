//! The row that waits for its steps.

use super::align::Span;
use super::cells::Cells;
use super::layout::Layout;
use crate::slurm::job::Usage;

/// A row of a job, kept until the next one: its steps follow it.
#[derive(Default)]
pub(super) struct Held {
    row: Vec<u8>,
    spans: Vec<Span>,
    line: u32,
    single: bool,
    /// Whether there is one.
    pub(super) full: bool,
    /// Whether stray lines below were taken for the rest of its last column.
    pub(super) trailed: bool,
    /// What its steps used.
    pub(super) usage: Usage,
}

impl Held {
    /// Keeps a row.
    pub(super) fn keep(&mut self, cells: &Cells<'_>) {
        self.row.clear();
        self.row.extend_from_slice(cells.row);
        self.spans.clear();
        self.spans.extend_from_slice(cells.spans);
        (self.line, self.single) = (cells.line, cells.single);
        (self.full, self.trailed, self.usage) = (true, false, Usage::default());
    }

    /// Returns the cells of the row.
    pub(super) fn cells<'a>(&'a self, layout: &'a Layout) -> Cells<'a> {
        Cells { layout, row: &self.row, spans: &self.spans, line: self.line, single: self.single }
    }
}
