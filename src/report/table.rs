//! What a table is, before it has a form.

use std::collections::BTreeMap;

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
    /// With which rows it competes for the best of a column: all of the same group (a class of jobs). A
    /// log's own schedule and a bound do not compete.
    pub group: Option<usize>,
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
            let bests = self.bests(at, column);
            let best_of = |group: usize| bests.get(&group).map(|&row| texts[row].as_str());
            for (row, text) in texts.iter().enumerate() {
                let best = self.rows[row].group.and_then(best_of) == Some(text.as_str());
                rows[row].push(Printed { text: text.clone(), best });
            }
        }
        rows
    }

    fn printed_column(&self, at: usize, column: &Column) -> Vec<String> {
        let format =
            column.format.unwrap_or(Format { unit: "", scale: 1.0, significant: 6, most_decimals: 6 });
        let ranked = self
            .rows
            .iter()
            .any(|row| row.group.is_some() && matches!(row.cells.get(at), Some(Cell::Number(_))));
        let numbers =
            self.rows.iter().filter(|row| row.group.is_some() || !ranked).filter_map(|row| number(row, at));
        let decimals = format.decimals(numbers);
        let text = |row: &Row| match row.cells.get(at) {
            Some(Cell::Text(text)) => text.clone(),
            Some(Cell::Number(number)) => format.print(*number, decimals),
            Some(Cell::Empty) | None => String::new(),
        };
        self.rows.iter().map(text).collect()
    }

    /// Returns the first row with the best number of a column in each group in which two or more compete.
    fn bests(&self, at: usize, column: &Column) -> BTreeMap<usize, usize> {
        let mut groups: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for (index, row) in self.rows.iter().enumerate() {
            if let (Some(group), Some(number)) = (row.group, number(row, at)) {
                groups.entry(group).or_default().push((index, number));
            }
        }
        let best = |numbers: &[(usize, f64)]| match column.better {
            Better::Lower => numbers.iter().min_by(|a, b| a.1.total_cmp(&b.1)).copied(),
            Better::Higher => numbers.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).copied(),
            Better::Neither => None,
        };
        groups.retain(|_, numbers| numbers.len() > 1);
        groups.into_iter().filter_map(|(group, numbers)| Some((group, best(&numbers)?.0))).collect()
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
                .map(|&(value, ranked)| Row { cells: vec![Cell::Number(value)], group: ranked.then_some(0) })
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
    fn each_group_has_a_best_of_its_own() {
        let mut table = table(Better::Lower, &[(3.0, true), (2.0, true), (9.0, true), (8.0, true)]);
        table.rows[2].group = Some(1);
        table.rows[3].group = Some(1);
        let best: Vec<bool> = table.printed().iter().map(|row| row[0].best).collect();
        assert_eq!(best, [false, true, false, true]);
    }

    #[test]
    fn one_competitor_is_no_winner() {
        assert_eq!(best(Better::Lower, &[(2.0, true), (1.0, false)]), [false, false]);
    }
}
