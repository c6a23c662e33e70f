//! A log as columns, with its header, findings and provenance.

mod after;
mod cancelled;
mod edit;
mod eligible;
mod limit;
mod occupancy;
mod own;
mod suspended;
mod unfinished;

pub use after::{
    ARRAY_LIMIT, DependencyKind, MOST_DEPENDENCIES, StatedDependencies, StatedDependency, dependency_columns,
};
pub use cancelled::{CANCELLED, Cancellations};
pub use eligible::{ELIGIBLE, Holds};
pub use limit::{NO_LIMIT, TimeLimits};
pub use occupancy::{Stay, UsageStep, levels};
pub use own::{OwnId, OwnIdError, Unfound};
pub use suspended::{SUSPENDED, SUSPENDED_FROM, SUSPENDED_UNTIL, Suspension, Suspensions};
pub use unfinished::{ELAPSED, STAGE, Unfinished, UnfinishedJobs, WRITTEN};

use std::sync::Arc;

use crate::calendar::Calendar;
use crate::column::Column;
use crate::field::{FIELDS, Field};
use crate::finding::{Findings, Refusal, SourcePlace};
use crate::header::Header;
use crate::number::Number;
use crate::provenance::{Provenance, Source};
use crate::record::{Record, RecordSink};
use crate::time::Time;

/// A log in memory: one row per record, in the order of the file.
///
/// A row takes four bytes for each field that varies in the log (eight for large or decimal values) and
/// nothing for a constant field: a million jobs fit in 100 MB whatever the log records.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The header of the log.
    pub header: Header,
    /// The calendar; `None` if the header does not state the start time.
    pub calendar: Option<Calendar>,
    /// The origin, and the steps applied.
    pub provenance: Provenance,
    /// The oddities found.
    pub findings: Findings,
    columns: [Column; FIELDS],
    extra: Vec<Column>,
    lines: Column,
}

impl Trace {
    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether the log has no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one field of one row.
    ///
    /// # Panics
    /// When the row is not below [`Trace::len`].
    #[inline]
    pub fn get(&self, row: usize, field: Field) -> Number {
        self.columns[field.index()].get(row)
    }

    /// Returns one field of all rows.
    pub fn column(&self, field: Field) -> &Column {
        &self.columns[field.index()]
    }

    /// Returns one field of one row as a time.
    #[inline]
    pub fn time(&self, row: usize, field: Field) -> Time {
        Time::from_ticks(self.get(row, field).to_micro())
    }

    /// Returns the column of an extra resource that the header declares, by name.
    pub fn resource(&self, name: &str) -> Option<&Column> {
        let at = self.header.resources.iter().position(|resource| resource.name == name)?;
        self.extra.get(at)
    }

    /// Returns the column of an extra resource by its position among those declared in the header; `None` if
    /// no row has it.
    pub fn resource_at(&self, at: usize) -> Option<&Column> {
        self.extra.get(at).filter(|_| at < self.header.resources.len())
    }

    /// Copies a row into a record.
    pub fn record(&self, row: usize, record: &mut Record) {
        for field in Field::ALL {
            record.set(field, self.get(row, field));
        }
        record.extra.clear();
        record.extra.extend(self.extra.iter().map(|column| column.whole(row)));
        record.line = self.line(row);
    }

    /// Returns the line of a row in its file, from 1; 0 if there is no file.
    pub fn line(&self, row: usize) -> u32 {
        self.lines.whole(row).max(0) as u32
    }

    /// Returns the place of a row, for findings.
    pub fn place(&self, row: usize) -> SourcePlace {
        SourcePlace { file: self.file(), line: self.line(row), column: 0 }
    }

    /// Returns the file as the user named it.
    pub fn file(&self) -> Arc<str> {
        self.provenance.source.name.as_str().into()
    }

    /// Returns the bytes of heap that the columns hold.
    pub fn heap_bytes(&self) -> usize {
        self.columns.iter().chain(&self.extra).chain([&self.lines]).map(Column::heap_bytes).sum()
    }
}

/// Collects records into a [`Trace`].
#[derive(Default)]
pub struct TraceBuilder {
    columns: [Column; FIELDS],
    extra: Vec<Column>,
    lines: Column,
}

impl RecordSink for TraceBuilder {
    fn record(&mut self, record: &Record) {
        for (index, column) in self.columns.iter_mut().enumerate() {
            column.push(Number { value: record.values[index], micro: record.micro >> index & 1 == 1 });
        }
        while self.extra.len() < record.extra.len() {
            // A resource declared late: unknown for all previous rows.
            self.extra.push((0..self.lines.len()).map(|_| Number::UNKNOWN).collect());
        }
        for (index, column) in self.extra.iter_mut().enumerate() {
            column.push(record.extra.get(index).map_or(Number::UNKNOWN, |&value| Number::whole(value)));
        }
        self.lines.push(Number::whole(i64::from(record.line)));
    }
}

impl TraceBuilder {
    /// Returns an empty builder.
    pub fn new() -> TraceBuilder {
        TraceBuilder::default()
    }

    /// Returns the number of records taken.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether no record was taken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies a collected row into a record; resources declared later are missing.
    ///
    /// # Panics
    /// When the row is not below [`TraceBuilder::len`].
    pub fn copy(&self, row: usize, record: &mut Record) {
        for field in Field::ALL {
            record.set(field, self.columns[field.index()].get(row));
        }
        record.extra.clear();
        record.extra.extend(self.extra.iter().map(|column| column.whole(row)));
        record.line = self.lines.whole(row).max(0) as u32;
    }

    /// Completes the trace; its calendar is read from the header.
    ///
    /// # Errors
    /// A strict refusal of an unknown time zone.
    pub fn finish(
        mut self,
        header: Header,
        source: Source,
        mut findings: Findings,
    ) -> Result<Trace, Refusal> {
        for column in self.columns.iter_mut().chain(&mut self.extra).chain([&mut self.lines]) {
            column.shrink();
        }
        let file: Arc<str> = source.name.as_str().into();
        let calendar = Calendar::from_header(&header, &file, &mut findings)?;
        Ok(Trace {
            header,
            calendar,
            provenance: Provenance { source, steps: Vec::new() },
            findings,
            columns: self.columns,
            extra: self.extra,
            lines: self.lines,
        })
    }
}
