//! What a table is, before it has a form.

use super::number::Format;
use crate::metrics::Better;

/// Where the text of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Name in files.
    pub key: String,
    /// Words for readers, without the unit.
    pub heading: String,
    /// Where the text stands.
    pub align: Align,
    /// How numbers are printed; `None` for text.
    pub format: Option<Format>,
    /// Which direction is good, for marking the best.
    pub better: Better,
}

impl Column {
    /// Returns a column of text.
    pub fn text(key: impl Into<String>) -> Column {
        let key = key.into();
        Column {
            heading: key.replace('_', " "),
            key,
            align: Align::Left,
            format: None,
            better: Better::Neither,
        }
    }

    /// Returns a column of numbers.
    pub fn number(key: impl Into<String>, format: Format, better: Better) -> Column {
        Column { align: Align::Right, format: Some(format), better, ..Column::text(key) }
    }

    /// Returns the unit as printed; empty without one.
    pub fn unit(&self) -> &'static str {
        self.format.map_or("", |format| format.unit)
    }

    /// Returns the heading as a stack of words, the unit in parentheses last.
    pub fn stacked(&self) -> Vec<String> {
        let mut words: Vec<String> = match self.align {
            Align::Left => vec![self.heading.clone()],
            Align::Right => self.heading.split(' ').map(String::from).collect(),
        };
        if !self.unit().is_empty() {
            words.push(format!("({})", self.unit()));
        }
        words
    }
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number in the metric's own unit, full precision.
    Number(f64),
    /// Nothing: undefined or unknown.
    Empty,
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Cell {
        value.map_or(Cell::Empty, Cell::Number)
    }
}

/// A condition: its name and its value.
pub type Fact = (String, Cell);

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// One cell per column.
    pub cells: Vec<Cell>,
    /// Whether the row competes for the best of a column; a log's own schedule and a bound do not.
    pub ranked: bool,
}

/// A table: data, and words about it.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// One line.
    pub title: String,
    /// Conditions in words, one line each.
    pub caption: Vec<String>,
    /// The same conditions by name, for machines.
    pub facts: Vec<Fact>,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows.
    pub rows: Vec<Row>,
    /// Footnotes, one sentence each.
    pub notes: Vec<String>,
    /// What the columns mean: name and definition.
    pub definitions: Vec<(String, String)>,
}

/// A cell ready to be printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The text; empty for nothing.
    pub text: String,
    /// Whether it is the best of its column.
    pub best: bool,
}

impl Table {
    /// Returns all cells as text for readers, row by row, with the best of each column marked: all that
    /// print like it, when two rows or more compete.
    pub fn printed(&self) -> Vec<Vec<Printed>> {
        let mut rows = vec![Vec::with_capacity(self.columns.len()); self.rows.len()];
        for (at, column) in self.columns.iter().enumerate() {
            let texts = self.printed_column(at, column);
            let best = self.best(at, column).map(|row| texts[row].clone());
            for (row, text) in texts.into_iter().enumerate() {
                let best = self.rows[row].ranked && best.as_ref() == Some(&text);
                rows[row].push(Printed { text, best });
            }
        }
        rows
    }

    fn printed_column(&self, at: usize, column: &Column) -> Vec<String> {
        let format =
            column.format.unwrap_or(Format { unit: "", scale: 1.0, significant: 6, most_decimals: 6 });
        let ranked =
            self.rows.iter().any(|row| row.ranked && matches!(row.cells.get(at), Some(Cell::Number(_))));
        let numbers = self.rows.iter().filter(|row| row.ranked || !ranked).filter_map(|row| number(row, at));
        let decimals = format.decimals(numbers);
        let text = |row: &Row| match row.cells.get(at) {
            Some(Cell::Text(text)) => text.clone(),
            Some(Cell::Number(number)) => format.print(*number, decimals),
            Some(Cell::Empty) | None => String::new(),
        };
        self.rows.iter().map(text).collect()
    }

    /// Returns the first row with the best number of a column.
    fn best(&self, at: usize, column: &Column) -> Option<usize> {
        let ranked = self.rows.iter().enumerate().filter(|(_, row)| row.ranked);
        let numbers: Vec<(usize, f64)> =
            ranked.filter_map(|(index, row)| Some((index, number(row, at)?))).collect();
        if numbers.len() < 2 {
            return None;
        }
        let best = match column.better {
            Better::Lower => numbers.iter().min_by(|a, b| a.1.total_cmp(&b.1)),
            Better::Higher => numbers.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)),
            Better::Neither => None,
        };
        best.map(|(index, _)| *index)
    }
}

fn number(row: &Row, at: usize) -> Option<f64> {
    match row.cells.get(at) {
        Some(Cell::Number(number)) => Some(*number),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Unit;
    use crate::report::TimeUnit;

    fn table(better: Better, values: &[(f64, bool)]) -> Table {
        let format = Format::of(Unit::Ratio, TimeUnit::Seconds);
        Table {
            columns: vec![Column::number("mean_bsld", format, better)],
            rows: values
                .iter()
                .map(|&(value, ranked)| Row { cells: vec![Cell::Number(value)], ranked })
                .collect(),
            ..Table::default()
        }
    }

    fn best(better: Better, values: &[(f64, bool)]) -> Vec<bool> {
        table(better, values).printed().iter().map(|row| row[0].best).collect()
    }

    #[test]
    fn all_that_print_like_the_best_are_marked() {
        let values = [(71.2, true), (92.576_51, true), (71.200_04, true), (1.0, false)];
        assert_eq!(best(Better::Lower, &values), [true, false, true, false]);
        assert_eq!(best(Better::Higher, &values), [false, true, false, false]);
        assert_eq!(best(Better::Neither, &values), [false; 4]);
    }

    #[test]
    fn one_competitor_is_no_winner() {
        assert_eq!(best(Better::Lower, &[(2.0, true), (1.0, false)]), [false, false]);
    }
}
