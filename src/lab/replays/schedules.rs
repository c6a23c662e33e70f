use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use batchlab_parsers::{Input, Output, OutputFolder};
use batchlab_traces::Workload;

use crate::Outcome;
use crate::lab::settings::ReplaySettings;
use crate::lab::{Failure, overwriting};
use crate::metrics::Measurement;
use crate::replay::comparison::ComparedPolicy;
use crate::schedule::{self, ScheduleColumn};

/// The destinations of schedules: one file, a folder, and a folder of files as Batsim writes them.
pub struct Schedules {
    file: Option<File>,
    folder: Option<Folder>,
    evalys: Option<Folder>,
}

/// A file that has been created but not yet filled.
struct File {
    name: String,
    output: Mutex<Option<Output>>,
}

struct Folder {
    folder: OutputFolder,
    /// The label of each policy with the beginning of its files' names.
    stems: Vec<(String, String)>,
}

/// What the name of a schedule has behind the stem of its policy.
const SCHEDULE: &str = ".csv";

/// What the names of Batsim's two files have behind it.
const JOBS: &str = "_jobs.csv";
const SUMS: &str = "_schedule.csv";

impl Schedules {
    /// Checks the options before anything is read or replayed; creates the folder if necessary.
    pub fn new(
        asked: &ReplaySettings,
        compared_policies: &[ComparedPolicy],
        inputs: &[PathBuf],
    ) -> Result<Schedules, Failure> {
        let file = asked.schedule.as_deref();
        if file.is_some() && compared_policies.len() != 1 {
            return Err(Failure::Usage(format!(
                "--schedule writes the schedule of one policy, and {} are replayed; use --out DIR",
                compared_policies.len()
            )));
        }
        let shares = compared_policies.iter().find(|compared| compared.policy.needs().time_sharing);
        if let Some(compared) = shares.filter(|_| asked.evalys.is_some()) {
            return Err(Failure::Usage(format!(
                "--evalys: jobs share time under {}, which Batsim's files cannot express; leave the policy out, or write --out \
                 DIR, whose files of intervals have it",
                compared.label()
            )));
        }
        let labels: Vec<String> = compared_policies.iter().map(ComparedPolicy::label).collect();
        let folder = |name: &Option<String>, option, ends: &[&str], beside: &[&str]| {
            let make = |name: &String| Folder::make(name, &labels, inputs, (option, ends, beside));
            name.as_ref().map(make).transpose()
        };
        Ok(Schedules {
            file: file.map(File::begin).transpose()?,
            folder: folder(&asked.out, "--out", &[SCHEDULE], &["summary.json"])?,
            evalys: folder(&asked.evalys, "--evalys", &[JOBS, SUMS], &[])?,
        })
    }

    pub fn are_kept(&self) -> bool {
        self.file.is_some() || self.folder.is_some() || self.evalys.is_some()
    }

    /// Whether there is a destination of schedules that may have further columns.
    pub fn have_columns(&self) -> bool {
        self.file.is_some() || self.folder.is_some()
    }

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
        let label = compared.label();
        if let Some((folder, file)) = self.folder.as_ref().and_then(|folder| folder.file(&label, SCHEDULE)) {
            beside(&folder.path(&file))?;
            folder.folder.put(&file, write)?;
        }
        if let Some((folder, jobs)) = self.evalys.as_ref().and_then(|folder| folder.file(&label, JOBS)) {
            folder.folder.put(&jobs, |out| schedule::write_batsim_jobs(measurement, out))?;
            let sums = folder.file(&label, SUMS).map(|(_, sums)| sums).unwrap_or_default();
            folder.folder.put(&sums, |out| schedule::write_batsim_summary(measurement, out))?;
        }
        Ok(())
    }

    /// Writes the summary into the folder, if there is one.
    pub fn summary(&self, json: impl FnOnce() -> Result<String, Failure>) -> Result<(), Failure> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let json = json()?;
        Ok(folder.folder.put_text("summary.json", &json)?)
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
    fn make(
        name: &str,
        labels: &[String],
        inputs: &[PathBuf],
        (option, ends, beside): (&str, &[&str], &[&str]),
    ) -> Result<Folder, Failure> {
        let folder = Folder { folder: OutputFolder::new(name), stems: stems(labels) };
        let files =
            folder.stems.iter().flat_map(|(_, stem)| ends.iter().map(move |end| format!("{stem}{end}")));
        for file in files.chain(beside.iter().map(|&file| file.to_owned())) {
            refuse(&format!("{option} {name}"), &folder.path(&file), inputs)?;
        }
        std::fs::create_dir_all(name).map_err(|error| Failure::writing(name, error))?;
        Ok(folder)
    }

    fn file(&self, label: &str, end: &str) -> Option<(&Folder, String)> {
        let (_, stem) = self.stems.iter().find(|(known, _)| known == label)?;
        Some((self, format!("{stem}{end}")))
    }

    fn path(&self, file: &str) -> String {
        self.folder.path().join(file).to_string_lossy().into_owned()
    }
}

/// Refuses to write a schedule, named so by the user, over one of the files that are read, or its intervals.
pub fn refuse(named: &str, path: &str, inputs: &[PathBuf]) -> Result<(), Failure> {
    let all = std::iter::once(path.to_owned()).chain(beside(path));
    all.into_iter().try_for_each(|path| overwriting::refuse(named, Path::new(&path), inputs))
}

/// Writes a schedule with further columns, and a file of its intervals if jobs shared time; if they did not, an earlier file
/// of intervals is removed.
pub fn put(
    name: &str,
    measurement: &Measurement<'_>,
    columns: &[&'static ScheduleColumn],
) -> Result<(), Failure> {
    put_intervals(name, measurement.workload(), measurement.outcome())?;
    let output = Output::create(name).map_err(|error| Failure::writing(name, error))?;
    fill(name, output, |out| schedule::write_with(columns, measurement, out))
}

fn put_intervals(name: &str, workload: &Workload, outcome: &Outcome) -> Result<(), Failure> {
    match beside(name) {
        Some(name) if outcome.shares_time() => {
            let output = OutputFolder::beside(&name)?;
            fill(&name, output, |out| schedule::write_intervals(workload, outcome, out))
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

fn fill(
    name: &str,
    mut output: Output,
    write: impl FnOnce(&mut Output) -> std::io::Result<()>,
) -> Result<(), Failure> {
    write(&mut output).and_then(|()| output.commit()).map_err(|error| Failure::writing(name, error))
}

/// The most characters of a label that its file name has: file systems allow 255 bytes.
const MOST_LETTERS: usize = 200;

/// Returns each label with the stem of its own file names: characters that some file system does not allow become dashes, a
/// long label is cut off, and names that are then equal, ignoring case, are numbered. No name is hidden, or that of
/// the intervals of another schedule.
fn stems(labels: &[String]) -> Vec<(String, String)> {
    let plain =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '=' | ',');
    let mut stems: Vec<(String, String)> = Vec::new();
    for label in labels {
        let letters = label.chars().take(MOST_LETTERS);
        let name: String = letters.map(|letter| if plain(letter) { letter } else { '-' }).collect();
        let name = name.trim_end_matches('-').trim_start_matches('.').replace(INTERVALS, "-intervals");
        let name = if name.is_empty() { "policy" } else { &name };
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = |stem: &String| !stems.iter().any(|(_, taken)| taken.eq_ignore_ascii_case(stem));
        let stem = std::iter::once(name.to_owned()).chain(numbered).find(free);
        stems.push((label.clone(), stem.unwrap_or_default()));
    }
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_has_a_file_of_its_own() {
        let labels = ["easy", "easy (clairvoyant)", "mine:by=a+b", "mine:by=a/b", "Mine:by=a*b"];
        let stems = stems(&labels.map(String::from));
        let names: Vec<&str> = stems.iter().map(|(_, stem)| stem.as_str()).collect();
        let expected = ["easy", "easy--clairvoyant", "mine-by=a-b", "mine-by=a-b-2", "Mine-by=a-b-3"];
        assert_eq!(names, expected);
    }

    #[test]
    fn no_label_hides_its_file_or_takes_that_of_intervals() {
        let long = "e".repeat(300);
        let labels = ["../x", "政策", "easy", "easy.intervals", &long];
        let stems = stems(&labels.map(String::from));
        let names: Vec<&str> = stems.iter().map(|(_, stem)| stem.as_str()).collect();
        assert_eq!(names[..4], ["-x", "policy", "easy", "easy-intervals"]);
        assert_eq!(names[4].len(), 200);
    }
}
