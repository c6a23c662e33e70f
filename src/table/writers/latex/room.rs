//! How much room a table takes, estimated from its texts.

use crate::table::{Align, Float, Printed, Table};

/// The mean width of a character in the size of footnotes, in points: Computer Modern of 8 pt, digits 4.25.
const CHARACTER: f64 = 4.3;
/// The space between two columns, in points.
const BETWEEN: f64 = 6.0;
/// The width of a column of text in the narrowest common class of two columns (article, 10 pt), in points.
const COLUMN: f64 = 229.0;
/// The width of its page of text, in points.
const PAGE: f64 = 468.0;
/// Text columns that are wider than this many characters become paragraphs where a table is too wide.
const LONGEST_WORDS: usize = 24;
/// The least width of a paragraph, in characters.
const LEAST_PARAGRAPH: f64 = 12.0;

/// The estimated widths of a table's columns, in points.
pub struct ColumnWidths {
    widths: Vec<f64>,
    is_prose: Vec<bool>,
}

impl ColumnWidths {
    /// Estimates the room of a table. O(cells).
    pub fn of(table: &Table) -> ColumnWidths {
        let printed = table.printed();
        let longest = |at: usize| {
            let column = &table.columns[at];
            let heading = column.stacked().iter().map(|words| words.chars().count()).max().unwrap_or(0);
            let cell = |cells: &Vec<Printed>| cells[at].text.chars().count();
            printed.iter().map(cell).max().unwrap_or(0).max(heading)
        };
        let longest: Vec<usize> = (0..table.columns.len()).map(longest).collect();
        let is_prose = |at: usize| table.columns[at].align == Align::Left && longest[at] > LONGEST_WORDS;
        ColumnWidths {
            widths: longest.iter().map(|&characters| characters as f64 * CHARACTER).collect(),
            is_prose: (0..longest.len()).map(is_prose).collect(),
        }
    }

    /// Returns the narrowest float that the table fits; the page if it fits none.
    pub fn least_float(&self) -> Float {
        if self.whole() <= COLUMN { Float::Column } else { Float::Page }
    }

    /// Whether the estimated width is more than that of a float.
    pub fn exceeds(&self, float: Float) -> bool {
        self.whole() > available(float)
    }

    /// Returns for each column the share of the float's width if it is set as paragraphs; all `None` if the table fits.
    pub fn paragraphs(&self, float: Float) -> Vec<Option<f64>> {
        let available = available(float);
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

fn available(float: Float) -> f64 {
    match float {
        Float::Column => COLUMN,
        Float::Page | Float::Long => PAGE,
    }
}
