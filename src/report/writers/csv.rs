//! Tables as CSV (RFC 4180, lines ending in a line feed): full precision, one header line of keys.

use super::{Style, WriterSpec};
use crate::report::Table;
use crate::report::table::Cell;

/// Keys, values in the metrics' own units, and the conditions as columns at the end of each row.
pub const SPEC: WriterSpec =
    WriterSpec { name: "csv", summary: "full precision, with the conditions as columns", write };

fn write(table: &Table, _style: &Style) -> String {
    let keys = table.columns.iter().map(|column| column.key.as_str());
    let facts = table.facts.iter().map(|(name, _)| name.as_str());
    let mut text = String::new();
    push_line(&mut text, keys.chain(facts).map(quoted));
    for row in &table.rows {
        let facts = table.facts.iter().map(|(_, value)| value);
        push_line(&mut text, row.cells.iter().chain(facts).map(field));
    }
    text
}

fn field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => quoted(text),
        Cell::Number(number) => number.to_string(),
        Cell::Empty => String::new(),
    }
}

fn push_line(text: &mut String, fields: impl Iterator<Item = String>) {
    text.push_str(&fields.collect::<Vec<_>>().join(","));
    text.push('\n');
}

/// Puts a field in quotation marks where it holds a separator.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_quoted() {
        assert_eq!(quoted("easy"), "easy");
        assert_eq!(quoted("depth:k=2,order=sjf"), "\"depth:k=2,order=sjf\"");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
