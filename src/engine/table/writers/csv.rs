//! Tables as CSV (RFC 4180, with line feeds as line ends): full precision, one header line of keys.
//!
//! An interval becomes two columns, `KEY_low` and `KEY_high` of `KEY_interval`.

use batchlab_traces::foreign::SafeText;

use super::{Style, WriterSpec};
use crate::table::{Cell, Table, TableColumn};

/// Keys, values in the metrics' own units, and the conditions as columns at the end of each row.
pub const SPEC: WriterSpec = WriterSpec {
    name: "csv",
    for_programs: true,
    ending: "csv",
    summary: "full precision, with the conditions as columns",
    write,
};

fn write(table: &Table, _style: &Style) -> SafeText {
    let table = &table.safe();
    let keys = table.columns.iter().flat_map(keys);
    let facts = table.facts.iter().map(|(name, _)| name.clone());
    let mut text = String::new();
    push_line(&mut text, keys.chain(facts).map(|key| quoted(&key)));
    for row in &table.rows {
        let cells = table.columns.iter().zip(&row.cells).flat_map(|(column, cell)| fields(column, cell));
        push_line(&mut text, cells.chain(table.facts.iter().map(|(_, value)| field(value))));
    }
    SafeText::of(&text)
}

/// Returns the keys of a column: two for an interval.
fn keys(column: &TableColumn) -> Vec<String> {
    if !column.is_interval() {
        return vec![column.key.clone()];
    }
    let key = column.key.strip_suffix("_interval").unwrap_or(&column.key);
    vec![format!("{key}_low"), format!("{key}_high")]
}

fn fields(column: &TableColumn, cell: &Cell) -> Vec<String> {
    match cell {
        Cell::Interval(low, high) => vec![low.to_string(), high.to_string()],
        _ if column.is_interval() => vec![String::new(); 2],
        cell => vec![field(cell)],
    }
}

fn field(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => quoted(text),
        Cell::Number(number) => number.to_string(),
        Cell::Interval(low, high) => quoted(&format!("{low},{high}")),
        Cell::Empty => String::new(),
    }
}

fn push_line(text: &mut String, fields: impl Iterator<Item = String>) {
    text.push_str(&fields.collect::<Vec<_>>().join(","));
    text.push('\n');
}

/// Quotes a field that contains a separator, or that a spreadsheet would read as a formula. A sign alone is no formula.
///
/// Written by hand, as a `csv` writer applies one rule to all its fields, and none of its rules recognises formulas.
fn quoted(field: &str) -> String {
    let is_formula = field.len() > 1 && field.starts_with(['=', '+', '-', '@', '\t']);
    if is_formula || field.contains([',', '"', '\n', '\r']) {
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
        assert_eq!(["=1+1", "+x", "-x", "@x"].map(quoted), ["\"=1+1\"", "\"+x\"", "\"-x\"", "\"@x\""]);
        assert_eq!(field(&Cell::Number(-1.5)), "-1.5");
    }

    #[test]
    fn what_is_quoted_reads_back_as_it_was() {
        let fields =
            ["easy", "depth:k=2,order=sjf", "a\"b\"", "=1+1", "-", "-x", "@x", "two\nlines", "", " blanks "];
        let mut text = String::new();
        push_line(&mut text, fields.into_iter().map(quoted));
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records, [csv::StringRecord::from(fields.to_vec())]);
    }
}
