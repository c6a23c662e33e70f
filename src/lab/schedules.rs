//! The output of schedules.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use batchlab_parsers::{Input, Output};
use batchlab_traces::Workload;

use super::{Failure, inputs as reading};
use crate::Outcome;
use crate::metrics::Measurement;
use crate::replay::comparison::ComparedPolicy;
use crate::schedule::{self, ScheduleColumn};

/// The destination of schedules: one file, a folder, or none.
pub struct Schedules {
    file: Option<File>,
    folder: Option<Folder>,
}

/// A file that has been created but not yet filled.
struct File {
    name: String,
    output: Mutex<Option<Output>>,
}

struct Folder {
    name: String,
    /// The label of each policy with its file name.
    files: Vec<(String, String)>,
}

impl Schedules {
    /// Checks the options before anything is read or replayed; creates the folder if necessary.
    pub fn new(
        file: Option<&str>,
        folder: Option<&str>,
        compared_policies: &[ComparedPolicy],
        inputs: &[PathBuf],
    ) -> Result<Schedules, Failure> {
        if file.is_some() && compared_policies.len() != 1 {
            return Err(Failure::Usage(format!(
                "--schedule writes the schedule of one policy, and {} are replayed; use --out DIR",
                compared_policies.len()
            )));
        }
        let labels = compared_policies.iter().map(ComparedPolicy::label).collect();
        Ok(Schedules {
            file: file.map(File::begin).transpose()?,
            folder: folder.map(|folder| Folder::make(folder, labels, inputs)).transpose()?,
        })
    }

    /// Whether there is a destination.
    pub fn are_kept(&self) -> bool {
        self.file.is_some() || self.folder.is_some()
    }

    /// Writes the schedule of one policy with further columns.
    pub fn keep(
        &self,
        compared: &ComparedPolicy,
        measurement: &Measurement<'_>,
        columns: &[&'static ScheduleColumn],
    ) -> Result<(), Failure> {
        let (workload, outcome) = (measurement.workload(), measurement.outcome());
        let write = |out: &mut Output| schedule::write_with(columns, measurement, out);
        let beside = |name: &str| put_intervals(name, workload, outcome);
        if let Some(file) = &self.file
            && let Some(output) = file.output.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            beside(&file.name)?;
            fill(&file.name, output, write)?;
        }
        let Some(folder) = &self.folder else { return Ok(()) };
        let label = compared.label();
        let file = folder.files.iter().find(|(known, _)| *known == label);
        let Some((_, file)) = file else { return Ok(()) };
        beside(&folder.path(file))?;
        folder.put(file, write)
    }

    /// Writes the summary into the folder, if there is one.
    pub fn summary(&self, json: impl FnOnce() -> Result<String, Failure>) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let json = json()?;
        folder.put("summary.json", |out| out.write_all(json.as_bytes()))
    }
}

impl File {
    /// Creates a file, so that a wrong name is found before time is spent on a replay.
    fn begin(name: &str) -> Result<File, Failure> {
        let output = Output::create(name).map_err(|error| Failure::writing(name, error))?;
        Ok(File { name: name.into(), output: Mutex::new(Some(output)) })
    }
}

impl Folder {
    /// Makes a folder unless it is there, if no file in it is one of the inputs and would be written over.
    fn make(name: &str, labels: Vec<String>, inputs: &[PathBuf]) -> Result<Folder, Failure> {
        let folder = Folder { name: name.into(), files: file_names(labels) };
        for file in folder.files.iter().map(|(_, file)| &file[..]).chain(["summary.json"]) {
            refuse(&format!("--out {name}"), &folder.path(file), inputs)?;
        }
        std::fs::create_dir_all(name).map_err(|error| Failure::writing(name, error))?;
        Ok(folder)
    }

    fn put(&self, file: &str, write: impl FnOnce(&mut Output) -> std::io::Result<()>) -> Result<(), Failure> {
        create(&self.path(file), write)
    }

    fn path(&self, file: &str) -> String {
        Path::new(&self.name).join(file).to_string_lossy().into_owned()
    }
}

/// Refuses to write a schedule, named so by the user, over one of the files that are read, or its intervals.
pub fn refuse(named: &str, path: &str, inputs: &[PathBuf]) -> Result<(), Failure> {
    let all = std::iter::once(path.to_owned()).chain(beside(path));
    all.into_iter().try_for_each(|path| reading::refuse(named, Path::new(&path), inputs))
}

/// Writes a schedule with further columns, and a file of its intervals if jobs shared time; if they did not, an earlier file
/// of intervals is removed.
pub fn put(
    name: &str,
    measurement: &Measurement<'_>,
    columns: &[&'static ScheduleColumn],
) -> Result<(), Failure> {
    put_intervals(name, measurement.workload(), measurement.outcome())?;
    create(name, |out| schedule::write_with(columns, measurement, out))
}

fn put_intervals(name: &str, workload: &Workload, outcome: &Outcome) -> Result<(), Failure> {
    match beside(name) {
        Some(name) if outcome.shares_time() => {
            create(&name, |out| schedule::write_intervals(workload, outcome, out))
        }
        Some(name) => drop_stale(&name),
        None => Ok(()),
    }
}

/// Removes a file of intervals that belonged to an earlier schedule of the same name: it would be read as the new one's.
fn drop_stale(name: &str) -> Result<(), Failure> {
    if !Path::new(name).is_file() || !holds_intervals(name) {
        return Ok(());
    }
    std::fs::remove_file(name).map_err(|error| Failure::writing(name, error))
}

/// Whether a file is one of intervals that this program wrote.
fn holds_intervals(name: &str) -> bool {
    let Ok(mut stream) = Input::open(name).and_then(Input::stream) else { return false };
    matches!(stream.next_buffer(), Ok(Some(begin)) if schedule::are_intervals(begin))
}

/// What the name of a schedule's file of intervals has before its ending.
const INTERVALS: &str = ".intervals";

/// Returns the name of the file of intervals: `a.intervals.csv` for `a.csv`; `None` for standard output.
pub fn beside(schedule: &str) -> Option<String> {
    let (stem, end) =
        [".csv", ".csv.gz"].into_iter().find_map(|end| Some((schedule.strip_suffix(end)?, end)))?;
    Some(format!("{stem}{INTERVALS}{end}"))
}

fn create(name: &str, write: impl FnOnce(&mut Output) -> std::io::Result<()>) -> Result<(), Failure> {
    let output = Output::create(name).map_err(|error| Failure::writing(name, error))?;
    fill(name, output, write)
}

fn fill(
    name: &str,
    mut output: Output,
    write: impl FnOnce(&mut Output) -> std::io::Result<()>,
) -> Result<(), Failure> {
    write(&mut output).and_then(|()| output.commit()).map_err(|error| Failure::writing(name, error))
}

/// The most characters of a label that its file name has: file systems allow 255 bytes.
const MOST_LETTERS: usize = 200;

/// Returns each label with its own file name: characters that some file system does not allow become dashes, a
/// long label is cut off, and names that are then equal, ignoring case, are numbered. No name is hidden, or that of
/// the intervals of another schedule.
fn file_names(labels: Vec<String>) -> Vec<(String, String)> {
    let plain =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '=' | ',');
    let mut files: Vec<(String, String)> = Vec::new();
    for label in labels {
        let letters = label.chars().take(MOST_LETTERS);
        let name: String = letters.map(|letter| if plain(letter) { letter } else { '-' }).collect();
        let name = name.trim_end_matches('-').trim_start_matches('.').replace(INTERVALS, "-intervals");
        let name = if name.is_empty() { "policy" } else { &name };
        let numbered = (2..).map(|number| format!("{name}-{number}.csv"));
        let free = |file: &String| !files.iter().any(|(_, taken)| taken.eq_ignore_ascii_case(file));
        let file = std::iter::once(format!("{name}.csv")).chain(numbered).find(free);
        files.push((label, file.unwrap_or_default()));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_has_a_file_of_its_own() {
        let labels = ["easy", "easy (clairvoyant)", "mine:by=a+b", "mine:by=a/b", "Mine:by=a*b"];
        let files = file_names(labels.map(String::from).to_vec());
        let names: Vec<&str> = files.iter().map(|(_, file)| file.as_str()).collect();
        let expected = [
            "easy.csv",
            "easy--clairvoyant.csv",
            "mine-by=a-b.csv",
            "mine-by=a-b-2.csv",
            "Mine-by=a-b-3.csv",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn no_label_hides_its_file_or_takes_that_of_intervals() {
        let long = "e".repeat(300);
        let labels = ["../x", "政策", "easy", "easy.intervals", &long];
        let files = file_names(labels.map(String::from).to_vec());
        let names: Vec<&str> = files.iter().map(|(_, file)| file.as_str()).collect();
        assert_eq!(names[..4], ["-x.csv", "policy.csv", "easy.csv", "easy-intervals.csv"]);
        assert_eq!(names[4].len(), 204);
    }
}
