//! Headings that span several columns.

use super::TableColumn;

/// A spanning heading of one level: its text and the columns below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text; empty over columns without a heading.
    pub words: String,
    /// First column.
    pub from: usize,
    /// Number of columns.
    pub width: usize,
}

/// Returns the spanning headings, outermost level first. Neighbouring columns with the same headings on this
/// level and all levels above share one.
pub fn spans(columns: &[TableColumn]) -> Vec<Vec<Span>> {
    let height = columns.iter().map(|column| column.groups.len()).max().unwrap_or(0);
    (0..height).map(|level| level_of(columns, level)).collect()
}

fn level_of(columns: &[TableColumn], level: usize) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let words = column.groups.get(level).cloned().unwrap_or_default();
        let up_to = |column: &TableColumn| column.groups.iter().take(level + 1).cloned().collect::<Vec<_>>();
        match spans.last_mut() {
            Some(span) if at > 0 && up_to(column) == up_to(&columns[at - 1]) => span.width += 1,
            _ => spans.push(Span { words, from: at, width: 1 }),
        }
    }
    spans
}
