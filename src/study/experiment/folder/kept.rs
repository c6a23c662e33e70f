//! What a folder keeps besides results: details of replays for plots, schedules, and files that the experiment reads.

use std::fs::{self, File};
use std::io::{self, Write};

use batchlab_engine::metrics::Measurement;
use batchlab_engine::schedule::{self, ScheduleColumn};
use batchlab_parsers::{Input, sha256};
use serde_json::Value;

use super::error::FolderError;
use super::{DETAILS, Folder, PART, SCHEDULES, is_of_run};
use crate::experiment::detail;
use crate::experiment::inputs::{INPUTS, InputFile};

fn schedule_file(key: &str) -> String {
    format!("{SCHEDULES}/{key}.csv.gz")
}

fn detail_file(key: &str, detail: &str) -> String {
    format!("{DETAILS}/{key}.{detail}.json")
}

impl Folder {
    /// Stores the files that an experiment reads besides its logs. A file that has changed since it was hashed is left out.
    pub fn keep_inputs(&self, inputs: &[InputFile]) -> Result<(), FolderError> {
        for input in inputs {
            let Some(kept) = input.kept() else { continue };
            let is_same = File::open(&input.path).and_then(sha256).is_ok_and(|hash| hash == input.sha256);
            if is_same {
                self.put(&kept, |out| io::copy(&mut File::open(&input.path)?, out).map(|_| ()))?;
            }
        }
        let is_kept = |name: &str| inputs.iter().any(|input| input.sha256 == name);
        self.keep_only(INPUTS, is_kept)
    }

    /// Stores a detail of a replay with its checksum.
    pub fn keep_detail(&self, key: &str, detail: &str, value: &Value) -> Result<(), FolderError> {
        self.put(&detail_file(key, detail), |out| {
            out.write_all(detail::sealed(&value.to_string()).as_bytes())
        })
    }

    /// Whether a detail of a replay is stored, and as it was written.
    pub fn has_detail(&self, key: &str, detail: &str) -> bool {
        self.detail(key, detail).is_some()
    }

    /// Returns a detail of a replay, if it is stored as it was written.
    pub fn detail(&self, key: &str, detail: &str) -> Option<Value> {
        let text = self.text(&detail_file(key, detail)).ok()?;
        serde_json::from_str(detail::unsealed(&text)?).ok()
    }

    /// Stores the schedule of a replay with further columns, and its intervals if jobs shared time.
    pub fn keep_schedule(
        &self,
        key: &str,
        measurement: &Measurement<'_>,
        columns: &[&'static ScheduleColumn],
    ) -> Result<(), FolderError> {
        let (workload, outcome) = (measurement.workload(), measurement.outcome());
        let name = format!("{SCHEDULES}/{key}.intervals.csv.gz");
        if outcome.shares_time() {
            self.put(&name, |out| schedule::write_intervals(workload, outcome, out))?;
        } else {
            self.remove(&name)?;
        }
        // The schedule is written last, so that a stored schedule implies stored intervals.
        self.put(&schedule_file(key), |out| schedule::write_with(columns, measurement, out))
    }

    /// Whether the schedule of a replay is stored, and whole: the end of a packed file has its checksum.
    pub fn has_schedule(&self, key: &str) -> bool {
        let Ok(path) = self.own(&schedule_file(key)) else { return false };
        let Ok(mut stream) = Input::open(path).and_then(Input::stream) else { return false };
        if !matches!(stream.next_buffer(), Ok(Some(text)) if text.starts_with(b"job_id,")) {
            return false;
        }
        loop {
            match stream.next_buffer() {
                Ok(Some(_)) => {}
                Ok(None) => return stream.torn().is_none(),
                Err(_) => return false,
            }
        }
    }

    /// Copies the details and schedules of replays from another folder, and the files that they read.
    pub fn copy_kept(&self, other: &Folder) -> Result<(), FolderError> {
        for kept in [DETAILS, SCHEDULES, INPUTS] {
            for name in other.names(kept)? {
                let name = format!("{kept}/{name}");
                // Files that a run left half written are not copied.
                if !is_of_run(&name) || self.own(&name)?.is_file() {
                    continue;
                }
                // Under another name first: writing to a name that ends in `.gz` would compress the file a second time.
                let (mut from, part) = (other.file(&name)?, format!("{name}{PART}"));
                self.put(&part, |out| io::copy(&mut from, out).map(|_| ()))?;
                fs::rename(self.path().join(&part), self.path().join(&name))
                    .map_err(|error| self.io(&name, error))?;
            }
        }
        Ok(())
    }
}
