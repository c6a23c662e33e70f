//! Tables in HTML: a `table` element for a page with its own style.

use batchlab_traces::foreign::SafeText;
use maud::{Markup, html};

use super::{Style, WriterSpec};
use crate::table::{Align, Cell, Printed, Table, spans};

/// A table with its caption; numbers carry their full precision in `data-sort`.
pub const SPEC: WriterSpec = WriterSpec {
    name: "html",
    for_programs: false,
    ending: "html",
    summary: "a table element, with full precision to sort by",
    write,
};

fn write(table: &Table, style: &Style) -> SafeText {
    let table = &table.for_readers();
    SafeText::of(&(markup(table, style).into_string() + "\n"))
}

/// Returns the table as markup, for a page.
///
/// Labels that repeat those of the row above are written with class `repeated`, so that a page can sort the rows.
pub fn markup(table: &Table, style: &Style) -> Markup {
    html! {
        figure class="table" {
            table {
                caption {
                    @if !table.title.is_empty() { strong { (table.title) } }
                    @for line in table.conditions() { br; (line) }
                }
                (head(table))
                tbody {
                    @for (row, cells) in table.printed().iter().enumerate() {
                        tr class=[table.breaks().contains(&row).then_some("group")] {
                            @for (at, cell) in cells.iter().enumerate() { (field(table, (row, at), cell, style)) }
                        }
                    }
                }
            }
            (notes(table))
        }
    }
}

fn head(table: &Table) -> Markup {
    html! {
        thead {
            @for level in spans(&table.columns) {
                tr {
                    @for span in &level {
                        @if span.words.is_empty() { td colspan=(span.width) {} }
                        @else { th scope="colgroup" colspan=(span.width) { (span.words) } }
                    }
                }
            }
            tr {
                @for column in &table.columns {
                    th scope="col" class=[side(column.align)] {
                        (column.heading)
                        @if !column.unit().is_empty() { " (" (column.unit()) ")" }
                    }
                }
            }
        }
    }
}

fn field(table: &Table, (row, at): (usize, usize), cell: &Printed, style: &Style) -> Markup {
    let text = html! {
        @if cell.text.is_empty() { "\u{2013}" }
        @else if cell.best && style.mark_best { strong { (cell.text) } }
        @else { (cell.text) }
        @if !cell.signs.is_empty() { sup { (cell.signs.join(",")) } }
    };
    match table.columns[at].align {
        Align::Left => html! {
            th scope="row" class=[(cell.rows == 0).then_some("repeated")] { (text) }
        },
        Align::Right => html! {
            td class="number" data-sort=[full(table.rows[row].cells.get(at))] { (text) }
        },
    }
}

/// Returns the value by which a cell is sorted: its number, or the lower end of an interval.
fn full(cell: Option<&Cell>) -> Option<String> {
    match cell {
        Some(Cell::Number(number) | Cell::Interval(number, _)) => Some(number.to_string()),
        Some(Cell::Text(text)) => Some(text.clone()),
        Some(Cell::Empty) | None => None,
    }
}

fn side(align: Align) -> Option<&'static str> {
    (align == Align::Right).then_some("number")
}

fn notes(table: &Table) -> Markup {
    if table.notes.is_empty() && table.footnotes.is_empty() && table.definitions.is_empty() {
        return Markup::default();
    }
    html! {
        figcaption {
            ul {
                @for note in &table.notes { li { (note) } }
                @for (sign, note) in table.signed_footnotes() { li { (sign) " " (note) } }
                @for (name, what) in &table.definitions { li { (name) ": " (what.text) } }
            }
        }
    }
}
