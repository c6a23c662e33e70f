//! Tables for a terminal.

use batchlab_traces::foreign::SafeText;
use tabled::builder::Builder;
use tabled::settings::formatting::AlignmentStrategy;
use tabled::settings::object::{Cell as At, Columns, Rows};
use tabled::settings::style::HorizontalLine;
use tabled::settings::{Alignment, Color, Padding, Span, Style as Borders};

use super::wrap::{length, wrap, wrap_label};
use super::{Style, WriterSpec};
use crate::table::{Align, Printed, Table, TableColumn, spans};

/// Columns under stacked headings, 100 characters wide by default.
pub const SPEC: WriterSpec = WriterSpec {
    name: "table",
    for_programs: false,
    ending: "txt",
    summary: "aligned columns for a terminal",
    write,
};

/// Blanks between columns.
const GAP: usize = 2;
/// The least width to which a label is wrapped.
const LEAST_LABEL: usize = 16;

fn write(table: &Table, style: &Style) -> SafeText {
    let table = &table.for_readers();
    let mut text = String::new();
    let title = Some(table.title.clone()).filter(|title| !title.is_empty());
    for line in title.into_iter().chain(table.conditions()) {
        push_lines(&mut text, wrap(&line, style.width, "  "));
    }
    if !table.columns.is_empty() {
        text.push('\n');
        text.push_str(&grid(table, style));
    }
    if !table.notes.is_empty() || !table.footnotes.is_empty() {
        text.push('\n');
    }
    for note in &table.notes {
        push_lines(&mut text, wrap(&format!("* {note}"), style.width, "  "));
    }
    for (sign, note) in table.signed_footnotes() {
        push_lines(&mut text, wrap(&format!("{sign} {note}"), style.width, "  "));
    }
    SafeText::coloured(if text.is_empty() { "\n" } else { &text })
}

fn grid(table: &Table, style: &Style) -> String {
    let rows = table.printed();
    let headings: Vec<Vec<String>> = table.columns.iter().map(TableColumn::stacked).collect();
    let label = label_width(table, &headings, &rows, style.width);
    let widest = |at: usize| rows.iter().map(|row| sign_width(&row[at])).max().unwrap_or(0);
    let signs: Vec<usize> = (0..table.columns.len()).map(widest).collect();
    let levels = spans(&table.columns);
    let mut builder = Builder::default();
    for level in &levels {
        let mut record = vec![String::new(); table.columns.len()];
        for span in level {
            record[span.from].clone_from(&span.words);
        }
        builder.push_record(record);
    }
    builder.push_record(headings.iter().map(|words| words.join("\n")));
    for row in &rows {
        builder.push_record(row.iter().zip(&table.columns).zip(&signs).map(|((cell, column), &signs)| {
            match column.align {
                Align::Left if cell.rows == 0 => String::new(),
                Align::Left => wrap_label(&cell.marked(), label).join("\n"),
                Align::Right => number(cell, signs),
            }
        }));
    }
    let mut grid = builder.build();
    grid.with(Borders::empty().horizontals([(levels.len() + 1, HorizontalLine::new('\u{2500}'))]))
        .with(AlignmentStrategy::PerLine)
        .with(Padding::new(0, GAP, 0, 0))
        .modify(Rows::one(levels.len()), Alignment::bottom());
    for (at, column) in table.columns.iter().enumerate() {
        if at + 1 == table.columns.len() {
            grid.modify(Columns::last(), Padding::zero());
        }
        if column.align == Align::Right {
            grid.modify(Columns::new(at..=at), Alignment::right());
        }
    }
    for (row, level) in levels.iter().enumerate() {
        for span in level.iter().filter(|span| span.width > 1 || !span.words.is_empty()) {
            let at = At::new(row, span.from);
            grid.modify(at, Span::column(span.width as isize)).modify(at, Alignment::center());
        }
    }
    if style.colour && style.mark_best {
        for (row, cells) in rows.iter().enumerate() {
            for (at, _) in cells.iter().enumerate().filter(|(_, cell)| cell.best) {
                grid.modify(At::new(row + levels.len() + 1, at), Color::BOLD | Color::FG_GREEN);
            }
        }
    }
    let mut text = String::new();
    push_lines(&mut text, grid.to_string().lines().map(|line| line.trim_end().to_string()));
    text
}

/// Returns a number with its signs, padded to the number of signs that others of its column have.
fn number(cell: &Printed, signs: usize) -> String {
    let text = if cell.text.is_empty() { "-" } else { &cell.text };
    let signed = if cell.signs.is_empty() { String::new() } else { format!(" {}", cell.signs.join(",")) };
    format!("{text}{signed:<signs$}")
}

fn sign_width(cell: &Printed) -> usize {
    if cell.signs.is_empty() { 0 } else { 1 + length(&cell.signs.join(",")) }
}

/// Returns the greatest width of a text column such that the table fits; the room is shared equally among text columns.
fn label_width(table: &Table, headings: &[Vec<String>], rows: &[Vec<Printed>], width: usize) -> usize {
    let mut texts = 0;
    let mut numbers = 0;
    for (at, column) in table.columns.iter().enumerate() {
        match column.align {
            Align::Left => texts += 1,
            Align::Right => {
                let cells = rows.iter().map(|row| length(&row[at].marked()).max(1));
                let words = headings[at].iter().map(|word| length(word));
                numbers += cells.chain(words).max().unwrap_or(0) + GAP;
            }
        }
    }
    let free = width.saturating_sub(numbers + GAP * usize::saturating_sub(texts, 1));
    (free / texts.max(1)).max(LEAST_LABEL)
}

fn push_lines(text: &mut String, lines: impl IntoIterator<Item = String>) {
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
}
