//! Files of steps: reads them and applies them to a log.

use std::cell::RefCell;
use std::path::Path;

use batchlab_traces::Trace;
use batchlab_traces::shape::{Context, ShapeError, Shaped, Steps, Target};

use super::diff::read_text;
use super::rules::is_text;
use super::source::SourceArgs;
use super::{Failure, tell};
use crate::Registry;

/// A file of steps.
pub struct StepsFile {
    path: String,
    steps: Steps,
    /// SHA-256 of the other logs that have been read.
    read: RefCell<Vec<String>>,
}

impl StepsFile {
    /// Reads a file of steps; `-` is standard input.
    pub fn read(path: &str) -> Result<StepsFile, Failure> {
        StepsFile::of(&read_text(path)?, path)
    }

    /// Reads steps that are given as text, or the file of that name.
    pub fn named(name: &str) -> Result<StepsFile, Failure> {
        if is_text(name) { StepsFile::of(name, "steps") } else { StepsFile::read(name) }
    }

    /// Parses a text of steps; `path` is the name of its file.
    pub fn of(text: &str, path: &str) -> Result<StepsFile, Failure> {
        Ok(StepsFile { path: path.into(), steps: Steps::parse(text, path)?, read: RefCell::default() })
    }

    /// Returns the SHA-256 of the other logs that steps have read.
    pub fn logs_read(&self) -> Vec<String> {
        self.read.borrow().clone()
    }

    /// Returns the name of the file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the names of the steps that may draw random numbers.
    pub fn drawing(&self) -> Vec<&'static str> {
        self.steps.drawing()
    }

    /// Refuses steps that make several logs of one.
    pub fn refuse_splits(&self) -> Result<(), Failure> {
        if !self.splits() {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "{} splits the log, and one log is wanted: write the parts with `batchlab shape` first",
            self.path
        )))
    }

    /// Whether the steps make several logs of one.
    pub fn splits(&self) -> bool {
        self.steps.splits()
    }

    /// Applies the steps, and prints a line for each unless `quiet`. File names of other logs are relative to
    /// the folder of the file.
    pub fn apply(
        &self,
        registry: &Registry,
        trace: Trace,
        seed: u64,
        source: &SourceArgs,
        strict: bool,
        measure: &dyn Fn(&Trace, &Target) -> Result<f64, Failure>,
    ) -> Result<Shaped, Failure> {
        let log = |name: &str| {
            let path = self.beside(name);
            if std::fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
                return Err(format!("{path} is no file"));
            }
            let other = source.read_beside(registry, &path, strict).map_err(|failure| failure.to_string())?;
            self.read.borrow_mut().push(other.provenance.source.sha256.clone());
            Ok(other)
        };
        let measure =
            |trace: &Trace, target: &Target| measure(trace, target).map_err(|failure| failure.to_string());
        let shaped = self.steps.apply(trace, &Context { seed, log: &log, measure: &measure })?;
        if !source.quiet {
            shaped.reports.iter().for_each(|report| tell::note(&report.to_string()));
        }
        Ok(shaped)
    }

    fn beside(&self, name: &str) -> String {
        let folder = Path::new(&self.path).parent().filter(|_| self.path != "-");
        folder.map_or_else(|| name.into(), |folder| folder.join(name).to_string_lossy().into_owned())
    }
}

impl From<ShapeError> for Failure {
    fn from(error: ShapeError) -> Failure {
        if error.is_usage() { Failure::Usage(error.to_string()) } else { Failure::Input(error.to_string()) }
    }
}
