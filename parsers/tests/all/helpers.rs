//! What several tests need.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use batchlab_parsers::{Input, Options, format, read_trace};
use batchlab_traces::{Field, Record, Trace};

pub fn read_as(name: &str, text: impl Into<Vec<u8>>) -> Trace {
    let options = Options { format: format(name), ..Options::default() };
    read_trace(Input::from_bytes("log", text.into()), &options).unwrap()
}

pub fn column(trace: &Trace, field: Field) -> Vec<i64> {
    (0..trace.len()).map(|row| trace.get(row, field).truncated()).collect()
}

pub fn records(trace: &Trace) -> Vec<Record> {
    let mut record = Record::default();
    let row = |row| {
        trace.record(row, &mut record);
        record.clone()
    };
    (0..trace.len()).map(row).collect()
}

/// The records of a trace without their lines, which are no part of the content.
pub fn content(trace: &Trace) -> Vec<Record> {
    records(trace).into_iter().map(|record| Record { line: 0, ..record }).collect()
}

/// Delivers bytes a few at a time, as pipes do; the field is the most bytes of one read.
pub struct Drip(pub io::Cursor<Vec<u8>>, pub usize);

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.1.clamp(1, buffer.len());
        self.0.read(&mut buffer[..most])
    }
}

pub const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");

/// Returns the path of a file of `../shared`; if it is absent, prints that it is skipped.
pub fn shared(name: &str) -> Option<String> {
    let path = format!("{SHARED}/{name}");
    if !Path::new(&path).exists() {
        eprintln!("skipped: {name} is not in ../shared");
        return None;
    }
    Some(path)
}

pub fn read_shared(name: &str) -> Option<Trace> {
    Some(read_trace(Input::open(shared(name)?).unwrap(), &Options::default()).unwrap())
}

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flat_map(|entry| below(entry.unwrap().path())).collect()
}
