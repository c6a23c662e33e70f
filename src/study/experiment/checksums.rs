//! Checksums of results: rows that are torn or missing, as after a power cut, are found and replayed.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read, Write};

use batchlab_traces::sorted::SortedMap;
use sha2::{Digest, Sha256};

use super::results::ResultsError;

/// The number of rows of each replay with their checksum, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checksums(SortedMap<String, (usize, String)>);

/// The rows of a replay, as a table of results has them: each once, as text.
#[derive(Clone, Debug, Default)]
pub struct RowTexts(SortedMap<String, String>);

impl RowTexts {
    /// Adds a row by its unit; a replay has its rows at each of its places in the results.
    pub fn add<'a>(&mut self, unit: &str, values: impl Iterator<Item = &'a str>) {
        self.0.entry(unit.to_owned()).or_insert_with(|| values.collect::<Vec<_>>().join(","));
    }

    fn checksum(&self) -> (usize, String) {
        let lines: Vec<String> = self.0.iter().map(|(unit, values)| format!("{unit},{values}\n")).collect();
        (lines.len(), checksum(lines.concat().as_bytes()))
    }
}

impl Checksums {
    pub fn of(rows: &HashMap<String, RowTexts>) -> Checksums {
        Checksums(rows.iter().map(|(key, rows)| (key.clone(), rows.checksum())).collect())
    }

    pub fn write(&self, out: impl Write) -> Result<(), ResultsError> {
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(out);
        writer.write_record(["key", "rows", "checksum"])?;
        for (key, (rows, checksum)) in &self.0 {
            writer.write_record([key, &rows.to_string(), checksum])?;
        }
        Ok(writer.flush().map_err(csv::Error::from)?)
    }

    /// Reads them; a line that is no checksum is left out, so that its replay counts as damaged.
    pub fn read(text: impl Read) -> Checksums {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
        let line = |record: csv::StringRecord| {
            Some((record.get(0)?.to_owned(), (record.get(1)?.parse().ok()?, record.get(2)?.to_owned())))
        };
        Checksums(reader.records().map_while(Result::ok).filter_map(line).collect())
    }

    /// Returns what is wrong with the rows of a replay; `None` if they are as they were written.
    pub fn fault(&self, key: &str, rows: &RowTexts) -> Option<String> {
        let (found, checksum) = rows.checksum();
        match self.0.get(key) {
            Some((written, _)) if *written != found => {
                Some(format!("replay {key} has {found} of its {written} rows"))
            }
            Some((_, known)) if *known != checksum => {
                Some(format!("the rows of replay {key} are not those that were written"))
            }
            Some(_) => None,
            None => Some(format!("replay {key} has no checksum")),
        }
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Returns the first 64 bits of the SHA-256 of a text.
pub fn checksum(text: &[u8]) -> String {
    hex(&Sha256::digest(text)[..8])
}

pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: &[(&str, &str)]) -> RowTexts {
        let mut rows = RowTexts::default();
        for (unit, value) in of {
            rows.add(unit, std::iter::once(*value));
        }
        rows
    }

    #[test]
    fn a_row_that_is_missing_torn_or_changed_is_found() {
        let whole = rows(&[("whole", "1.5"), ("0", "2.25"), ("1", "3")]);
        let sums = Checksums::of(&HashMap::from([("k".to_owned(), whole.clone())]));
        assert_eq!(sums.fault("k", &whole), None);
        // The order of rows does not matter, and a row at a second place of the replay is the same row.
        let again = rows(&[("1", "3"), ("0", "2.25"), ("whole", "1.5"), ("0", "2.25")]);
        assert_eq!(sums.fault("k", &again), None);
        let fewer = rows(&[("whole", "1.5"), ("0", "2.25")]);
        assert_eq!(sums.fault("k", &fewer).unwrap(), "replay k has 2 of its 3 rows");
        let torn = rows(&[("whole", "1.5"), ("0", "2.2"), ("1", "3")]);
        assert_eq!(sums.fault("k", &torn).unwrap(), "the rows of replay k are not those that were written");
        assert_eq!(sums.fault("l", &whole).unwrap(), "replay l has no checksum");
    }

    #[test]
    fn they_are_read_as_they_are_written_and_a_torn_line_is_left_out() {
        let two =
            HashMap::from([("a".to_owned(), rows(&[("0", "1")])), ("b".to_owned(), rows(&[("0", "2")]))]);
        let sums = Checksums::of(&two);
        let mut text = Vec::new();
        sums.write(&mut text).unwrap();
        assert_eq!(Checksums::read(&text[..]), sums);
        // The last checksum is cut off, and so another.
        let torn = Checksums::read(&text[..text.len() - 4]);
        assert!(torn.fault("a", &two["a"]).is_none() && torn.fault("b", &two["b"]).is_some());
        assert_eq!(Checksums::read(&[0; 40][..]), Checksums::default());
    }
}
