//! Reads Grid Engine accounting files line by line.

use batchlab_traces::{Header, Kind};

use super::job::{SgeRecord, scaled};
use super::kinds;
use super::record::{Fields, LEAST, NAMES, Split, field};
use crate::columns::Columns;
use crate::error::Result;
use crate::explain::Explanation;
use crate::formats::{FormatSpec, share_of_lines};
use crate::lines::Line;
use crate::normal::{LogPlan, Normaliser};
use crate::pass::{LineReader, Pass};
use crate::reporter::Reporter;

/// The entry of Grid Engine in [`crate::FORMATS`].
pub const SPEC: FormatSpec = FormatSpec {
    name: "sge",
    summary: "Accounting files of Grid Engine: Sun's and its successors'",
    cite: "accounting(5) of Sun Grid Engine 6.2 and Son of Grid Engine 8.1",
    looks_like: "lines of 43 or more fields separated by colons: queue:host:group:user:name:number:...",
    likeness: |beginning| likeness(beginning, false),
    read: |pass| read(pass, &SPEC),
};

/// The entry of Univa Grid Engine in [`crate::FORMATS`].
pub const UNIVA: FormatSpec = FormatSpec {
    name: "uge",
    summary: "Accounting files of Univa Grid Engine, with times in milliseconds",
    cite: "accounting(5) of Univa Grid Engine 8.5",
    looks_like: "lines as of Grid Engine with times of thirteen digits",
    likeness: |beginning| likeness(beginning, true),
    read: |pass| read(pass, &UNIVA),
};

/// Sure if the lines are records with times of the right size; a hint if they are cut records.
fn likeness(beginning: &[u8], univa: bool) -> u8 {
    let mut fields = Fields::default();
    let mut records = 0;
    let mut share = |least: usize| {
        share_of_lines(beginning, |line| {
            let fits = fields.split(line) != Split::None
                && fields.len() >= least
                && scaled(fields.get(line, field::SUBMIT)).is_some_and(|(_, finer)| finer == univa);
            records += u32::from(fits);
            fits || line.starts_with(b"#")
        })
    };
    let (whole, cut) = (share(LEAST - 3), share(field::EXIT_STATUS));
    if records == 0 { 0 } else { whole.max(cut / 3) }
}

fn read(pass: &mut Pass<'_>, spec: &'static FormatSpec) -> Result<Header> {
    let mut reader = Reader {
        normaliser: Normaliser::new(LogPlan { zone: pass.options.zone, ..LogPlan::default() }),
        columns: Columns::default(),
        fields: Fields::default(),
        extra: Vec::new(),
    };
    pass.lines(&mut reader)?;
    pass.finish(reader.normaliser, None, spec, "it has no records of jobs")
}

struct Reader {
    normaliser: Normaliser,
    columns: Columns,
    /// Reused.
    fields: Fields,
    /// Reused.
    extra: Vec<(usize, i64)>,
}

impl LineReader for Reader {
    const NO_RECORD: &'static [&'static Kind] = &[&kinds::DROPPED_LINE];

    fn line(&mut self, line: &Line<'_>, reporter: &mut Reporter<'_>, explained: &mut Explanation) -> Result {
        // As in qacct, lines of one character are skipped.
        if line.bytes.len() < 2 || line.bytes.starts_with(b"#") {
            return Ok(());
        }
        match self.fields.split(line.bytes) {
            Split::None => return Ok(reporter.report(&kinds::DROPPED_LINE, line, line.bytes, |text| text)?),
            Split::Joined => reporter.report(&kinds::COLONS, line, line.bytes, |text| text)?,
            Split::Plain => {}
        }
        if self.fields.len() < LEAST {
            let found = self.fields.len();
            reporter.report(&kinds::SHORT_LINE, line, line.bytes, |_| {
                format!("{found} fields, {LEAST} expected")
            })?;
        }
        let task = self.fields.get(line.bytes, field::PARALLEL_TASK);
        if !task.is_empty() {
            return Ok(reporter.report(&kinds::PARALLEL_TASK, line, task, |task| task)?);
        }
        if let Some(explained) = explained.line(line.number) {
            for (at, (name, goes)) in NAMES.into_iter().enumerate().take(self.fields.len()) {
                explained.cell(name, self.fields.get(line.bytes, at), goes);
            }
        }
        let mut extra = std::mem::take(&mut self.extra);
        extra.clear();
        let record = SgeRecord { line: *line, fields: &self.fields };
        let entry = record.entry(&mut self.columns, &mut self.normaliser, extra, reporter)?;
        self.normaliser.entry(&entry, reporter)?;
        self.extra = entry.extra;
        Ok(())
    }
}
