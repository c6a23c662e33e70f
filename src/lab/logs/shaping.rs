//! Files of steps: reads them and applies them to a log.

use std::cell::RefCell;
use std::path::Path;

use batchlab_traces::machine::MachineChoice;
use batchlab_traces::reading::Overrun;
use batchlab_traces::shape::{Context, Shaped, Steps, Target};

use batchlab_traces::{Findings, Provenance, Reading, Trace, Workload};

use crate::Registry;
use crate::lab::Failure;
use crate::lab::logs::reading::SourceSettings;
use crate::lab::logs::rules::is_text;
use crate::lab::settings::AllSettings;
use crate::lab::texts::read_text;
use crate::replay::calibration;
use crate::replay::engine::Scenario;

pub struct StepsFile {
    pub path: String,
    pub steps: Steps,
    /// SHA-256 of the other logs that have been read.
    read: RefCell<Vec<String>>,
}

impl StepsFile {
    /// Reads a file of steps; `-` is standard input.
    pub fn read(path: &str) -> Result<StepsFile, Failure> {
        StepsFile::of(&read_text(path)?, path)
    }

    pub fn named(name: &str) -> Result<StepsFile, Failure> {
        if is_text(name) { StepsFile::of(name, "steps") } else { StepsFile::read(name) }
    }

    /// Parses a text of steps; `path` is the name of its file.
    pub fn of(text: &str, path: &str) -> Result<StepsFile, Failure> {
        Ok(StepsFile { path: path.into(), steps: Steps::parse(text, path)?, read: RefCell::default() })
    }

    pub fn logs_read(&self) -> Vec<String> {
        self.read.borrow().clone()
    }

    /// Refuses steps that make several logs of one.
    pub fn refuse_splits(&self) -> Result<(), Failure> {
        if !self.steps.splits() {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "{} splits the log, and one log is wanted: write the parts with `batchlab shape` first",
            self.path
        )))
    }

    /// Applies the steps, and tells the observer of the source a line for each unless it is quiet. File names of other logs
    /// are relative to the folder of the file.
    pub fn apply(
        &self,
        registry: &Registry,
        trace: Trace,
        seed: u64,
        source: &SourceSettings,
        measure: &dyn Fn(&Trace, &Target) -> Result<f64, Failure>,
    ) -> Result<Shaped, Failure> {
        let log = |name: &str| {
            let path = if registry.catalogue().is_name(name) { name.to_owned() } else { self.beside(name) };
            if std::fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
                return Err(format!("{path} is no file"));
            }
            let other = source.read_beside(registry, &path).map_err(|failure| failure.to_string())?;
            self.read.borrow_mut().push(other.provenance.source.sha256.clone());
            Ok(other)
        };
        let measure =
            |trace: &Trace, target: &Target| measure(trace, target).map_err(|failure| failure.to_string());
        let shaped = self.steps.apply(trace, &Context { seed, log: &log, measure: &measure })?;
        if !source.quiet {
            shaped.reports.iter().for_each(|report| source.observer.note(&report.to_string()));
        }
        Ok(shaped)
    }

    fn beside(&self, name: &str) -> String {
        let folder = Path::new(&self.path).parent().filter(|_| self.path != "-");
        folder.map_or_else(|| name.into(), |folder| folder.join(name).to_string_lossy().into_owned())
    }
}

/// Applies steps to a log. Calibrating steps replay their policies as `replay` does without options.
pub fn shaped(
    settings: &AllSettings,
    registry: &Registry,
    steps: &StepsFile,
    trace: Trace,
) -> Result<Shaped, Failure> {
    let seed = settings.shape.seed;
    let measure = |trace: &Trace, target: &Target| measured(registry, seed, trace, target);
    steps.apply(registry, trace, seed, &settings.scenario.source, &measure)
}

fn measured(registry: &Registry, seed: u64, trace: &Trace, target: &Target) -> Result<f64, Failure> {
    let reading = Reading { seed, ..Reading::default() };
    let mut findings = Findings::lenient();
    let machine = MachineChoice::default().machine(trace, &reading, &mut findings)?;
    let workload = Workload::read(trace, &machine, &reading, &mut findings, &mut Provenance::default())?;
    let scenario = Scenario { seed, ..Scenario::new(machine, workload) };
    calibration::measure(registry, &scenario, Overrun::default(), target).map_err(Failure::Input)
}
