//! The row of a job, held until its steps were read.

use super::align::CellSpan;
use super::cells::Cells;
use super::layout::SacctColumns;
use crate::slurm::job::Usage;

/// The row of a job, kept until the next job's row: its steps follow it.
#[derive(Default)]
pub(super) struct Held {
    row: Vec<u8>,
    spans: Vec<CellSpan>,
    line: u32,
    single: bool,
    pub(super) full: bool,
    /// Whether stray lines below it were taken for a part of its last column.
    pub(super) trailed: bool,
    /// The resources that its steps used.
    pub(super) usage: Usage,
}

impl Held {
    pub(super) fn keep(&mut self, cells: &Cells<'_>) {
        self.row.clear();
        self.row.extend_from_slice(cells.row);
        self.spans.clear();
        self.spans.extend_from_slice(cells.spans);
        (self.line, self.single) = (cells.line, cells.single);
        (self.full, self.trailed, self.usage) = (true, false, Usage::default());
    }

    pub(super) fn cells<'a>(&'a self, layout: &'a SacctColumns) -> Cells<'a> {
        Cells { layout, row: &self.row, spans: &self.spans, line: self.line, single: self.single }
    }
}
