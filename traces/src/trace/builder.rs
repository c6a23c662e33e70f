use std::sync::Arc;

use super::Trace;
use crate::field::{FIELDS, Field};
use crate::provenance::{Provenance, Source};
use crate::{Calendar, Column, Findings, Header, Number, Record, RecordSink, Refusal};

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
