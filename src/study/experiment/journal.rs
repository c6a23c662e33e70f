//! The journal of a run: a line for each replay as it ends, so that an interrupted run loses no finished replay.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::execute::Done;
use super::manifest::Manifest;
use super::measuring::UnitRow;
use super::results::Known;

/// A journal open for writing by one run only.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

#[derive(Serialize, Deserialize)]
enum Line {
    #[serde(rename = "measures")]
    Measures(Vec<String>),
    #[serde(rename = "replay")]
    Replay {
        key: String,
        seconds: f64,
        /// Unit and values; without a unit, the whole of a replay that is also measured in blocks.
        rows: Vec<(Option<u32>, Vec<Option<f64>>)>,
    },
}

impl Journal {
    /// Opens or creates the journal of a folder, and removes an incomplete last line. If another run has it open, the error is
    /// [`io::ErrorKind::WouldBlock`].
    pub fn open(path: &Path, manifest: &Manifest) -> io::Result<Journal> {
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        match file.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
            // A file system that does not support locks cannot report a conflict.
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => {}
        }
        let whole = whole_lines(&mut file)?;
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        let mut journal = Journal { file };
        journal
            .line(&Line::Measures(manifest.measures.iter().map(|measure| measure.key.clone()).collect()))?;
        Ok(journal)
    }

    /// Appends a replay in one write: killing the program leaves whole lines, or an incomplete last one, which readers ignore.
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

/// Reads a journal: the results of replays, with values in the order of a manifest's measures, and the times they took. Replays
/// that lack one of these measures are left out, and so is an incomplete last line.
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::experiment::frame::Measure;
    use batchlab_engine::metrics::Domain;
    use batchlab_engine::table::{Better, Unit};

    fn manifest(keys: &[&str]) -> Manifest {
        let measure = |key: &&str| Measure {
            key: (*key).into(),
            metric: (*key).into(),
            class: None,
            unit: Unit::Seconds,
            better: Better::Lower,
            domain: Domain::Any,
            definition: String::new(),
            is_diagnostic: false,
        };
        Manifest { name: "test".into(), measures: keys.iter().map(measure).collect(), ..Manifest::default() }
    }

    fn done(unit: Option<u32>, values: &[Option<f64>]) -> Done {
        Done { rows: vec![UnitRow { unit, values: values.to_vec() }], took: Duration::from_millis(1500) }
    }

    #[test]
    fn a_journal_that_was_cut_off_anywhere_loses_the_last_replay_at_most() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let manifest = manifest(&["mean_wait", "mean_bsld"]);
        let mut journal = Journal::open(&path, &manifest).unwrap();
        journal.add("a", &done(Some(0), &[Some(0.1), None])).unwrap();
        journal.add("b", &done(None, &[Some(1e300), Some(1.0 / 3.0)])).unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let first = whole.iter().take(whole.len() - 1).rposition(|&byte| byte == b'\n').unwrap();
        for cut in first + 1..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut journal = Journal::open(&path, &manifest).unwrap();
            journal.add("c", &done(Some(2), &[None, Some(7.0)])).unwrap();
            drop(journal);
            let (known, _) = read(File::open(&path).unwrap(), &manifest).unwrap();
            let mut keys: Vec<&String> = known.keys().collect();
            keys.sort();
            assert_eq!(keys, ["a", "c"], "cut at {cut}");
        }
        fs::write(&path, &whole).unwrap();
        let (known, times) = read(File::open(&path).unwrap(), &manifest).unwrap();
        assert_eq!(known["b"], done(None, &[Some(1e300), Some(1.0 / 3.0)]).rows);
        assert_eq!(times, [("a".to_owned(), 1.5), ("b".to_owned(), 1.5)]);
    }

    #[test]
    fn values_are_found_by_their_measures_and_not_by_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::open(&path, &manifest(&["mean_wait", "mean_bsld"])).unwrap();
        journal.add("a", &done(Some(0), &[Some(1.0), Some(2.0)])).unwrap();
        drop(journal);
        let fewer = read(File::open(&path).unwrap(), &manifest(&["mean_bsld"])).unwrap().0;
        assert_eq!(fewer["a"][0].values, [Some(2.0)]);
        let more = read(File::open(&path).unwrap(), &manifest(&["mean_bsld", "sd_bsld"])).unwrap().0;
        assert!(more.is_empty(), "{more:?}");
    }

    #[test]
    fn two_runs_do_not_write_one_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let _first = Journal::open(&path, &manifest(&[])).unwrap();
        let second = Journal::open(&path, &manifest(&[])).unwrap_err();
        assert_eq!(second.kind(), io::ErrorKind::WouldBlock);
    }
}
