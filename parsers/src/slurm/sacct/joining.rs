//! Joins rows over several lines, and handles lines that belong to no row.

use batchlab_traces::Example;

use super::align::{Aligned, align, fits, split};
use super::cells::Cells;
use super::reader::Reader;
use crate::error::Result;
use crate::explain::Explanation;
use crate::lines::{End, Line};
use crate::reporter::{Reporter, quoted};
use crate::slurm::columns::ContentPattern;
use crate::slurm::kinds;

/// The most times that a row with enough separators that does not fit its columns is aligned again; after
/// that it is aligned only when the next row begins.
const ATTEMPTS: u32 = 16;

impl Reader {
    /// Takes a line that is not a row: it continues a free text in the last column, or is reported.
    pub(super) fn stray(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>) -> Result {
        let last = self.layout.as_ref().and_then(|layout| layout.columns.last());
        let text = last.is_some_and(|last| last.shape == ContentPattern::Free && last.is_loose());
        let kind = if text && self.held.full { &kinds::CONTINUED } else { &kinds::NOT_A_JOB };
        let again = text && std::mem::replace(&mut self.held.trailed, true);
        if !again {
            reporter.report(kind, line, line.bytes, |text| text)?;
        }
        Ok(())
    }

    pub(super) fn join(
        &mut self,
        line: &Line<'_>,
        reporter: &mut Reporter<'_>,
        explained: &mut Explanation,
    ) -> Result {
        if !self.partial.join(line.bytes) {
            self.close(reporter, explained)?;
            return Ok(reporter.report(&kinds::NOT_A_JOB, line, line.bytes, |text| text)?);
        }
        if self.partial.attempts >= ATTEMPTS {
            return Ok(());
        }
        match self.whole() {
            (Some(how), true) => self.joined(how, reporter, explained)?,
            (Some(_), false) => self.partial.attempts += 1,
            (None, _) => {}
        }
        Ok(())
    }

    /// Aligns the joined row; returns the result and whether every cell fits its column.
    fn whole(&mut self) -> (Option<Aligned>, bool) {
        let Some(layout) = &self.layout else { return (None, false) };
        split(&self.partial.row, &layout.delimiter, &mut self.spans);
        let aligned = align(&layout.columns, &self.partial.row, &mut self.spans);
        (aligned, fits(&layout.columns, &self.partial.row, &self.spans, ContentPattern::holds))
    }

    /// Takes a row that was joined from several lines.
    fn joined(&mut self, how: Aligned, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let partial = std::mem::take(&mut self.partial);
        let line = Line { number: partial.line, bytes: &partial.row, end: End::Feed };
        if partial.lines > 1 {
            reporter.report_at(&kinds::CONTINUED, partial.line, || format!("{} lines", partial.lines))?;
        }
        report_bars(how, &line, reporter)?;
        self.take(&partial.row, partial.line, partial.lines == 1, reporter, explained)?;
        self.partial.row = partial.row;
        Ok(())
    }

    /// Takes a row that was never completed, as far as it can be read.
    pub(super) fn close(&mut self, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        if !self.partial.open() {
            return Ok(());
        }
        if self.partial.below() == 0 {
            // Blank lines at the end of a log do not complete a row.
            self.partial.shorten();
        }
        if let (Some(how), true) = self.whole() {
            return self.joined(how, reporter, explained);
        }
        let Some(layout) = &self.layout else { return Ok(()) };
        split(self.partial.first(), &layout.delimiter, &mut self.spans);
        if let Some(how) = align(&layout.columns, self.partial.first(), &mut self.spans) {
            // The first line was complete; the lines below do not belong to it.
            let place = reporter.place(self.partial.line + 1);
            let detail = || Example { place: Some(place), detail: "below a row with an odd value".into() };
            reporter.findings.report_many(&kinds::NOT_A_JOB, self.partial.below(), detail)?;
            self.partial.shorten();
            return self.joined(how, reporter, explained);
        }
        if self.whole().0.is_some() {
            return self.joined(Aligned::Unsure, reporter, explained);
        }
        let Some(layout) = &self.layout else { return Ok(()) };
        let partial = std::mem::take(&mut self.partial);
        // The last cell may be cut; after a joined text no column is certain.
        let certain = if partial.lines > 1 { layout.head } else { self.spans.len().saturating_sub(1) };
        let certain = certain.max(1).min(self.spans.len());
        self.spans.truncate(certain);
        for (span, column) in self.spans.iter_mut().zip(&layout.columns) {
            if !column.shape.seems(&partial.row[span.0 as usize..span.1 as usize]) {
                span.1 = span.0;
            }
        }
        let length = partial.row.len() as u32;
        self.spans.resize(layout.columns.len(), (length, length));
        let cells = Cells { layout, row: &partial.row, spans: &self.spans, line: partial.line, single: true };
        if cells.id().is_some() {
            reporter.report_at(&kinds::SHORT_ROW, partial.line, || quoted(&partial.row))?;
        }
        self.take(&partial.row, partial.line, partial.lines == 1, reporter, explained)
    }
}

pub(super) fn report_bars(how: Aligned, line: &Line<'_>, reporter: &mut Reporter<'_>) -> Result {
    let kind = match how {
        Aligned::Plain => return Ok(()),
        Aligned::Sure => &kinds::BARS,
        Aligned::Unsure => &kinds::BARS_UNCLEAR,
    };
    Ok(reporter.report(kind, line, line.bytes, |text| text)?)
}
