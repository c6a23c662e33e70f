//! A log as columns, with its header, findings and provenance.

mod after;
mod builder;
mod cancelled;
mod eligible;
mod limit;
mod own;
mod suspended;
mod unfinished;

pub use after::{
    ARRAY_LIMIT, DependencyKind, MOST_DEPENDENCIES, StatedDependencies, StatedDependency, dependency_columns,
};
pub use builder::TraceBuilder;
pub use cancelled::{CANCELLED, Cancellations};
pub use eligible::{ELIGIBLE, Holds};
pub use limit::{NO_LIMIT, TimeLimits};
pub use own::{OwnId, OwnIdError, Unfound};
pub use suspended::{SUSPENDED, SUSPENDED_FROM, SUSPENDED_UNTIL, Suspension, Suspensions};
pub use unfinished::{ELAPSED, STAGE, Unfinished, UnfinishedJobs, WRITTEN};

use std::sync::Arc;

use crate::field::{FIELDS, Field};
use crate::header::{ColumnScope, Header, ResourceDeclaration};
use crate::{Calendar, Column, Findings, Number, Provenance, Record, SourcePlace, Time};

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

    /// Returns the value of a row in the column of an extra resource, in whole units; `None` if it is unknown.
    pub(crate) fn stated(&self, row: usize, name: &str) -> Option<i64> {
        self.resource(name).map(|column| column.whole(row)).filter(|&value| value >= 0)
    }

    /// Returns the column of an extra resource by its position among those declared in the header; `None` if no row has it.
    pub fn resource_at(&self, at: usize) -> Option<&Column> {
        self.extra.get(at).filter(|_| at < self.header.resources.len())
    }

    /// Returns the column of a name if it is declared with the scope `job`: as a fact about each job.
    pub fn job_column(&self, name: &str) -> Option<&Column> {
        let is_it = |known: &ResourceDeclaration| known.name == name && known.scope == ColumnScope::Job;
        self.resource_at(self.header.resources.iter().position(is_it)?)
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

    /// Returns a trace of some of the rows, in the given order; a row may be taken more than once.
    ///
    /// Header, calendar, provenance and findings are kept. Comments among the jobs keep their positions if
    /// the rows are in their old order, and move to the end otherwise. O(rows · columns).
    ///
    /// # Panics
    /// When a row is not below [`Trace::len`].
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Trace {
        let pick = |column: &Column| rows.iter().map(|&row| column.get(row as usize)).collect::<Column>();
        let mut header = self.header.clone();
        let in_order = rows.is_sorted();
        for (before, _) in &mut header.later_comments {
            let kept = rows.partition_point(|&row| u64::from(row) < *before);
            *before = if in_order { kept } else { rows.len() } as u64;
        }
        Trace {
            header,
            calendar: self.calendar,
            provenance: self.provenance.clone(),
            findings: self.findings.clone(),
            columns: self.columns.each_ref().map(pick),
            extra: self.extra.iter().map(pick).collect(),
            lines: pick(&self.lines),
        }
    }

    /// Forgets the lines, and all fields except the given ones: they are then unknown. It saves memory if nothing else is
    /// read later; header and further columns stay.
    pub fn keep_only(&mut self, fields: &[Field]) {
        for field in Field::ALL.into_iter().filter(|field| !fields.contains(field)) {
            self.columns[field.index()].forget();
        }
        self.lines.forget();
    }

    /// Replaces a field of all rows.
    ///
    /// # Panics
    /// When the column has a different length.
    pub fn set_column(&mut self, field: Field, column: Column) {
        assert_eq!(column.len(), self.len(), "a column of {} for other rows", field.name());
        self.columns[field.index()] = column;
    }

    /// Adds a further column, or replaces the one with that name.
    ///
    /// # Panics
    /// When the column has a different length.
    pub fn set_resource(&mut self, declaration: ResourceDeclaration, column: Column) {
        assert_eq!(column.len(), self.len(), "a column of {} for other rows", declaration.name);
        let named = |known: &ResourceDeclaration| known.name == declaration.name;
        let rows = self.len();
        // A log may declare columns that none of its rows has.
        self.extra.resize_with(self.header.resources.len(), || unknown(rows));
        match self.header.resources.iter().position(named) {
            Some(at) => {
                self.extra[at] = column;
                self.header.resources[at] = declaration;
            }
            None => {
                self.extra.push(column);
                self.header.resources.push(declaration);
            }
        }
    }

    /// Returns the rows in the order of submission, ties in the order of the file.
    pub fn by_submit(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = (0..self.len() as u32).collect();
        rows.sort_by_cached_key(|&row| self.time(row as usize, Field::Submit));
        rows
    }
}

fn unknown(rows: usize) -> Column {
    (0..rows).map(|_| Number::UNKNOWN).collect()
}

/// Returns a trace of jobs with some fields, on the lines from 2.
#[cfg(test)]
pub(crate) fn trace_of<const N: usize>(
    header: Header,
    fields: [Field; N],
    rows: impl IntoIterator<Item = [i64; N]>,
) -> Trace {
    use crate::record::RecordSink as _;

    let mut builder = TraceBuilder::new();
    let mut record = Record::default();
    for (line, row) in (2..).zip(rows) {
        fields.into_iter().zip(row).for_each(|(field, value)| record.set_whole(field, value));
        record.line = line;
        builder.record(&record);
    }
    builder.finish(header, crate::provenance::Source::default(), Findings::lenient()).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provenance::Source;
    use crate::record::RecordSink as _;

    fn trace() -> Trace {
        let mut builder = TraceBuilder::new();
        let mut record = Record::default();
        for (submit, line) in [(30, 3), (10, 4), (20, 6), (10, 7)] {
            record.set_whole(Field::Submit, submit);
            record.line = line;
            builder.record(&record);
        }
        let header = Header { later_comments: vec![(2, "; noon".into())], ..Header::default() };
        builder.finish(header, Source::default(), Findings::lenient()).unwrap()
    }

    fn gpus() -> ResourceDeclaration {
        ResourceDeclaration::new("gpu", "", ColumnScope::Node)
    }

    #[test]
    fn rows_are_chosen_with_their_lines_and_the_comments_between_them() {
        let chosen = trace().select(&[1, 2, 3]);
        assert_eq!((chosen.len(), chosen.line(0), chosen.line(2)), (3, 4, 7));
        assert_eq!(chosen.header.later_comments[0].0, 1);
    }

    #[test]
    fn submissions_sort_with_ties_as_they_were() {
        let trace = trace();
        assert_eq!(trace.by_submit(), [1, 3, 2, 0]);
        assert_eq!(trace.select(&trace.by_submit()).header.later_comments[0].0, 4);
    }

    #[test]
    fn a_column_is_added_once_and_exchanged_by_name() {
        let mut trace = trace();
        let column = |value| -> Column { (0..4).map(|_| Number::whole(value)).collect() };
        trace.set_resource(gpus(), column(1));
        trace.set_resource(gpus(), column(2));
        assert_eq!((trace.header.resources.len(), trace.resource("gpu").unwrap().whole(3)), (1, 2));
        trace.set_column(Field::User, column(7));
        assert_eq!(trace.get(0, Field::User), Number::whole(7));
    }
}
