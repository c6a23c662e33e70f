//! Tables: data, and the forms in which it is written.
//!
//! A [`Table`] is data; [`WRITERS`] turn it into text, one file and one line each. The same table gives the same bytes.

mod heads;
pub mod json;
mod mark;
pub mod number;
mod paper;
mod sentence;
mod unit;
mod width;
pub mod writers;

use batchlab_traces::foreign;
use batchlab_traces::sorted::{SortedMap, SortedSet};

pub use self::heads::{Span, spans};
pub use self::mark::Mark;
use self::mark::signs;
use self::writers::wrap::{length, wrap};
pub use number::{Decimals, Format, TimeUnit};
pub use paper::{Conditions, Float, Paper};
pub use sentence::{Clause, EVERY_WORKLOAD, Sentence};
pub use unit::{Better, Unit};
pub use width::{PaperWidth, Venue};
pub use writers::{Style, UnknownFormat, WRITERS, WriterSpec, writer};

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// A column.
#[derive(Clone, Debug)]
pub struct TableColumn {
    /// Its name in files.
    pub key: String,
    /// Its heading for readers, without the unit.
    pub heading: String,
    /// The alignment.
    pub align: Align,
    /// The format of numbers; `None` for text.
    pub format: Option<Format>,
    /// Which direction is good, for marking the best.
    pub better: Better,
    /// Headings above it, outermost first, that it shares with its neighbours.
    pub groups: Vec<String>,
    /// The column whose number of decimals it uses: for an interval, that of the estimate.
    pub like: Option<usize>,
}

impl TableColumn {
    /// Returns a column of text.
    pub fn text(key: impl Into<String>) -> TableColumn {
        let key = key.into();
        TableColumn {
            heading: key.replace('_', " "),
            key,
            align: Align::Left,
            format: None,
            better: Better::Neither,
            groups: Vec::new(),
            like: None,
        }
    }

    /// Returns a column of numbers.
    pub fn number(key: impl Into<String>, format: Format, better: Better) -> TableColumn {
        TableColumn { align: Align::Right, format: Some(format), better, ..TableColumn::text(key) }
    }

    /// Returns a column of intervals, printed with the decimals of the column of their estimates.
    pub fn interval(key: impl Into<String>, format: Format, like: usize) -> TableColumn {
        let format = Format { unit: "", ..format };
        TableColumn { like: Some(like), ..TableColumn::number(key, format, Better::Neither) }
    }

    /// Whether its cells are intervals, which become two columns in files.
    pub fn is_interval(&self) -> bool {
        self.like.is_some()
    }

    /// Returns all headings above the cells as one text, outermost first, with the unit.
    pub fn full_heading(&self) -> String {
        let words = self.groups.iter().map(String::as_str).chain([self.heading.as_str()]);
        let words: Vec<&str> = words.filter(|words| !words.is_empty()).collect();
        match self.unit() {
            "" => words.join(" "),
            unit => format!("{} ({unit})", words.join(" ")),
        }
    }

    /// Returns the unit as printed; empty if there is none.
    pub fn unit(&self) -> &'static str {
        self.format.map_or("", |format| format.unit)
    }

    /// Returns the heading as a stack of lines no longer than its longest word, with the unit in parentheses last.
    pub fn stacked(&self) -> Vec<String> {
        let longest = self.heading.split(' ').map(length).max().unwrap_or(0);
        let mut words = wrap(&self.heading, longest, "");
        if !self.unit().is_empty() {
            words.push(format!("({})", self.unit()));
        }
        words
    }
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number in the metric's own unit, at full precision.
    Number(f64),
    /// The two ends of an interval, in the same unit and at full precision.
    Interval(f64, f64),
    /// An undefined or unknown value.
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
pub struct TableRow {
    /// One cell per column.
    pub cells: Vec<Cell>,
    /// The group of rows with which it competes for the best value of a column, such as the rows of a class
    /// of jobs; `None` for rows that do not compete, such as a log's own schedule or a bound.
    pub group: Option<usize>,
}

/// A table: data, and texts about it.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Title, in one line.
    pub title: String,
    /// Conditions in words, one line each.
    pub caption: Vec<Sentence>,
    /// The same conditions by name, for programs.
    pub facts: Vec<Fact>,
    /// Columns.
    pub columns: Vec<TableColumn>,
    /// Rows.
    pub rows: Vec<TableRow>,
    /// Notes, one sentence each.
    pub notes: Vec<Sentence>,
    /// Definitions of the columns: name and definition.
    pub definitions: Vec<(String, Clause)>,
    /// Marks of single cells, by row and column.
    pub marks: SortedMap<(usize, usize), Mark>,
    /// Footnotes that marks refer to, one sentence each.
    pub footnotes: Vec<String>,
    /// The signs of the footnotes if other tables have the same ones; empty for those of this table alone.
    pub signs: Vec<String>,
    /// The number of leftmost columns that are labels, printed only once if the rows below repeat them.
    pub merged: usize,
    /// How it stands in a paper.
    pub paper: Paper,
}

impl Table {
    /// Returns the table with texts that are safe to print: texts from logs, plug-ins and experiment files may contain anything.
    #[must_use]
    pub fn safe(&self) -> Table {
        self.with_texts(&|text| foreign::safe(text).into_owned())
    }

    /// Returns the table with texts that are safe to print and shortened.
    #[must_use]
    pub fn for_readers(&self) -> Table {
        self.with_texts(&foreign::message)
    }

    /// Returns the conditions in words, one line each.
    pub fn conditions(&self) -> Vec<String> {
        self.caption.iter().map(ToString::to_string).filter(|line| !line.is_empty()).collect()
    }

    fn with_texts(&self, shown: &dyn Fn(&str) -> String) -> Table {
        let mut table = self.clone();
        let change = |text: &mut String| *text = shown(text);
        let of_cell = |cell: &mut Cell| {
            if let Cell::Text(text) = cell {
                change(text);
            }
        };
        change(&mut table.title);
        change(&mut table.paper.caption);
        table.footnotes.iter_mut().for_each(change);
        table.caption.iter_mut().chain(&mut table.notes).for_each(|sentence| sentence.change(shown));
        for (name, what) in &mut table.definitions {
            change(name);
            [&mut what.text].into_iter().chain(&mut what.paper).for_each(change);
        }
        for (name, cell) in &mut table.facts {
            change(name);
            of_cell(cell);
        }
        for column in &mut table.columns {
            change(&mut column.key);
            change(&mut column.heading);
            column.groups.iter_mut().for_each(change);
        }
        table.rows.iter_mut().flat_map(|row| &mut row.cells).for_each(of_cell);
        table
    }
}

/// A cell ready for printing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The text; empty for an empty cell.
    pub text: String,
    /// Whether it is the best of its column.
    pub best: bool,
    /// Signs of its footnotes.
    pub signs: Vec<String>,
    /// The number of rows that it spans, including its own; 0 if it belongs to a cell of a row above.
    pub rows: usize,
}

impl Printed {
    /// Returns text and footnote signs as one text.
    pub fn marked(&self) -> String {
        if self.signs.is_empty() {
            self.text.clone()
        } else {
            format!("{} {}", self.text, self.signs.join(",")).trim_start().to_string()
        }
    }
}

impl Table {
    /// Returns all cells as text for readers, row by row. The best value of each column is marked if two or
    /// more rows compete, and so is every value that prints like it.
    pub fn printed(&self) -> Vec<Vec<Printed>> {
        let mut rows = vec![Vec::with_capacity(self.columns.len()); self.rows.len()];
        let signs = self.signs();
        for (at, column) in self.columns.iter().enumerate() {
            let texts = self.printed_column(at, column);
            let bests = self.bests(at, column);
            let best_of = |group: usize| bests.get(&group).map(|&row| texts[row].as_str());
            for (row, text) in texts.iter().enumerate() {
                let best = self.rows[row].group.and_then(best_of) == Some(text.as_str());
                let mark = self.marks.get(&(row, at));
                let notes = mark.into_iter().flat_map(|mark| &mark.footnotes);
                let signs = notes.filter_map(|&note| signs.get(note).cloned()).collect();
                let best = best || mark.is_some_and(|mark| mark.best);
                let printed = Printed { text: text.clone(), best, signs, rows: 1 };
                rows[row].push(printed);
            }
        }
        self.merge(&mut rows);
        rows
    }

    /// Returns the signs of the footnotes.
    pub fn signs(&self) -> Vec<String> {
        if self.signs.is_empty() { signs(&self.footnotes) } else { self.signs.clone() }
    }

    /// Returns the footnotes, each behind its sign.
    pub fn signed_footnotes(&self) -> impl Iterator<Item = (String, &String)> {
        self.signs().into_iter().zip(&self.footnotes)
    }

    /// Gives tables of one paper the same sign for the same footnote.
    pub fn share_signs<'a>(tables: impl IntoIterator<Item = &'a mut Table>) {
        let tables: Vec<&mut Table> = tables.into_iter().collect();
        let mut all: Vec<String> = Vec::new();
        for note in tables.iter().flat_map(|table| &table.footnotes) {
            if !all.contains(note) {
                all.push(note.clone());
            }
        }
        let known: SortedMap<String, String> = all.iter().cloned().zip(signs(&all)).collect();
        for table in tables {
            table.signs = table.footnotes.iter().map(|note| known[note].clone()).collect();
        }
    }

    /// Whether it has more than labels and numbers: spanning headings, intervals, marks, joined labels.
    pub fn is_structured(&self) -> bool {
        let has_more = |column: &TableColumn| column.is_interval() || !column.groups.is_empty();
        self.merged > 0 || !self.marks.is_empty() || self.columns.iter().any(has_more)
    }

    /// Returns the rows before which a new group begins: those at which the outermost joined label changes.
    pub fn breaks(&self) -> Vec<usize> {
        let differs = |row: &usize| self.rows[row - 1].cells.first() != self.rows[*row].cells.first();
        (1..self.rows.len()).filter(|row| self.merged > 0 && differs(row)).collect()
    }

    /// Joins labels that repeat those of the row above.
    fn merge(&self, rows: &mut [Vec<Printed>]) {
        for at in 0..self.merged.min(self.columns.len()) {
            let mut first = 0;
            for row in 1..rows.len() {
                if self.rows[row].cells[..=at] == self.rows[first].cells[..=at] {
                    rows[first][at].rows += 1;
                    rows[row][at].rows = 0;
                } else {
                    first = row;
                }
            }
        }
    }

    fn printed_column(&self, at: usize, column: &TableColumn) -> Vec<String> {
        let format = column.format.unwrap_or(Format::PLAIN);
        let like = column.like.unwrap_or(at);
        let decimals = self.decimals(like);
        let text = |row: &TableRow| {
            let decimals = || decimals.of(row.cells.get(like));
            match row.cells.get(at) {
                Some(Cell::Text(text)) => text.clone(),
                Some(Cell::Number(number)) => format.print(*number, decimals()),
                Some(Cell::Interval(low, high)) => {
                    let decimals = decimals();
                    format!("[{}, {}]", format.print_end(*low, decimals), format.print_end(*high, decimals))
                }
                Some(Cell::Empty) | None => String::new(),
            }
        };
        self.rows.iter().map(text).collect()
    }

    /// Returns the number of decimals with which a column is printed: those of each row if it spans magnitudes, or another column
    /// of the same format does, so that all columns of a metric are printed alike. O(columns · rows).
    fn decimals(&self, at: usize) -> Decimals {
        let own = self.own_decimals(at);
        let is_alike = |(other, column): (usize, &TableColumn)| {
            other != at
                && column.like.is_none()
                && column.format.is_some()
                && column.format == self.columns[at].format
                && self.own_decimals(other).is_of_rows()
        };
        if !own.is_of_rows() && self.columns.iter().enumerate().any(is_alike) { own.of_rows() } else { own }
    }

    fn own_decimals(&self, at: usize) -> Decimals {
        let format = self.columns[at].format.unwrap_or(Format::PLAIN);
        let ranked = self
            .rows
            .iter()
            .any(|row| row.group.is_some() && matches!(row.cells.get(at), Some(Cell::Number(_))));
        let numbers =
            self.rows.iter().filter(|row| row.group.is_some() || !ranked).flat_map(|row| ends(row, at));
        Decimals::of_column(format, &numbers.collect::<Vec<f64>>())
    }

    /// Returns the first row with the best number of a column, for each group in which two or more rows compete.
    fn bests(&self, at: usize, column: &TableColumn) -> SortedMap<usize, usize> {
        let mut groups: SortedMap<usize, Vec<(usize, f64)>> = SortedMap::new();
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

/// Returns the numbers of a cell that determine the decimals of its column.
fn ends(row: &TableRow, at: usize) -> Vec<f64> {
    match row.cells.get(at) {
        Some(Cell::Number(number)) => vec![*number],
        Some(Cell::Interval(low, high)) => vec![*low, *high],
        _ => Vec::new(),
    }
}

fn number(row: &TableRow, at: usize) -> Option<f64> {
    match row.cells.get(at) {
        Some(Cell::Number(number)) => Some(*number),
        _ => None,
    }
}

/// Keeps each caption line in the first table that has it; later tables say "else as above".
#[must_use]
pub fn captions_once(mut tables: Vec<Table>) -> Vec<Table> {
    let mut known = SortedSet::new();
    for table in &mut tables {
        let lines = table.caption.len();
        table.caption.retain(|line| known.insert(line.to_string()));
        if table.caption.len() < lines {
            table.caption.push("else as above".into());
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(better: Better, values: &[(f64, bool)]) -> Table {
        let format = Format::of(Unit::Ratio, TimeUnit::Seconds);
        let row = |&(value, ranked): &(f64, bool)| TableRow {
            cells: vec![Cell::Number(value)],
            group: ranked.then_some(0),
        };
        let columns = vec![TableColumn::number("mean_bsld", format, better)];
        Table { columns, rows: values.iter().map(row).collect(), ..Table::default() }
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
    fn columns_of_one_format_are_printed_alike() {
        let mut table = table(Better::Lower, &[(310.476, false), (1.036, false)]);
        let column = table.columns[0].clone();
        table.columns.push(column);
        let with = |table: &mut Table, numbers: [f64; 2]| {
            for (row, number) in table.rows.iter_mut().zip(numbers) {
                row.cells.truncate(1);
                row.cells.push(Cell::Number(number));
            }
            table.printed().iter().map(|row| row.iter().map(|cell| cell.text.clone()).collect()).collect()
        };
        let near: Vec<Vec<String>> = with(&mut table, [285.182, 1.047]);
        assert_eq!(near, [["310.48", "285.18"], ["1.04", "1.05"]]);
        let far: Vec<Vec<String>> = with(&mut table, [2350.4, 1.047]);
        assert_eq!(far, [["310.5", "2,350"], ["1.04", "1.05"]], "the second column spans three magnitudes");
    }

    #[test]
    fn one_competitor_is_no_winner() {
        assert_eq!(best(Better::Lower, &[(2.0, true), (1.0, false)]), [false, false]);
    }
}
