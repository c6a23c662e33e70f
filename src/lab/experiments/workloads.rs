//! The workloads of an experiment: logs and models, cleaned, shaped and cut.

mod carried;
mod cut;
mod files_read;
mod options;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use batchlab_policies::spec::Chosen;
use batchlab_traces::clean::Preset;
use batchlab_traces::number::grouped;
use batchlab_traces::reading::{Estimate, parse_duration};
use batchlab_traces::trace::Holds;
use batchlab_traces::workload::machine_size;
use batchlab_traces::{Field, Findings, Time, Trace, models};

use crate::Registry;
use crate::experiment::{
    Cut, JobSource, Loaded, Loader, LogFolders, PlanError, Survey, UnitKind, WorkloadSpec,
};
use crate::lab::Failure;
use crate::lab::logs::reading::SourceSettings;
use crate::lab::logs::rules::is_text;
use crate::lab::logs::shaping::StepsFile;
use crate::lab::observer::Observed;
use crate::lab::options::{ReplayFacts, names_file, stated};
use crate::lab::settings::ScenarioSettings;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::texts::read_text;

use cut::{Windows, first_jobs};
use options::{beside, wrong};

pub use options::names;

pub struct Workloads<'a> {
    pub registry: &'a Registry,
    /// The folder of the experiment, to which file names are relative.
    pub folder: PathBuf,
    /// Time simulated before each window.
    pub prefix: Time,
    logs: LogFolders,
    limits: LimitSettings,
    /// Who hears of damaged logs.
    observer: Observed,
    cache: Mutex<Vec<Cached>>,
}

/// A log that has been read, cleaned or shaped, and the files that it was made of.
#[derive(Clone)]
struct Cached {
    name: String,
    trace: Arc<Trace>,
    identity: Vec<String>,
}

/// The number of cached logs, from which the current units are cut.
const KEPT: usize = 4;

impl<'a> Workloads<'a> {
    pub fn new(registry: &'a Registry, folder: &Path, prefix: Time, limits: &LimitSettings) -> Workloads<'a> {
        let limits = limits.clone();
        Workloads {
            registry,
            folder: folder.into(),
            prefix,
            logs: LogFolders::default(),
            limits,
            observer: Observed::default(),
            cache: Mutex::default(),
        }
    }

    /// Adds folders where to look for logs that are not beside the experiment.
    pub fn with_logs(self, logs: &[PathBuf]) -> Workloads<'a> {
        let cached = self.registry.catalogue().folders();
        Workloads { logs: LogFolders::new(&[logs, &cached[..]].concat()), ..self }
    }

    pub fn observed(self, observer: Observed) -> Workloads<'a> {
        Workloads { observer, ..self }
    }

    /// Returns the path of a log as it is opened: that of a log of the catalogue, or beside the experiment.
    fn log(&self, workload: &WorkloadSpec, path: &str) -> Result<String, Failure> {
        let catalogue = self.registry.catalogue();
        if !catalogue.is_name(path) {
            return Ok(beside(&self.folder, path));
        }
        let there = catalogue.locate(path).map_err(|error| wrong(workload, &error.to_string()))?;
        Ok(std::path::absolute(there.as_ref())?.to_string_lossy().into_owned())
    }

    /// Returns a workload whose log is where it was found. A file of its name that has another hash is refused later, when
    /// it has been read.
    fn found(&self, workload: &WorkloadSpec) -> Result<WorkloadSpec, Failure> {
        let JobSource::Log(path) = &workload.source else { return Ok(workload.clone()) };
        if self.registry.catalogue().is_name(path) {
            return Ok(WorkloadSpec {
                source: JobSource::Log(self.log(workload, path)?),
                ..workload.clone()
            });
        }
        if path == "-" || Path::new(&beside(&self.folder, path)).exists() {
            return Ok(workload.clone());
        }
        let there = |hash| self.logs.find(&self.folder, path, hash);
        let there = there(workload.sha256.as_deref()).or_else(|| there(None));
        Ok(match there.and_then(|there| std::path::absolute(there).ok()) {
            Some(there) => WorkloadSpec {
                source: JobSource::Log(there.to_string_lossy().into_owned()),
                ..workload.clone()
            },
            None => workload.clone(),
        })
    }

    /// Refuses a pipe or a device where a file is expected: a pipe could block for ever, and a device may have no end.
    fn refuse_streams(&self, workload: &WorkloadSpec) -> Result<(), Failure> {
        let log = match &workload.source {
            JobSource::Log(path) => Some(path),
            JobSource::Model { log, .. } => log.as_ref(),
        };
        let others = log.into_iter().chain(&workload.rules).chain(&workload.steps).map(String::as_str);
        for path in options::files(workload).chain(others).filter(|path| *path != "-" && !is_text(path)) {
            let there = std::fs::metadata(beside(&self.folder, path));
            if there.is_ok_and(|there| !there.is_file()) {
                return Err(wrong(
                    workload,
                    &format!("{path} is no file; an experiment reads files, and more than once"),
                ));
            }
        }
        Ok(())
    }

    /// Refuses files that cannot be opened, with the place of the workload.
    fn refuse_missing(&self, workload: &WorkloadSpec) -> Result<(), Failure> {
        let steps = workload.steps.as_deref().filter(|steps| !is_text(steps));
        let rules = workload.rules.as_deref().filter(|rules| !is_text(rules) && Preset::find(rules).is_err());
        let log = match self.found(workload)?.source {
            JobSource::Log(path) => Some(path),
            JobSource::Model { log, .. } => log.map(|log| self.log(workload, &log)).transpose()?,
        };
        let named = options::files(workload).chain(steps).chain(rules).chain(log.as_deref());
        for path in named.filter(|path| *path != "-") {
            let path = beside(&self.folder, path);
            std::fs::File::open(&path).map_err(|error| options::unopened(workload, &path, &error))?;
        }
        Ok(())
    }

    fn options(&self, workload: &WorkloadSpec) -> Result<ScenarioSettings, Failure> {
        self.refuse_streams(workload)?;
        self.refuse_missing(workload)?;
        let scenario = options::scenario(&self.found(workload)?, &self.folder, self.registry.formats())?;
        let source = SourceSettings { quiet: true, observer: self.observer.clone(), ..scenario.source };
        Ok(ScenarioSettings { limits: self.limits.clone(), source, ..scenario })
    }

    /// Returns a log by its name in the cache, making it if necessary. Two threads that ask at the same time may both make it.
    fn cached(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<(Trace, Vec<String>), Failure>,
    ) -> Result<Cached, Failure> {
        if let Some(known) = self.known(name) {
            return Ok(known);
        }
        let (trace, identity) = make()?;
        let fresh = Cached { name: name.into(), trace: Arc::new(trace), identity };
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() >= KEPT {
            cache.remove(0);
        }
        cache.push(fresh.clone());
        Ok(fresh)
    }

    /// Returns a log from the cache, which evicts the least recently used.
    fn known(&self, name: &str) -> Option<Cached> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let at = cache.iter().position(|known| known.name == name)?;
        let known = cache.remove(at);
        cache.push(known.clone());
        Some(known)
    }

    /// Returns the log of a workload, cleaned but not shaped: the same for all its units unless a model draws it.
    fn cleaned(
        &self,
        workload: &WorkloadSpec,
        scenario: &ScenarioSettings,
        seed: u64,
    ) -> Result<(Trace, Vec<String>), Failure> {
        let JobSource::Model { name, jobs, set, log } = &workload.source else {
            let trace = scenario.cleaned(self.registry)?;
            let found = &trace.provenance.source.sha256;
            if let Some(wanted) = workload.sha256.as_ref().filter(|wanted| *wanted != found) {
                let what =
                    format!("the log is another file: its SHA-256 is {found}, and it should be {wanted}");
                return Err(wrong(workload, &what));
            }
            let identity = vec![found.clone()];
            return Ok((trace, identity));
        };
        let model = models::find(name).map_err(|error| wrong(workload, &error.to_string()))?;
        let read = |path: &String| scenario.source.read(self.registry, &self.log(workload, path)?);
        let log = log.as_ref().map(read).transpose()?;
        let identity = log.iter().map(|log| log.provenance.source.sha256.clone()).collect();
        let (of_jobs, of_procs) = model.default_size(log.as_ref());
        let jobs = jobs.as_ref().map(|jobs| jobs.parse()).transpose();
        let jobs = jobs.map_err(|_| wrong(workload, "`jobs` must be a whole number"))?.unwrap_or(of_jobs);
        let procs = scenario.procs.and_then(|procs| u32::try_from(procs).ok()).unwrap_or(of_procs);
        self.limits.limits().check_jobs(jobs).map_err(|failure| wrong(workload, &failure.to_string()))?;
        let set: Vec<String> = set.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let trace = model.generate_from(log.as_ref(), jobs, procs, seed, &set);
        let trace = trace.map_err(|error| wrong(workload, &error.to_string()))?;
        Ok((scenario.clean(trace)?, identity))
    }

    fn steps(&self, workload: &WorkloadSpec) -> Result<Option<StepsFile>, Failure> {
        let Some(steps) = &workload.steps else { return Ok(None) };
        let file = if is_text(steps) {
            StepsFile::of(steps, &beside(&self.folder, &format!("steps of workload {}", workload.name)))?
        } else {
            StepsFile::read(&beside(&self.folder, steps))?
        };
        file.refuse_splits()?;
        Ok(Some(file))
    }

    /// Returns the log of a workload, cleaned and shaped, before it is cut.
    fn shaped(
        &self,
        workload: &WorkloadSpec,
        scenario: &ScenarioSettings,
        seed: u64,
    ) -> Result<Cached, Failure> {
        let is_log = matches!(workload.source, JobSource::Log(_));
        let uncut = WorkloadSpec { cut: Cut::None, replications: 0, ..workload.clone() };
        let made = || {
            let plain = WorkloadSpec { steps: None, options: options::of_reading(workload), ..uncut.clone() };
            let (trace, mut identity) = if is_log {
                let known = self.cached(&format!("{plain:?}"), || self.cleaned(workload, scenario, seed))?;
                (Arc::unwrap_or_clone(known.trace), known.identity)
            } else {
                self.cleaned(workload, scenario, seed)?
            };
            let Some(steps) = self.steps(workload)? else { return Ok((trace, identity)) };
            let trace = scenario.shaped_by(&steps, self.registry, &scenario.choice()?, trace, seed)?;
            identity.extend(steps.logs_read());
            Ok((trace, identity))
        };
        // All windows have one machine, whichever part of the log shows its size.
        let sized = || {
            let (mut trace, identity) = made()?;
            let reading = scenario.reading(&scenario.choice()?);
            let size = machine_size(&trace, &reading, &mut Findings::lenient()).ok();
            let stated = trace.header.max_procs.as_ref().map(|procs| procs.count);
            if size != stated {
                trace.header.peak_procs = size;
            }
            Ok((trace, identity))
        };
        match &workload.cut {
            Cut::Windows(_) => self.cached(&format!("{uncut:?} shaped"), sized),
            _ => made().map(|(trace, identity)| Cached {
                name: String::new(),
                trace: Arc::new(trace),
                identity,
            }),
        }
    }

    fn kind(&self, workload: &WorkloadSpec, scenario: &ScenarioSettings) -> Result<UnitKind, Failure> {
        let drawing = self.steps(workload)?.map_or_else(Vec::new, |steps| steps.steps.drawing());
        let draws_estimates = matches!(scenario.estimate, Estimate::Phi(_) | Estimate::Tsafrir(_));
        Ok(match (&workload.source, &drawing[..]) {
            (JobSource::Model { .. }, _) => UnitKind::Replications,
            (JobSource::Log(_), []) if !draws_estimates => UnitKind::One,
            (JobSource::Log(_), drawing) if !draws_estimates && drawing.iter().all(|step| *step == SHAKE) => {
                UnitKind::Shaken
            }
            _ => UnitKind::Draws,
        })
    }

    /// Returns the texts of the files of which a workload is made, besides its log: those that it names, and those that a
    /// `slurm.conf` includes.
    fn files(&self, workload: &WorkloadSpec, scenario: &ScenarioSettings) -> Result<Vec<String>, Failure> {
        // A preset of rules is not a file; the program's version covers it.
        let read = |path: &str| read_text(beside(&self.folder, path)).ok();
        let mut texts: Vec<String> = files_read::named(workload).filter_map(read).collect();
        texts.extend(scenario.slurm.included()?.into_iter().map(|file| file.text));
        Ok(texts)
    }
}

fn submitted(trace: &Trace) -> Time {
    let times = (0..trace.len()).map(|row| trace.time(row, Field::Submit));
    let (first, last) = times.fold((Time::MAX, Time::ZERO), |(a, b), time| (a.min(time), b.max(time)));
    if first < last { last - first } else { Time::ZERO }
}

/// The most blocks of a replay: each has a row for every policy and measure.
const MOST_BLOCKS: i64 = 100_000;

/// Checks the length of blocks, and that the log, whose submissions span a time, has not too many of them.
fn check_blocks(workload: &WorkloadSpec, length: &str, span: Time, load: f64) -> Result<(), Failure> {
    let time = parse_duration(length).map_err(|error| wrong(workload, &format!("blocks: {error}")))?;
    let blocks = (span.secs() / load / time.secs().max(1e-6)) as i64;
    if blocks <= MOST_BLOCKS {
        return Ok(());
    }
    let (blocks, most) = (grouped(blocks.unsigned_abs()), grouped(MOST_BLOCKS.unsigned_abs()));
    let what =
        format!("the log has {blocks} blocks of {length}, and at most {most} are measured: take longer ones");
    Err(wrong(workload, &what))
}

/// The step whose draws are noise rather than different jobs.
const SHAKE: &str = "shake";

impl Workloads<'_> {
    /// Returns the first jobs of a unit, at most `jobs` of them.
    pub fn sample(
        &self,
        workload: &WorkloadSpec,
        unit: u32,
        seed: u64,
        jobs: usize,
    ) -> Result<Loaded, Failure> {
        self.part(
            workload,
            unit,
            seed,
            |trace| if trace.len() > jobs { first_jobs(&trace, jobs) } else { Ok(trace) },
        )
    }

    fn part(
        &self,
        workload: &WorkloadSpec,
        unit: u32,
        seed: u64,
        part: impl FnOnce(Trace) -> Result<Trace, Failure>,
    ) -> Result<Loaded, Failure> {
        let mut scenario = self.options(workload)?;
        scenario.seed = seed;
        let shaped = self.shaped(workload, &scenario, seed)?;
        let (trace, prefix) = match &workload.cut {
            Cut::Windows(length) => {
                let windows = Windows::of(&shaped.trace, length, self.prefix, scenario.queue_from)?;
                let (window, prefix) = windows.cut(&shaped.trace, unit, scenario.load)?;
                (window, Some(prefix))
            }
            _ => (Arc::unwrap_or_clone(shaped.trace), None),
        };
        self.prepared(&scenario, part(trace)?, prefix)
    }

    /// Makes jobs and machine of a log. Conditions have the files as the experiment names them, so that they are the same
    /// from whichever folder it is run.
    fn prepared(
        &self,
        scenario: &ScenarioSettings,
        trace: Trace,
        prefix: Option<Time>,
    ) -> Result<Loaded, Failure> {
        let prepared = scenario.prepare_trace(trace, &scenario.choice()?)?;
        let as_named = |(name, value): (String, String)| {
            let files = value.split(", ").map(|file| options::seen_from(&self.folder, file));
            let seen = files.collect::<Vec<_>>().join(", ");
            if names_file(&name) { (name, seen) } else { (name, value) }
        };
        Ok(Loaded {
            further: stated(&ReplayFacts::of(&prepared)).into_iter().map(as_named).collect(),
            trace: prepared.trace,
            scenario: prepared.scenario,
            reading: prepared.reading,
            findings: prepared.findings,
            provenance: prepared.provenance,
            prefix,
        })
    }
}

impl Loader for Workloads<'_> {
    type Error = Failure;

    fn survey(&self, workload: &WorkloadSpec, seed: u64) -> Result<Survey, Failure> {
        let scenario = self.options(workload)?;
        let shaped = self.shaped(workload, &scenario, seed)?;
        let mut identity = shaped.identity.clone();
        identity.extend(self.files(workload, &scenario)?);
        if Holds::of(&shaped.trace).any() {
            // Results from versions before jobs queued from their eligibility differ.
            identity.push(format!("queue-from {}", scenario.queue_from));
        }
        let (kind, units, notes) = match &workload.cut {
            Cut::Windows(length) => {
                let windows = Windows::of(&shaped.trace, length, self.prefix, scenario.queue_from)
                    .map_err(|failure| wrong(workload, &failure.to_string()))?;
                let (numbers, notes) = windows
                    .numbers(&shaped.trace, length)
                    .map_err(|failure| wrong(workload, &failure.to_string()))?;
                if numbers.is_empty() {
                    return Err(wrong(workload, &format!("the log is shorter than one window of {length}")));
                }
                (UnitKind::Windows, numbers, notes)
            }
            Cut::Blocks(length) => {
                check_blocks(workload, length, submitted(&shaped.trace), scenario.load)?;
                (UnitKind::Blocks, vec![0], Vec::new())
            }
            Cut::None => match self.kind(workload, &scenario)? {
                UnitKind::One => (UnitKind::One, vec![0], Vec::new()),
                kind => {
                    // Checked before the replications are listed one by one.
                    PlanError::check_count::<Failure>(
                        u128::from(workload.replications),
                        self.most_replays(),
                    )?;
                    (kind, (0..workload.replications).collect(), Vec::new())
                }
            },
        };
        let all = units.len();
        let units: Vec<u32> = units.into_iter().filter(|&unit| workload.has_unit(unit)).collect();
        if units.is_empty() {
            return Err(wrong(workload, &format!("it has none of these `units`: there are {all}, from 0")));
        }
        Ok(Survey { kind, units, identity, notes })
    }

    fn load(&self, workload: &WorkloadSpec, unit: u32, seed: u64) -> Result<Loaded, Failure> {
        self.part(workload, unit, seed, Ok)
    }

    fn plugins(&self, policy: &Chosen) -> Vec<String> {
        carried::hashes(policy)
    }

    fn most_replays(&self) -> u64 {
        self.limits.limits().most_replays()
    }

    fn whole(&self, workload: &WorkloadSpec, seed: u64) -> Result<Option<Loaded>, Failure> {
        if !matches!(workload.cut, Cut::Windows(_)) {
            return Ok(None);
        }
        let mut scenario = self.options(workload)?;
        scenario.seed = seed;
        let shaped = self.shaped(workload, &scenario, seed)?;
        self.prepared(&scenario, Arc::unwrap_or_clone(shaped.trace), None).map(Some)
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Failure {
        match error {
            PlanError::Policy { error: ref inner, .. } => match inner.clone().into() {
                Failure::Policy(_) => Failure::Policy(error.to_string()),
                Failure::Input(_) => Failure::Input(error.to_string()),
                _ => Failure::Usage(error.to_string()),
            },
            PlanError::Unfit { error: ref inner, .. } => match inner.clone().into() {
                Failure::Policy(_) => Failure::Policy(error.to_string()),
                _ => Failure::Usage(error.to_string()),
            },
            PlanError::Unmet { .. } | PlanError::NoPolicy { .. } => Failure::Input(error.to_string()),
            PlanError::Experiment(_) | PlanError::TooMany { .. } => Failure::Usage(error.to_string()),
        }
    }
}
