//! Tables in GitHub's Markdown.

use super::{Style, WriterSpec};
use crate::table::Table;
use crate::table::{Align, Printed, sign};

/// A pipe table with the conditions above it and notes below.
pub const SPEC: WriterSpec = WriterSpec {
    name: "markdown",
    for_programs: false,
    ending: "md",
    summary: "a pipe table for READMEs and issues",
    write,
};

fn write(table: &Table, _style: &Style) -> String {
    let table = &table.for_readers();
    let mut blocks = Vec::new();
    if !table.title.is_empty() {
        blocks.push(format!("**{}**", escape(&table.title)));
    }
    if !table.caption.is_empty() {
        blocks.push(table.caption.iter().map(|line| escape(line)).collect::<Vec<_>>().join("  \n"));
    }
    if !table.columns.is_empty() {
        blocks.push(grid(table));
    }
    let notes = table.notes.iter().map(|note| format!("- {}", escape(note)));
    let definitions =
        table.definitions.iter().map(|(name, what)| format!("- {}: {}", escape(name), escape(what)));
    let footnotes = table.footnotes.iter().enumerate();
    let footnotes = footnotes.map(|(at, note)| format!("- {} {}", sign(at), escape(note)));
    let list: Vec<String> = notes.chain(footnotes).chain(definitions).collect();
    if !list.is_empty() {
        blocks.push(list.join("\n"));
    }
    blocks.join("\n\n") + "\n"
}

fn grid(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let headings = table.columns.iter().map(|column| escape(&column.full_heading()));
    let rules = table.columns.iter().map(|column| match column.align {
        Align::Left => ":---".to_string(),
        Align::Right => "---:".to_string(),
    });
    let mut lines = vec![line(headings.collect()), line(rules.collect())];
    for (row, cells) in table.printed().iter().enumerate() {
        let is_best = |at| table.marks.get(&(row, at)).is_some_and(|mark| mark.best);
        let texts = cells.iter().enumerate().map(|(at, cell)| text(cell, is_best(at)));
        lines.push(line(texts.collect()));
    }
    lines.join("\n")
}

fn text(cell: &Printed, is_best: bool) -> String {
    match escape(&cell.text) {
        _ if cell.rows == 0 => String::new(),
        text if text.is_empty() => format!("- {}", cell.signs.join(",")).trim_end().to_string(),
        text if is_best => format!("**{text}** {}", cell.signs.join(",")).trim_end().to_string(),
        text => format!("{text} {}", cell.signs.join(",")).trim_end().to_string(),
    }
}

/// Escapes characters that would end a cell or start emphasis.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' | '*' | '_' | '`' | '<' | '\\' => escaped.extend(['\\', character]),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}
