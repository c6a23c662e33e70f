//! How the columns of a log were read, as text.

use std::fmt::Write;

use batchlab_parsers::Explanation;
use batchlab_parsers::explain::{Explained, ExplainedCell};
use batchlab_traces::{Field, Trace};

/// The most characters shown of a text in a log.
const SHOWN: usize = 32;

/// Returns one table for each explained line: column, text, field of the record, and value.
pub fn page(explanation: &Explanation, trace: &Trace) -> String {
    let mut page = String::new();
    for line in &explanation.lines {
        let row = (0..trace.len()).find(|&row| trace.line(row) == line.line);
        let gap = if page.is_empty() { "" } else { "\n" };
        let _ = writeln!(page, "{gap}{}:{}", trace.provenance.source.name, line.line);
        page.push_str(&grid(&rows(line, trace, row)));
    }
    if page.is_empty() {
        page.push_str("no line was a job\n");
    }
    page
}

fn rows(line: &Explained, trace: &Trace, row: Option<usize>) -> Vec<[String; 4]> {
    let heading = ["column", "text", "went to", "value"].map(String::from);
    let cells = line.cells.iter().map(|cell| {
        let value = row.map_or_else(|| "left out".into(), |row| value(cell, trace, row));
        [cell.column.clone(), shown(&cell.text), cell.to.clone(), value]
    });
    std::iter::once(heading).chain(cells).collect()
}

/// Returns the value in the record that a cell was read into; several values are separated by commas.
fn value(cell: &ExplainedCell, trace: &Trace, row: usize) -> String {
    let values = cell.to.split(", ").map(|to| {
        let field = |field: Field| trace.get(row, field).to_string();
        let known = Field::ALL.into_iter().find(|field| field.name() == to);
        match (to, known, trace.resource(to)) {
            (_, Some(known), _) => field(known),
            (_, None, Some(column)) => column.get(row).to_string(),
            ("start", ..) => format!("wait {}", field(Field::Wait)),
            ("end", ..) => format!("run {}", field(Field::Run)),
            _ => String::new(),
        }
    });
    values.filter(|value| !value.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Returns a text of a log in one line: control characters escaped, and shortened.
fn shown(text: &str) -> String {
    let escaped: String = text.chars().flat_map(char::escape_debug).collect();
    let escaped = escaped.replace("\\\"", "\"").replace("\\'", "'");
    match escaped.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}...", &escaped[..at]),
        None => escaped,
    }
}

fn grid(rows: &[[String; 4]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for [column, raw, to, value] in rows {
        let line = format!("  {column:0$}  {raw:1$}  {to:2$}  {value}", widths[0], widths[1], widths[2]);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_logs_stay_on_one_line() {
        assert_eq!(shown("a\tb \"c\" \u{7}"), "a\\tb \"c\" \\u{7}");
        assert_eq!(shown(&"x".repeat(40)).len(), SHOWN + 3);
        assert_eq!(shown("süß"), "süß");
    }
}
