//! The columns of a table, and the format of their numbers.

use super::Axis;
use super::cells::{CellKind, Shown};
use super::layout::TableLayout;
use batchlab_engine::table::{Align, Better, Format, TableColumn, Unit};

/// One part of a cell: an estimate, or its interval.
#[derive(Clone, Copy, Debug)]
pub struct CellPart {
    pub kind: &'static CellKind,
    pub is_interval: bool,
}

impl TableLayout<'_> {
    pub fn parts(&self) -> Vec<CellPart> {
        let both = |&kind: &&'static CellKind| {
            let [value, interval] = [false, true].map(|is_interval| CellPart { kind, is_interval });
            [Some(value), self.spec.has_interval(kind).then_some(interval)]
        };
        self.spec.cells.iter().flat_map(both).flatten().collect()
    }

    /// Returns the format of a kind of cell for a chosen metric.
    pub fn format(&self, metric: usize, kind: &CellKind) -> Format {
        let unit = self.of_metric(metric).map_or(Unit::Ratio, |measure| measure.unit);
        let format = Format::of(unit, self.spec.time);
        (kind.format)(self.spec.digits.map_or(format, |digits| format.digits(digits)))
    }

    /// Returns the format of a kind of cell for all metrics that share a column; `None` if they differ.
    pub fn common_format(&self, kind: &CellKind) -> Option<Format> {
        let first = self.format(0, kind);
        (1..self.spec.metrics.len()).all(|metric| self.format(metric, kind) == first).then_some(first)
    }

    /// Returns a measure of a chosen metric, for properties that are the same in all classes.
    pub fn of_metric(&self, metric: usize) -> Option<&batchlab_study::experiment::Measure> {
        self.names.measures.iter().find(|measure| measure.metric == self.spec.metrics[metric])
    }

    /// Returns the columns: labels, then the parts of each column of the layout.
    pub fn table_columns(&self) -> Vec<TableColumn> {
        let mut columns: Vec<TableColumn> =
            self.spec.rows.iter().map(|axis| self.text_column(*axis)).collect();
        for column in &self.columns {
            let parts = self.parts_of(column);
            let mut like = columns.len();
            for part in &parts {
                if !part.is_interval {
                    like = columns.len();
                }
                columns.push(self.column(column, *part, self.parts().len() == 1, like));
            }
        }
        columns
    }

    /// Returns the column with the labels of an axis.
    fn text_column(&self, axis: Axis) -> TableColumn {
        let column = TableColumn::text(axis.name(self.names));
        match self.spec.called(&column.key) {
            Some(called) => TableColumn { heading: called.to_owned(), ..column },
            None => column,
        }
    }

    fn column(&self, column: &[usize], part: CellPart, is_only: bool, like: usize) -> TableColumn {
        let metric = self.spec.columns.iter().position(|axis| *axis == Axis::Metric).map(|at| column[at]);
        let format = match metric {
            Some(metric) => Some(self.format(metric, part.kind)),
            None => self.common_format(part.kind),
        };
        let better = metric.or((self.spec.metrics.len() == 1).then_some(0)).and_then(|at| self.of_metric(at));
        let better = match (part.kind.shows, better) {
            (Shown::Value, Some(measure)) if !part.is_interval => measure.better,
            _ => Better::Neither,
        };
        let (key, mut groups) = self.over(column, part);
        let ends_in_metric = self.spec.columns.last() == Some(&Axis::Metric);
        let heading = match groups.pop() {
            Some(last) if is_only && ends_in_metric => last,
            Some(last) if is_only && part.kind.is_value() => last,
            last => {
                groups.extend(last);
                self.part_heading(part)
            }
        };
        let format = format.unwrap_or(Format::PLAIN);
        let both_ends = part.is_interval || part.kind.shows == Shown::Range;
        let column = if both_ends {
            TableColumn::interval(key, format, like)
        } else {
            TableColumn::number(key, format, better)
        };
        let align = if part.kind.is_text { Align::Left } else { Align::Right };
        let format = column.format.filter(|_| !part.kind.is_text);
        TableColumn { heading, align, format, groups, ..column }
    }

    /// Returns the key of a column and its spanning headings.
    fn over(&self, column: &[usize], part: CellPart) -> (String, Vec<String>) {
        let is_said = |axis: Axis| axis != Axis::Baseline || part.kind.asks.needs_baseline();
        let labels = self.spec.columns.iter().zip(column).filter(|(axis, _)| is_said(**axis));
        let labels: Vec<(Axis, usize)> = labels.map(|(axis, at)| (*axis, *at)).collect();
        let keys: Vec<String> = labels.iter().map(|(axis, at)| self.label(*axis, *at)).collect();
        let key = match (keys.join("/"), part.kind.name) {
            (key, name) if key.is_empty() => name.into(),
            (key, "value") => key,
            (key, name) => format!("{key}_{name}"),
        };
        let key = if part.is_interval { format!("{key}_interval") } else { key };
        let words = labels.into_iter().map(|(axis, at)| match axis {
            Axis::Parameter(_) => format!("{} {}", self.axis_name(axis), self.spoken(axis, at)),
            Axis::Baseline => format!("against {}", self.spoken(axis, at)),
            _ => self.spoken(axis, at),
        });
        (key, words.collect())
    }

    fn part_heading(&self, part: CellPart) -> String {
        let is_only = self.parts().iter().filter(|part| part.is_interval).count() == 1;
        match part.is_interval {
            false => part.kind.heading.into(),
            true if is_only => "interval".into(),
            true => format!("{} interval", part.kind.heading),
        }
    }
}
