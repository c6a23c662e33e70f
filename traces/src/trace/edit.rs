//! Changes of a trace: selection of rows, replacement of columns.

use super::Trace;
use crate::column::Column;
use crate::field::Field;
use crate::header::ResourceDeclaration;

impl Trace {
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
    (0..rows).map(|_| crate::Number::UNKNOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::ColumnScope;
    use crate::provenance::Source;
    use crate::trace::TraceBuilder;
    use crate::{Findings, Header, Number, Record, RecordSink};

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
        ResourceDeclaration {
            name: "gpu".into(),
            unit: String::new(),
            capacity: None,
            scope: ColumnScope::Node,
        }
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
