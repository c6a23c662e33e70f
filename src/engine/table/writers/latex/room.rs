//! How much room a table takes, estimated from its texts.

use super::aligned::Aligned;
use crate::table::{Align, Float, PaperWidth, Printed, Table};

/// The mean width of a character in the size of footnotes, in points: Computer Modern of 8 pt, digits 4.25.
const CHARACTER: f64 = 4.3;
/// The width of a sign of a footnote, in points: half of the space between columns stays free behind signs.
const SIGN: f64 = 3.5;
/// The space between two columns, in points.
const BETWEEN: f64 = 6.0;
/// The width of a column of text in the narrowest common class of two columns (article, 10 pt), in points.
const COLUMN: f64 = 229.0;
/// The width of a page of text in the narrowest common class (`llncs`), in points.
const PAGE: f64 = 347.0;
/// The share of a width from which an estimate is too near to it: the table then shrinks if it is wider.
const SURE: f64 = 0.8;
/// The share of its size below which a table's letters, of 8 pt, are hard to read: 6 pt.
const LEGIBLE: f64 = 0.75;
/// Text columns that are wider than this many characters become paragraphs where a table is too wide.
const LONGEST_WORDS: usize = 24;
/// The least width of a paragraph, in characters.
const LEAST_PARAGRAPH: f64 = 12.0;

/// The estimated widths of a table's columns, in points.
pub struct ColumnWidths {
    /// With the room of signs.
    widths: Vec<f64>,
    /// What the signs of each column need beyond the space between columns.
    signs: Vec<f64>,
    is_prose: Vec<bool>,
    /// The widths of a column and of the page.
    available: (f64, f64),
    prefers_page: bool,
    /// How the numbers of each column stand below each other.
    pub aligned: Vec<Aligned>,
}

impl ColumnWidths {
    /// Estimates the room of a table. O(cells).
    pub fn of(table: &Table) -> ColumnWidths {
        let printed = table.printed();
        let aligned: Vec<Aligned> =
            (0..table.columns.len()).map(|at| Aligned::of(printed.iter().map(|row| &row[at]))).collect();
        let longest = |at: usize| {
            let column = &table.columns[at];
            let heading = column.stacked().iter().map(|words| words.chars().count()).max().unwrap_or(0);
            let cell = |cells: &Vec<Printed>| aligned[at].characters(&cells[at].text);
            printed.iter().map(cell).max().unwrap_or(0).max(heading)
        };
        let longest: Vec<usize> = (0..table.columns.len()).map(longest).collect();
        let is_prose = |at: usize| table.columns[at].align == Align::Left && longest[at] > LONGEST_WORDS;
        let signs = |at: usize| {
            let beside = printed.iter().map(|row| &row[at]).filter(|cell| !cell.text.is_empty());
            let longest = beside.map(|cell| cell.signs.join(",").chars().count()).max().unwrap_or(0);
            (longest as f64 * SIGN - BETWEEN / 2.0).max(0.0)
        };
        let is_number = |at: &usize| table.columns[*at].align == Align::Right;
        let signs: Vec<f64> =
            (0..longest.len()).map(|at| Some(at).filter(is_number).map_or(0.0, signs)).collect();
        ColumnWidths {
            widths: longest.iter().zip(&signs).map(|(of, sign)| *of as f64 * CHARACTER + sign).collect(),
            signs,
            is_prose: (0..longest.len()).map(is_prose).collect(),
            available: [Float::Column, Float::Page].map(|float| width_of(table, float)).into(),
            prefers_page: matches!(table.paper.width, Some(PaperWidth::Text(_))),
            aligned,
        }
    }

    /// Returns the narrowest float that the table fits; the page if it fits none, or the column where both are the same.
    pub fn least_float(&self) -> Float {
        let (column, page) = self.available;
        if !self.prefers_page && (self.whole() <= column || column >= page) {
            Float::Column
        } else {
            Float::Page
        }
    }

    /// Whether the table may be wider than a float: the estimated width is near to it or above.
    pub fn may_exceed(&self, float: Float) -> bool {
        self.whole() > SURE * self.available(float)
    }

    /// Returns the share of its size to which LaTeX shrinks a table that is much wider than its float.
    pub fn shrinks_to(&self, float: Float) -> Option<f64> {
        let share = self.available(float) / self.whole();
        (share < LEGIBLE && !self.paragraphs(float).iter().any(Option::is_some)).then_some(share)
    }

    /// Returns the characters that fit into some neighbouring columns.
    pub fn characters(&self, columns: std::ops::Range<usize>) -> usize {
        let between = BETWEEN * columns.len().saturating_sub(1) as f64;
        ((self.widths[columns].iter().sum::<f64>() + between) / CHARACTER) as usize
    }

    /// Returns the width of some columns as a share of the width of a float.
    pub fn share(&self, columns: &[usize], float: Float) -> f64 {
        columns.iter().map(|&at| self.widths[at] + BETWEEN).sum::<f64>() / self.available(float)
    }

    /// Returns the space behind a column, in points, if its signs need more than the space between columns.
    pub fn behind(&self, column: usize) -> Option<f64> {
        let room = self.signs[column];
        (room > 0.0).then_some(BETWEEN + room)
    }

    fn available(&self, float: Float) -> f64 {
        if float == Float::Column { self.available.0 } else { self.available.1 }
    }

    /// Returns for each column the share of the float's width if it is set as paragraphs; all `None` if the table fits.
    pub fn paragraphs(&self, float: Float) -> Vec<Option<f64>> {
        let available = self.available(float);
        if self.whole() <= available {
            return vec![None; self.widths.len()];
        }
        let total = |prose: bool| -> f64 {
            self.widths
                .iter()
                .zip(&self.is_prose)
                .filter(|(_, is)| **is == prose)
                .map(|(width, _)| width)
                .sum()
        };
        let left = available - total(false) - self.widths.len() as f64 * BETWEEN;
        let of = |(width, is_prose): (&f64, &bool)| {
            let points = (left * width / total(true)).max(LEAST_PARAGRAPH * CHARACTER);
            is_prose.then_some(points / available)
        };
        self.widths.iter().zip(&self.is_prose).map(of).collect()
    }

    fn whole(&self) -> f64 {
        self.widths.iter().sum::<f64>() + self.widths.len() as f64 * BETWEEN
    }
}

/// Returns the width of a float of a table, in points.
pub fn width_of(table: &Table, float: Float) -> f64 {
    match (table.paper.width, float) {
        (Some(width), Float::Column) => width.column(),
        (Some(width), Float::Page | Float::Long) => width.page(),
        (None, Float::Column) => COLUMN,
        (None, Float::Page | Float::Long) => PAGE,
    }
}
