//! Tables as JSON: full precision, an object for each row.

use batchlab_traces::foreign::SafeText;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Style, WriterSpec};
use crate::table::json::FactsJson;
use crate::table::{Better, Mark, Table, TableColumn, TableRow};

/// `{"title", "conditions", "columns", "rows", "notes", "definitions"}`.
pub const SPEC: WriterSpec = WriterSpec {
    name: "json",
    for_programs: true,
    ending: "json",
    summary: "full precision, one object per row",
    write,
};

fn write(table: &Table, _style: &Style) -> SafeText {
    let table = &table.safe();
    let document = Document {
        title: &table.title,
        conditions: FactsJson(&table.facts),
        columns: table.columns.iter().map(ColumnEntry::new).collect(),
        rows: table.rows.iter().map(|row| RowEntry { columns: &table.columns, row }).collect(),
        notes: table.notes.iter().map(ToString::to_string).collect(),
        definitions: table
            .definitions
            .iter()
            .map(|(name, what)| Definition { name, what: &what.text })
            .collect(),
        marks: table
            .marks
            .iter()
            .map(|(&(row, column), mark)| MarkEntry::new(table, row, column, mark))
            .collect(),
        footnotes: &table.footnotes,
    };
    // Keys are strings and numbers are finite or null, so serialisation cannot fail.
    SafeText::of_json(&(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"))
}

#[derive(Serialize)]
struct Document<'a> {
    title: &'a str,
    conditions: FactsJson<'a>,
    columns: Vec<ColumnEntry<'a>>,
    rows: Vec<RowEntry<'a>>,
    notes: Vec<String>,
    definitions: Vec<Definition<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<MarkEntry<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    footnotes: &'a [String],
}

/// The mark of a cell, by row (from 0) and column; footnotes by position.
#[derive(Serialize)]
struct MarkEntry<'a> {
    row: usize,
    column: &'a str,
    best: bool,
    footnotes: &'a [usize],
}

impl<'a> MarkEntry<'a> {
    fn new(table: &'a Table, row: usize, column: usize, mark: &'a Mark) -> MarkEntry<'a> {
        let column = table.columns.get(column).map_or("", |column| column.key.as_str());
        MarkEntry { row, column, best: mark.best, footnotes: &mark.footnotes }
    }
}

#[derive(Serialize)]
struct ColumnEntry<'a> {
    key: &'a str,
    heading: &'a str,
    better: Option<&'static str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    groups: &'a [String],
}

impl<'a> ColumnEntry<'a> {
    fn new(column: &'a TableColumn) -> ColumnEntry<'a> {
        let better = match column.better {
            Better::Lower => Some("lower"),
            Better::Higher => Some("higher"),
            Better::Neither => None,
        };
        ColumnEntry { key: &column.key, heading: &column.heading, better, groups: &column.groups }
    }
}

#[derive(Serialize)]
struct Definition<'a> {
    name: &'a str,
    what: &'a str,
}

struct RowEntry<'a> {
    columns: &'a [TableColumn],
    row: &'a TableRow,
}

impl Serialize for RowEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.columns.len()))?;
        for (column, cell) in self.columns.iter().zip(&self.row.cells) {
            object.serialize_entry(&column.key, cell)?;
        }
        object.end()
    }
}
