use std::io::{self, Write};

use batchlab_traces::foreign::SafeText;
use clap::ValueEnum;
use serde::Serialize;

use crate::lab::Failure;
use crate::lab::replays::result_tables::{Results, TableForm};
use crate::replay::ResultRow;
use crate::table::Table;

/// Form of the output: for people, or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputForm {
    /// Aligned text
    Table,
    /// JSON
    Json,
}

/// Prints a text to standard output after making it safe: names and texts in it may come from logs, plug-ins
/// and files of others.
pub fn print(text: &str) -> Result<(), Failure> {
    put(&SafeText::of(text))
}

pub fn put(text: &SafeText) -> Result<(), Failure> {
    put_bytes(text.as_bytes())
}

/// Clears a terminal and goes to its first line (ECMA-48: ED, CUP).
pub fn clear() -> Result<(), Failure> {
    put_bytes(b"\x1b[2J\x1b[H")
}

fn put_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(|error| Failure::writing("-", error))
}

pub fn print_json_text(text: &str) -> Result<(), Failure> {
    put(&SafeText::of_json(text))
}

pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    print_json_text(&(text + "\n"))
}

pub fn print_json_line(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(io::Error::from)?;
    print_json_text(&(text + "\n"))
}

pub fn print_table(form: TableForm, table: &Table) -> Result<(), Failure> {
    if form.is_json() { Ok(()) } else { put(&form.table(table)) }
}

pub fn print_results(results: &Results<'_>, rows: &[ResultRow]) -> Result<(), Failure> {
    put(&results.text(rows)?)
}
