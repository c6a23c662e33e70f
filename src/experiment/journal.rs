//! The journal of a run: a line for each replay as it ends, so that nothing is lost whenever the run is.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::execute::Done;
use super::manifest::Manifest;
use super::measuring::UnitRow;
use super::results::Known;

/// A journal that is being written, by one run only.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

/// A line: which measures the values of the following lines are, or what came of a replay.
#[derive(Serialize, Deserialize)]
enum Line {
    /// Keys of the measures.
    #[serde(rename = "measures")]
    Measures(Vec<String>),
    /// A replay.
    #[serde(rename = "replay")]
    Replay {
        key: String,
        seconds: f64,
        /// Unit and values; no unit is the whole of a replay that is measured in blocks too.
        rows: Vec<(Option<u32>, Vec<Option<f64>>)>,
    },
}

impl Journal {
    /// Opens the journal of a folder, or begins it. A line that was cut off is taken away.
    ///
    /// # Errors
    /// When it cannot be written, or another run writes it: then the error is [`io::ErrorKind::WouldBlock`].
    pub fn open(path: &Path, manifest: &Manifest) -> io::Result<Journal> {
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            // A file system without locks has none to respect.
            Err(std::fs::TryLockError::Error(_)) => {}
        }
        let whole = whole_lines(&mut file)?;
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        let mut journal = Journal { file };
        journal
            .line(&Line::Measures(manifest.measures.iter().map(|measure| measure.key.clone()).collect()))?;
        Ok(journal)
    }

    /// Adds a replay. One write: what is there is whole, whenever the program is killed.
    ///
    /// # Errors
    /// When it cannot be written; what was written of it is no line.
    pub fn add(&mut self, key: &str, done: &Done) -> io::Result<()> {
        let rows = done.rows.iter().map(|row| (row.unit, row.values.clone())).collect();
        self.line(&Line::Replay { key: key.into(), seconds: done.took.as_secs_f64(), rows })
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

/// Reads a journal: what came of replays, with values in the order of a manifest's measures, and how long they took.
/// Replays that did not measure all of these are left out, and so is a line that was cut off.
///
/// # Errors
/// When it cannot be read.
pub fn read(text: impl Read, manifest: &Manifest) -> io::Result<(Known, Vec<(String, f64)>)> {
    let mut reader = BufReader::new(text);
    let (mut known, mut times) = (Known::new(), Vec::new());
    let mut columns: Option<Vec<usize>> = None;
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        match serde_json::from_slice(&line) {
            Ok(Line::Measures(keys)) => {
                let column = |wanted: &str| keys.iter().position(|key| key == wanted);
                columns = manifest.measures.iter().map(|measure| column(&measure.key)).collect();
            }
            Ok(Line::Replay { key, seconds, rows }) => {
                times.push((key.clone(), seconds));
                if let Some(columns) = &columns {
                    let row = |(unit, values): (Option<u32>, Vec<Option<f64>>)| UnitRow {
                        unit,
                        values: columns.iter().map(|&at| values.get(at).copied().flatten()).collect(),
                    };
                    known.insert(key, rows.into_iter().map(row).collect());
                }
            }
            Err(_) => {}
        }
        line.clear();
    }
    Ok((known, times))
}

/// Returns how many bytes the whole lines of a file take.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(file);
    let (mut whole, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line)?;
        if read == 0 || line.last() != Some(&b'\n') {
            return Ok(whole);
        }
        whole += read as u64;
    }
}
