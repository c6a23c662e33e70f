//! The `tabular` of a table.

use std::ops::Range;

use super::aligned::{Aligned, NumberSetting};
use super::escape::escape;
use super::room::ColumnWidths;
use crate::table::writers::Style;
use crate::table::writers::wrap::wrap;
use crate::table::{Align, Float, Printed, Span, Table, TableColumn, spans};

/// The fewest characters in a line of a heading that spans columns.
const LEAST_HEADING: usize = 12;

/// The rows of a table, ready for an environment.
pub struct Grid<'a> {
    table: &'a Table,
    style: &'a Style,
    /// For each column, the share of the line that it takes as paragraphs.
    paragraphs: Vec<Option<f64>>,
    room: &'a ColumnWidths,
    /// Whether the table may be wider than its float, by an estimate.
    exceeds: bool,
}

impl<'a> Grid<'a> {
    /// Lays out a table for a float.
    pub fn new(table: &'a Table, style: &'a Style, room: &'a ColumnWidths, float: Float) -> Grid<'a> {
        Grid { table, style, paragraphs: room.paragraphs(float), room, exceeds: room.may_exceed(float) }
    }

    pub fn has_columns(&self) -> bool {
        !self.table.columns.is_empty()
    }

    pub fn has_paragraphs(&self) -> bool {
        self.paragraphs.iter().any(Option::is_some)
    }

    pub fn may_be_too_wide(&self) -> bool {
        self.exceeds && self.has_columns()
    }

    /// Returns the lines of a `tabular` with some of the rows.
    pub fn tabular(&self, rows: Range<usize>) -> Vec<String> {
        let mut lines = vec![format!("  \\begin{{tabular}}{{{}}}", self.letters()), "    \\toprule".into()];
        lines.extend(self.heads());
        lines.push("    \\midrule".into());
        lines.extend(self.rows(rows, "\\\\"));
        lines.push("    \\bottomrule".into());
        lines.push("  \\end{tabular}".into());
        lines
    }

    /// Returns the lines of a `longtable`. Rows under one joined label stay on one page.
    pub fn longtable(&self, caption: Option<String>) -> Vec<String> {
        let width = self.table.columns.len();
        let mut lines = vec![format!("  \\begin{{longtable}}{{{}}}", self.letters())];
        lines.extend(caption.map(|caption| format!("    {caption}\\\\")));
        let heads = |lines: &mut Vec<String>, end: &str| {
            lines.push("    \\toprule".into());
            lines.extend(self.heads());
            lines.extend(["    \\midrule".into(), format!("    {end}")]);
        };
        heads(&mut lines, "\\endfirsthead");
        lines.push(format!("    \\multicolumn{{{width}}}{{l}}{{(continued)}} \\\\"));
        heads(&mut lines, "\\endhead");
        lines.push("    \\midrule".into());
        lines.push(format!("    \\multicolumn{{{width}}}{{r}}{{continued on the next page}} \\\\ \\endfoot"));
        lines.push("    \\bottomrule \\endlastfoot".into());
        lines.extend(self.rows(0..self.table.rows.len(), "\\\\*"));
        lines.push("  \\end{longtable}".into());
        lines
    }

    fn letters(&self) -> String {
        let letter = |(column, share): (&TableColumn, &Option<f64>)| -> String {
            match (share, column.align) {
                (Some(share), _) => format!(">{{\\raggedright\\arraybackslash}}p{{{share:.3}\\linewidth}}"),
                (None, Align::Left) => "l".into(),
                (None, Align::Right) => "r".into(),
            }
        };
        let space = |at: usize| {
            self.room.behind(at).map_or_else(String::new, |points| format!("@{{\\hspace{{{points:.1}pt}}}}"))
        };
        let columns = self.table.columns.iter().zip(&self.paragraphs).enumerate();
        columns.map(|(at, column)| letter(column) + &space(at)).collect()
    }

    fn heads(&self) -> Vec<String> {
        let mut lines = self.groups();
        lines.extend(headings(&self.table.columns));
        lines
    }

    /// Returns the headings that span columns, each level followed by its rules. A heading that is wider than its columns
    /// stands in several lines.
    fn groups(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for level in spans(&self.table.columns) {
            let cell = |span: &Span| {
                let room = self.room.characters(span.from..span.from + span.width).max(LEAST_HEADING);
                let words: Vec<String> =
                    wrap(&span.words, room, "").iter().map(|words| escape(words)).collect();
                let words = match &words[..] {
                    [_, _, ..] => format!("\\shortstack{{{}}}", words.join("\\\\")),
                    _ => words.concat(),
                };
                format!("\\multicolumn{{{}}}{{c}}{{{words}}}", span.width)
            };
            lines.push(line(level.iter().map(cell), "\\\\"));
            let named = level.iter().filter(|span| !span.words.is_empty());
            let rules = named
                .map(|span| format!("\\cmidrule(lr){{{}-{}}}", span.from + 1, span.from + span.width))
                .collect::<Vec<_>>();
            lines.push(format!("    {}", rules.join(" ")));
        }
        lines
    }

    /// Returns the cells of some rows; joined labels are cut at their ends.
    fn printed(&self, of: &Range<usize>) -> Vec<Vec<Printed>> {
        let all = self.table.printed();
        let mut rows = all[of.clone()].to_vec();
        for column in 0..self.table.merged.min(self.table.columns.len()) {
            if let Some(owner) =
                (0..=of.start).rfind(|&row| all.get(row).is_some_and(|row| row[column].rows > 0))
                && owner < of.start
                && let Some(first) = rows.first_mut()
            {
                let label = &all[owner][column];
                first[column] = Printed { rows: owner + label.rows - of.start, ..label.clone() };
            }
            for (at, row) in rows.iter_mut().enumerate() {
                row[column].rows = row[column].rows.min(of.len() - at);
            }
        }
        rows
    }

    /// Returns some of the rows. `within` ends a row whose joined label continues in the next row.
    fn rows(&self, of: Range<usize>, within: &str) -> Vec<String> {
        let table = self.table;
        let breaks = table.breaks();
        let printed = self.printed(&of);
        let setting = if table.is_structured() { NumberSetting::Siunitx } else { NumberSetting::Plain };
        let mut lines = Vec::new();
        for (row, cells) in printed.iter().enumerate() {
            if row > 0 && breaks.contains(&(of.start + row)) {
                lines.push("    \\midrule".into());
            }
            let cell = |(at, cell): (usize, &Printed)| {
                let width = if self.paragraphs[at].is_some() { "=" } else { "*" };
                let is_bold = cell.best && self.style.mark_best;
                text(cell, &table.columns[at], &self.room.aligned[at], (width, setting, is_bold))
            };
            let continues =
                printed.get(row + 1).is_some_and(|next| next.first().is_some_and(|cell| cell.rows == 0));
            let end = if continues { within } else { "\\\\" };
            lines.push(line(cells.iter().enumerate().map(cell), end));
        }
        lines
    }
}

/// Returns the stacked headings, one table line for each level, with the lowest words on the last line.
fn headings(columns: &[TableColumn]) -> Vec<String> {
    let stacks: Vec<Vec<String>> = columns.iter().map(TableColumn::stacked).collect();
    let height = stacks.iter().map(Vec::len).max().unwrap_or(0);
    let word = |stack: &Vec<String>, level: usize| {
        let above = height - stack.len();
        level.checked_sub(above).map(|at| escape(&stack[at])).unwrap_or_default()
    };
    (0..height).map(|level| line(stacks.iter().map(|stack| word(stack, level)), "\\\\")).collect()
}

fn line(cells: impl Iterator<Item = String>, end: &str) -> String {
    format!("    {} {end}", cells.collect::<Vec<_>>().join(" & "))
}

/// Returns the text of a cell: numbers as their column has them, with signs in the space behind the column, and joined labels by
/// multirow. `width` is the width of a joined label for multirow.
fn text(
    cell: &Printed,
    column: &TableColumn,
    aligned: &Aligned,
    (width, setting, is_bold): (&str, NumberSetting, bool),
) -> String {
    if cell.rows == 0 {
        return String::new();
    }
    let signs = match cell.signs.join(",") {
        signs if signs.is_empty() => signs,
        signs => format!("\\textsuperscript{{{}}}", escape(&signs)),
    };
    let is_number = column.align == Align::Right && !cell.text.is_empty();
    let beside = if is_number && !signs.is_empty() { format!("\\rlap{{{signs}}}") } else { String::new() };
    let text = match column.align {
        _ if cell.text.is_empty() => "--".into(),
        Align::Right => aligned.text(&cell.text, setting, is_bold, &beside),
        Align::Left if is_bold => format!("\\textbf{{{}}}", escape(&cell.text)),
        Align::Left => escape(&cell.text),
    };
    let text = if cell.rows > 1 { format!("\\multirow{{{}}}{{{width}}}{{{text}}}", cell.rows) } else { text };
    if is_number { text } else { text + &signs }
}
