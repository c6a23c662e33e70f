//! The folder of an experiment's results.
//!
//! | file | what |
//! |---|---|
//! | `experiment.toml` | the experiment, byte for byte |
//! | `manifest.json` | what the results are about |
//! | `plan.csv` | every replay, by workload, point, policy and unit, with its key |
//! | `journal.jsonl` | replays as they ended; there while a run is not complete |
//! | `results.csv` | the plan with its values, when the run has ended |
//! | `checksums.csv` | checksums of the rows of `results.csv`, by the key of the replay |
//! | `failed.csv` | replays that failed in the last run, each with its error; `results.csv` then lacks them |
//! | `details/KEY.NAME.json` | what plots need of single replays beyond their values |
//! | `schedules/KEY.csv.gz` | schedules of replays, if they are kept |
//! | `inputs/SHA256` | the files that the experiment reads besides its logs; `manifest.json` has their names |
//! | `tables/`, `plots/` | generated from the results |
//! | `shards/` | folders of shards, if a cluster ran them; no part of the results |

mod error;
mod kept;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use batchlab_parsers::sink::{is_unfinished, remove_leftovers};
use batchlab_parsers::{Output, OutputFolder};
use batchlab_traces::foreign::SafeText;
use batchlab_traces::sorted::{SortedMap, SortedSet};

use super::checksums::Checksums;
use super::file_name::is_file_name;
use super::frame::Frame;
use super::inputs::{INPUTS, is_sha256};
use super::journal::{self, Journal};
use super::lock::{FolderLock, LOCK, LockError};
use super::manifest::{Manifest, Planned};
use super::results::{self, Damage, Known, LoadedResults, ResultsError};
pub use error::FolderError;
use error::damaged;

#[derive(Clone, Debug)]
pub struct Folder {
    folder: OutputFolder,
}

#[derive(Debug)]
pub struct Contents {
    pub experiment: String,
    pub manifest: Manifest,
    pub plan: Vec<Planned>,
    /// The values of the replays that have run.
    pub known: Known,
}

#[derive(Debug)]
pub struct Begun {
    pub known: Known,
    /// What is damaged, and so run again, in words.
    pub damage: Option<String>,
    /// The lock, which others wait for.
    pub lock: FolderLock,
}

const EXPERIMENT: &str = "experiment.toml";
const MANIFEST: &str = "manifest.json";
const PLAN: &str = "plan.csv";
pub const JOURNAL: &str = "journal.jsonl";
const RESULTS: &str = "results.csv";
const CHECKSUMS: &str = "checksums.csv";
pub const FAILED: &str = "failed.csv";
const DETAILS: &str = "details";
const SCHEDULES: &str = "schedules";
pub const TABLES: &str = "tables";
pub const PLOTS: &str = "plots";
/// Suffix of a file that is being copied.
const PART: &str = ".part";
pub const SHARDS: &str = "shards";

impl Folder {
    /// Returns a folder at a path, without accessing it.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder { folder: OutputFolder::new(path) }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Creates the folder, or resumes one with results of the same experiment; locks it, and returns the values known already.
    /// Refuses a folder of something else, results that the run was not asked to resume, and a folder that another run writes to.
    pub fn begin(&self, manifest: &Manifest, resume: bool) -> Result<Begun, FolderError> {
        // A folder of other files stays as it is: not even a lock is written into it.
        if !self.is_new()? && !self.own(MANIFEST)?.is_file() {
            return Err(FolderError::NotOurs { folder: self.shown() });
        }
        fs::create_dir_all(self.path()).map_err(|error| self.io("", error))?;
        let lock = self.lock()?;
        if self.is_new()? {
            remove_leftovers(self.path()).map_err(|error| self.io("", error))?;
            return Ok(Begun { known: Known::new(), damage: None, lock });
        }
        let torn = match self.manifest() {
            Ok(there) if there.name != manifest.name => {
                let (other, ours) = (there.name, manifest.name.clone());
                return Err(FolderError::Foreign { folder: self.shown(), other, ours });
            }
            Ok(_) => None,
            Err(FolderError::Torn { what, .. }) if resume => Some(format!("{MANIFEST} is torn ({what})")),
            Err(error) => return Err(error),
        };
        if !resume {
            return Err(FolderError::Begun { folder: self.shown() });
        }
        self.tidy()?;
        let LoadedResults { known, damage } = self.known(manifest)?;
        let damage = damage.map(|damage| format!("{RESULTS}: {}", damaged(&damage)));
        let damage = torn.into_iter().chain(damage).reduce(|one, other| format!("{one}; {other}"));
        Ok(Begun { known, damage, lock })
    }

    fn lock(&self) -> Result<FolderLock, FolderError> {
        FolderLock::take(&self.own(LOCK)?).map_err(|error| match error {
            LockError::Held(holder) => FolderError::Busy { folder: self.shown(), holder },
            LockError::Io(error) => self.io(LOCK, error),
        })
    }

    fn shown(&self) -> String {
        self.path().display().to_string()
    }

    /// Removes files that interrupted runs left half written.
    fn tidy(&self) -> Result<(), FolderError> {
        for within in ["", DETAILS, SCHEDULES, INPUTS, TABLES, PLOTS] {
            remove_leftovers(&self.own(within)?).map_err(|error| self.io(within, error))?;
        }
        for within in [DETAILS, SCHEDULES] {
            let copies = self.names(within)?.into_iter().filter(|name| name.ends_with(PART));
            copies.into_iter().try_for_each(|name| self.remove(&format!("{within}/{name}")))?;
        }
        Ok(())
    }

    pub fn journal(&self, manifest: &Manifest) -> Result<Journal, FolderError> {
        Journal::open(&self.own(JOURNAL)?, manifest).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => {
                FolderError::Busy { folder: self.shown(), holder: "another process".into() }
            }
            _ => self.io(JOURNAL, error),
        })
    }

    /// Writes the experiment file, the manifest and the plan.
    pub fn describe(
        &self,
        experiment: &str,
        manifest: &Manifest,
        lines: &[Planned],
    ) -> Result<(), FolderError> {
        // The manifest comes first: it marks the folder as one of results, even if the run is interrupted right after it.
        let json = serde_json::to_string_pretty(manifest).map_err(|error| self.broken(MANIFEST, &error))?;
        self.put_text(MANIFEST, &SafeText::of_json(&(json + "\n")))?;
        self.put(EXPERIMENT, |out| out.write_all(experiment.as_bytes()))?;
        self.csv(PLAN, |out| results::write_plan(manifest, lines, out))
    }

    /// Writes the complete results and removes the journal, which stays if they cannot be written.
    pub fn complete(&self, manifest: &Manifest, lines: &[Planned], known: &Known) -> Result<(), FolderError> {
        self.put_results(manifest, lines, known)?;
        let planned: SortedSet<&str> = lines.iter().map(|line| line.key.as_str()).collect();
        let is_planned = |name: &str| name.split('.').next().is_some_and(|key| planned.contains(key));
        self.keep_only(DETAILS, is_planned)?;
        self.keep_only(SCHEDULES, is_planned)?;
        self.remove(FAILED)?;
        self.remove(JOURNAL)
    }

    /// Writes the results known so far, and the replays that failed with their errors by key. The journal stays, as the folder
    /// is not complete.
    pub fn keep_part(
        &self,
        contents: &Contents,
        failed: &SortedMap<String, String>,
    ) -> Result<(), FolderError> {
        let Contents { manifest, plan, known, .. } = contents;
        self.put_results(manifest, plan, known)?;
        self.csv(FAILED, |out| results::write_failed(manifest, plan, failed, out))
    }

    /// Writes the results and their checksums to the disk itself: the journal, which has them too, is removed afterwards.
    fn put_results(&self, manifest: &Manifest, lines: &[Planned], known: &Known) -> Result<(), FolderError> {
        let sums = results::checksums(lines, known);
        self.put_with(RESULTS, Output::commit_to_disk, |out| {
            results::write(manifest, lines, known, out).map_err(io::Error::other)
        })?;
        self.put_with(CHECKSUMS, Output::commit_to_disk, |out| sums.write(out).map_err(io::Error::other))
    }

    /// Reads everything that the folder holds; rows of the results that are torn or missing are an error.
    pub fn open(&self) -> Result<Contents, FolderError> {
        let manifest = self.manifest().map_err(|error| error.or_no_results(self.shown()))?;
        let plan =
            results::read_plan(&manifest, self.file(PLAN)?).map_err(|error| self.torn(PLAN, &error))?;
        let LoadedResults { known, damage } = self.known(&manifest)?;
        if let Some(damage) = damage {
            let file = self.path().join(RESULTS).display().to_string();
            return Err(FolderError::Damaged { file, folder: self.shown(), damage });
        }
        Ok(Contents { experiment: self.text(EXPERIMENT)?, manifest, plan, known })
    }

    /// Writes a file of the folder, whole or not at all; creates folders on its path.
    pub fn put(
        &self,
        name: &str,
        write: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> Result<(), FolderError> {
        self.put_with(name, Output::commit, write)
    }

    pub fn put_text(&self, name: &str, text: &SafeText) -> Result<(), FolderError> {
        self.put(name, |out| out.write_all(text.as_bytes()))
    }

    fn put_with(
        &self,
        name: &str,
        commit: fn(Output) -> io::Result<()>,
        write: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> Result<(), FolderError> {
        self.folder.put_with(name, commit, write).map_err(Into::into)
    }

    /// Returns the names in a subfolder, sorted; none if it does not exist.
    pub fn names(&self, within: &str) -> Result<Vec<String>, FolderError> {
        let entries = match fs::read_dir(self.own(within)?) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.io(within, error)),
        };
        let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        let names: io::Result<Vec<String>> = entries.map(name).collect();
        let mut names = names.map_err(|error| self.io(within, error))?;
        names.sort();
        Ok(names)
    }

    /// Removes the files of a subfolder that are not wanted, so that it holds what a fresh run would have made.
    pub fn keep_only(&self, within: &str, wanted: impl Fn(&str) -> bool) -> Result<(), FolderError> {
        // Hidden files belong to a writer that may still be running.
        let mut others =
            self.names(within)?.into_iter().filter(|name| !name.starts_with('.') && !wanted(name));
        others.try_for_each(|name| self.remove(&format!("{within}/{name}")))
    }

    /// Removes a file, if it exists.
    pub fn remove(&self, name: &str) -> Result<(), FolderError> {
        match fs::remove_file(self.own(name)?) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.io(name, error)),
            _ => Ok(()),
        }
    }

    /// Returns how long replays took, by key, as far as the journal records it.
    pub fn times(&self, manifest: &Manifest) -> Vec<(String, f64)> {
        let journal = self.file(JOURNAL).ok();
        journal.and_then(|file| journal::read(file, manifest).ok()).map_or_else(Vec::new, |(_, times)| times)
    }

    fn is_new(&self) -> Result<bool, FolderError> {
        match fs::read_dir(self.path()) {
            // The folder into which parts are joined may hold those parts; a run that was interrupted at once left a journal, or
            // a temporary file.
            Ok(mut entries) => Ok(entries.all(|entry| {
                entry.is_ok_and(|entry| {
                    let name = entry.file_name();
                    [SHARDS, JOURNAL, LOCK].iter().any(|own| name == *own)
                        || is_unfinished(&name.to_string_lossy())
                })
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
            Err(error) => Err(self.io("", error)),
        }
    }

    /// Returns the known replays, from the results and from the journal, and what is damaged in neither.
    fn known(&self, manifest: &Manifest) -> Result<LoadedResults, FolderError> {
        let LoadedResults { mut known, mut damage } = match self.there(RESULTS)? {
            Some(file) => {
                let sums = self.there(CHECKSUMS)?.map(Checksums::read);
                results::read_known(manifest, file, sums.as_ref())
                    .map_err(|error| self.broken(RESULTS, &error))?
            }
            None => LoadedResults::default(),
        };
        if let Some(file) = self.there(JOURNAL)? {
            known.extend(journal::read(file, manifest).map_err(|error| self.io(JOURNAL, error))?.0);
            // An unfinished run goes on with what its journal has.
            damage = damage.and_then(|damage| damage.besides(&known));
        }
        Ok(LoadedResults { known, damage })
    }

    /// Opens a file of the folder, if it is there.
    fn there(&self, name: &str) -> Result<Option<File>, FolderError> {
        match self.file(name) {
            Ok(file) => Ok(Some(file)),
            Err(FolderError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn manifest(&self) -> Result<Manifest, FolderError> {
        let text = self.text(MANIFEST)?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| self.torn(MANIFEST, &error))?;
        // The name becomes that of a folder in an archive, and of a file in commands.
        if !is_file_name(&manifest.name) {
            let what = format!("`{}` is no name of an experiment", manifest.name.escape_debug());
            return Err(self.broken(MANIFEST, &what));
        }
        Ok(manifest)
    }

    pub fn text(&self, name: &str) -> Result<String, FolderError> {
        fs::read_to_string(self.own(name)?).map_err(|error| self.io(name, error))
    }

    pub fn file(&self, name: &str) -> Result<File, FolderError> {
        File::open(self.own(name)?).map_err(|error| self.io(name, error))
    }

    /// Returns the path of a file or subfolder, which need not exist.
    fn own(&self, name: &str) -> Result<PathBuf, FolderError> {
        self.folder.own(name).map_err(Into::into)
    }

    fn csv(
        &self,
        name: &str,
        write: impl FnOnce(&mut Output) -> Result<(), ResultsError>,
    ) -> Result<(), FolderError> {
        self.put(name, |out| write(out).map_err(io::Error::other))
    }

    pub fn io(&self, name: &str, error: io::Error) -> FolderError {
        FolderError::Io { file: self.path().join(name).display().to_string(), error }
    }

    fn torn(&self, name: &str, error: &dyn std::fmt::Display) -> FolderError {
        let file = self.path().join(name).display().to_string();
        FolderError::Torn { file, folder: self.shown(), what: error.to_string() }
    }

    pub fn broken(&self, name: &str, error: &dyn std::fmt::Display) -> FolderError {
        FolderError::Broken { file: self.path().join(name).display().to_string(), what: error.to_string() }
    }
}

/// Whether a run itself writes a file of this name, as opposed to files generated from its results.
pub fn is_of_run(name: &str) -> bool {
    match name.split_once('/') {
        None => [EXPERIMENT, MANIFEST, PLAN, RESULTS, CHECKSUMS, FAILED].contains(&name),
        Some((DETAILS, name)) => is_file_of(name, ".json"),
        Some((SCHEDULES, name)) => is_file_of(name, ".csv.gz"),
        Some((INPUTS, name)) => is_sha256(name),
        Some(_) => false,
    }
}

/// Whether a name has the given ending, is not hidden, and is in no further subfolder.
pub fn is_file_of(name: &str, ending: &str) -> bool {
    name.strip_suffix(ending)
        .is_some_and(|stem| !stem.is_empty() && !stem.starts_with('.') && !stem.contains('/'))
}

impl Contents {
    /// Returns the results in the form that tables and plots read.
    pub fn frame(&self) -> Frame {
        self.manifest.frame(results::rows(&self.plan, &self.known))
    }

    pub fn replays(&self) -> usize {
        self.plan.iter().map(|line| line.key.as_str()).collect::<SortedSet<_>>().len()
    }

    /// Returns the keys of planned replays without values, each once, in the order of the plan.
    pub fn missing(&self) -> Vec<&str> {
        let mut seen = SortedSet::new();
        let lines = self.plan.iter().filter(|line| !self.known.contains_key(&line.key));
        let mut missing: Vec<&str> = lines.map(|line| line.key.as_str()).collect();
        missing.retain(|key| seen.insert(*key));
        missing
    }
}
