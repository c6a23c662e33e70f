use std::cmp::Ordering;

use batchlab_traces::Kind;

use super::align::{CellSpan, align, fits, split};
use super::cells::Cells;
use super::joining::report_bars;
use super::layout::{SacctColumns, fixed_width};
use super::not_sacct;
use super::rows::Held;
use crate::error::Result;
use crate::explain::Explanation;
use crate::lines::{End, Line, TOO_LONG};
use crate::pass::LineReader;
use crate::reporter::{Reporter, quoted};
use crate::slurm::collected::{absent, collected_names};
use crate::slurm::columns::{ContentPattern, Role};
use crate::slurm::kinds;
use crate::slurm::ledger::EntryConverter;
use crate::slurm::partial::Partial;

pub(super) struct Reader {
    pub(super) ledger: EntryConverter,
    pub(super) layout: Option<SacctColumns>,
    pub(super) spans: Vec<CellSpan>,
    pub(super) held: Held,
    pub(super) partial: Partial,
    /// Lines above the first one that determines the columns, with their line numbers.
    above: Vec<(u32, Vec<u8>)>,
    /// As [`crate::Options::places`]: absent columns that the replay of an installation uses are reported.
    places: bool,
}

/// The most lines kept until the columns are known.
const ABOVE: usize = 20;

impl Reader {
    /// Returns a reader at the beginning of a log; `layout` gives the columns if the log has no heading.
    pub(super) fn new(ledger: EntryConverter, layout: Option<SacctColumns>, places: bool) -> Reader {
        let (held, partial) = (Held::default(), Partial::default());
        Reader { ledger, layout, spans: Vec::new(), held, partial, above: Vec::new(), places }
    }

    /// Takes the pending rows; returns the jobs, and the message to use if there are none.
    pub(super) fn finish(
        mut self,
        reporter: &mut Reporter<'_>,
        explained: &mut Explanation,
    ) -> Result<(EntryConverter, String)> {
        self.close(reporter, explained)?;
        self.flush(reporter)?;
        let why = match self.layout {
            Some(_) => "no line below its heading is a row of a job",
            None => {
                "it has no heading with JobID in it, and none of the known orders of columns; --log-columns \
                 JobID,Submit,Start,End,... names the columns of a log without a heading"
            }
        };
        Ok((self.ledger, why.into()))
    }

    /// Determines the columns; returns whether the line needs no further handling.
    fn settle(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>) -> Result<bool> {
        if fixed_width(line.bytes) {
            let why = format!(
                "its columns have fixed widths, which cuts values off and drops times; write it with sacct -P -o {}",
                collected_names()
            );
            return Err(not_sacct(&reporter.file, why));
        }
        if let Some(layout) = SacctColumns::heading(line.bytes) {
            for (number, bytes) in std::mem::take(&mut self.above) {
                reporter.report_at(&kinds::NOT_A_JOB, number, || quoted(&bytes))?;
            }
            self.head(layout, line, reporter)?;
            return Ok(true);
        }
        match &mut self.layout {
            Some(layout) => layout.separate(line.bytes),
            None => self.layout = SacctColumns::by_content(line.bytes),
        }
        let unknown = self.layout.is_none() && !line.bytes.trim_ascii().is_empty();
        if unknown && self.above.len() < ABOVE {
            self.above.push((line.number, line.bytes.to_vec()));
        } else if unknown {
            reporter.report(&kinds::NOT_A_JOB, line, line.bytes, |text| text)?;
        }
        Ok(unknown)
    }

    fn head(&mut self, layout: SacctColumns, line: &Line<'_>, reporter: &mut Reporter<'_>) -> Result {
        self.flush(reporter)?;
        // A repeated heading may have fewer columns.
        if let (None, Some(why)) = (&self.layout, layout.unusable()) {
            return Err(not_sacct(&reporter.file, why));
        }
        for name in layout.unknown() {
            reporter.report(&kinds::UNKNOWN_COLUMN, line, line.bytes, |_| quoted(name.as_bytes()))?;
        }
        if self.places && self.layout.is_none() {
            let absent = absent(&layout.names.iter().map(String::as_str));
            if !absent.is_empty() {
                reporter.report(&kinds::COLUMNS_ABSENT, line, line.bytes, |_| absent.join("; "))?;
            }
        }
        self.layout = Some(layout);
        Ok(())
    }

    /// Whether a line repeats the heading or is another one: it begins with the same word, or with `JobID`.
    fn heads(&self, line: &[u8]) -> bool {
        let first = self.layout.as_ref().and_then(|layout| layout.names.first());
        let delimiter = self.layout.as_ref().map(|layout| &layout.delimiter);
        let word = delimiter.and_then(|delimiter| delimiter.split(line).next()).unwrap_or_default();
        let alike =
            word.eq_ignore_ascii_case(b"JobID") || first.is_some_and(|first| first.as_bytes() == word);
        alike && SacctColumns::heading(line).is_some()
    }

    fn begins(&mut self, line: &[u8]) -> bool {
        let Some(layout) = &self.layout else { return false };
        split(line, &layout.delimiter, &mut self.spans);
        if self.spans.len() >= layout.columns.len() {
            let whole = align(&layout.columns, line, &mut self.spans).is_some();
            return whole && fits(&layout.columns, line, &self.spans, ContentPattern::holds);
        }
        let head = layout.head.min(self.spans.len());
        let numbered = [Role::JobId, Role::JobIdRaw]
            .into_iter()
            .any(|role| layout.place(role).is_some_and(|place| place < head));
        let enough = head >= layout.head.min(2);
        numbered && enough && fits(&layout.columns[..head], line, &self.spans, ContentPattern::holds)
    }

    fn row(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        let Some(layout) = &self.layout else { return Ok(()) };
        split(line.bytes, &layout.delimiter, &mut self.spans);
        let columns = layout.columns.len();
        let found = self.spans.len().cmp(&columns);
        if found == Ordering::Equal && fits(&layout.columns, line.bytes, &self.spans, ContentPattern::seems) {
            return self.take(line.bytes, line.number, true, reporter, explained);
        }
        if found == Ordering::Greater {
            let aligned = align(&layout.columns, line.bytes, &mut self.spans);
            let suits = fits(&layout.columns, line.bytes, &self.spans, ContentPattern::seems);
            match aligned {
                None => reporter.report(&kinds::LONG_ROW, line, line.bytes, |text| text)?,
                Some(how) if suits => report_bars(how, line, reporter)?,
                Some(_) => {}
            }
            if aligned.is_none() || suits {
                self.spans.truncate(columns);
                return self.take(line.bytes, line.number, true, reporter, explained);
            }
        }
        let unnumbered = layout.place(Role::JobId).or(layout.place(Role::JobIdRaw)) >= Some(layout.head);
        let several = self.spans.len() >= 2;
        // The row is complete with an odd value, or it is the beginning of one with separators in its texts.
        let odd = self.spans.len() == columns && numbered(layout, line.bytes, &self.spans);
        if odd || self.begins(line.bytes) || (unnumbered && several) {
            self.partial.begin(line.bytes, line.number);
            return Ok(());
        }
        self.stray(line, reporter)
    }

    /// Takes a complete row whose cells were found.
    pub(super) fn take(
        &mut self,
        row: &[u8],
        line: u32,
        single: bool,
        reporter: &mut Reporter<'_>,
        explained: &mut Explanation,
    ) -> Result {
        let Some(layout) = &self.layout else { return Ok(()) };
        let cells = Cells { layout, row, spans: &self.spans, line, single };
        let Some(id) = cells.id() else {
            return Ok(reporter.report_at(&kinds::NOT_A_JOB, line, || quoted(row))?);
        };
        explain(&cells, id.step.is_some(), explained);
        if id.step.is_none() {
            flush(&mut self.ledger, &mut self.held, layout, reporter)?;
            self.held.keep(&cells);
            return Ok(());
        }
        let above = self.held.cells(layout).id().filter(|_| self.held.full);
        if above.is_some_and(|above| above.job == id.job) {
            let mut usage = self.held.usage;
            cells.used(&mut usage, reporter)?;
            self.held.usage = usage;
            return Ok(());
        }
        Ok(reporter.report_at(&kinds::LONE_STEP, line, || quoted(row))?)
    }

    fn flush(&mut self, reporter: &mut Reporter<'_>) -> Result {
        let Some(layout) = &self.layout else { return Ok(()) };
        flush(&mut self.ledger, &mut self.held, layout, reporter)
    }
}

impl LineReader for Reader {
    const WANTS_BLANKS: bool = true;
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::NOT_A_JOB];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        if (self.layout.is_none() || line.number == 1) && self.settle(line, reporter)? {
            return Ok(());
        }
        for (number, bytes) in std::mem::take(&mut self.above) {
            self.close(reporter, explained)?;
            self.row(&Line { number, bytes: &bytes, end: End::Feed }, reporter, explained)?;
        }
        if self.partial.open() {
            if !self.heads(line.bytes) && !self.begins(line.bytes) {
                return self.join(line, reporter, explained);
            }
            self.close(reporter, explained)?;
        }
        match line.bytes.first() {
            None => return Ok(()),
            Some(first) if first.is_ascii_alphabetic() && self.heads(line.bytes) => {
                reporter.report(&kinds::HEADER_AGAIN, line, line.bytes, |text| text)?;
                return SacctColumns::heading(line.bytes)
                    .map_or(Ok(()), |layout| self.head(layout, line, reporter));
            }
            Some(_) => {}
        }
        self.row(line, reporter, explained)
    }

    fn too_long(
        &mut self,
        line: &Line<'_>,
        reporter: &mut Reporter<'_>,
        explained: &mut Explanation,
    ) -> Result {
        self.close(reporter, explained)?;
        Ok(reporter.report(&TOO_LONG, line, line.bytes, |beginning| beginning)?)
    }
}

/// Passes on the job of the held row, with the resources that its steps used.
fn flush(
    ledger: &mut EntryConverter,
    held: &mut Held,
    layout: &SacctColumns,
    reporter: &mut Reporter<'_>,
) -> Result {
    if !std::mem::take(&mut held.full) {
        return Ok(());
    }
    let cells = held.cells(layout);
    match cells.id() {
        Some(id) => ledger.jobs(&cells.job(&id, &held.usage, reporter)?, reporter),
        None => Ok(()),
    }
}

/// Whether the columns of the job's number contain one.
fn numbered(layout: &SacctColumns, row: &[u8], spans: &[CellSpan]) -> bool {
    Cells { layout, row, spans, line: 0, single: true }.id().is_some()
}

fn explain(cells: &Cells<'_>, step: bool, explained: &mut Explanation) {
    let Some(explained) = explained.line(cells.line) else { return };
    for (place, (column, name)) in cells.layout.columns.iter().zip(&cells.layout.names).enumerate() {
        let of_steps = matches!(
            column.role,
            Role::JobId
                | Role::MaxRss
                | Role::Ntasks
                | Role::UsageInTot
                | Role::TotalCpu
                | Role::UserCpu
                | Role::SystemCpu
        );
        let to = if step && !of_steps { "not used: a step of the job above" } else { column.to };
        explained.cell(name.as_str(), cells.at(place), to);
    }
}
