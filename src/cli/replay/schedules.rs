//! Where the schedules of a replay go.

use std::io::Write;
use std::path::{Path, PathBuf};

use batchlab_parsers::Output;
use batchlab_traces::Workload;

use crate::Outcome;
use crate::cli::Failure;
use crate::contest::Contestant;
use crate::schedule;

/// Where the schedules of a replay go: one file, a folder, or nowhere.
pub struct Schedules {
    file: Option<PathBuf>,
    folder: Option<PathBuf>,
}

impl Schedules {
    /// Checks the options before anything is replayed; a folder is made if it is not there.
    pub fn new(
        file: Option<&str>,
        folder: Option<&str>,
        contestants: &[Contestant],
    ) -> Result<Schedules, Failure> {
        if file.is_some() && contestants.len() != 1 {
            return Err(Failure::Usage(format!(
                "--schedule writes the schedule of one policy, and {} are replayed; use --out DIR",
                contestants.len()
            )));
        }
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).map_err(|error| Failure::Input(format!("{folder}: {error}")))?;
        }
        Ok(Schedules { file: file.map(PathBuf::from), folder: folder.map(PathBuf::from) })
    }

    /// Writes the schedule of one policy.
    pub fn keep(
        &self,
        contestant: &Contestant,
        workload: &Workload,
        outcome: &Outcome,
    ) -> Result<(), Failure> {
        let in_folder = self.folder.as_ref().map(|folder| folder.join(file_name(&contestant.label())));
        for path in self.file.iter().chain(&in_folder) {
            put(path, |out| schedule::write(workload, outcome, out))?;
        }
        Ok(())
    }

    /// Writes the summary into the folder, if there is one.
    pub fn summary(&self, json: impl FnOnce() -> Result<String, Failure>) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let json = json()?;
        put(&folder.join("summary.json"), |out| out.write_all(json.as_bytes()))
    }
}

fn put(path: &Path, write: impl FnOnce(&mut Output) -> std::io::Result<()>) -> Result<(), Failure> {
    let name = path.to_string_lossy();
    let done = Output::create(&name).and_then(|mut out| {
        write(&mut out)?;
        out.commit()
    });
    done.map_err(|error| Failure::writing(&name, error))
}

/// Returns a file name for a label: what some file system may not take becomes a dash.
fn file_name(label: &str) -> String {
    let plain =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '=' | ',');
    let name: String = label.chars().map(|letter| if plain(letter) { letter } else { '-' }).collect();
    format!("{}.csv", name.trim_end_matches('-'))
}
