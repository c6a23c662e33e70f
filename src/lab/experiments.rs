//! Experiments: files of workloads and policies, run into folders of results.

mod charts;
pub mod end;
mod forecast;
mod planning;
mod recorder;
pub mod workloads;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use batchlab_parsers::OutputFolder;
use batchlab_policies::external::Opens;
use batchlab_traces::located::LocatedToml;
use batchlab_traces::number::{counted, grouped};
use batchlab_traces::sorted::SortedSet;

use crate::Registry;
use crate::experiment::detail::Wanted;
use crate::experiment::folder::{Begun, Contents, FAILED};
use crate::experiment::results::{self, Known};
use crate::experiment::{
    Execution, Experiment, ExperimentError, ExperimentPlan, Failed, Folder, FolderError, Manifest, PlanError,
    Planned, UnitKind, WorkloadFacts, with_profile,
};
use crate::lab::Failure;
use crate::lab::experiments::workloads::Workloads;
use crate::lab::logs::redact;
use crate::lab::observer::Observed;
use crate::lab::settings::RunSettings;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::texts::read_text;
use crate::report::tables::Names;
use crate::report::{Declared, ReportError, put_settings};
use crate::schedule::ScheduleColumn;
pub use forecast::basis;
pub use planning::{Planning, folder as results_folder};
use recorder::{Again, Recorder};

/// Receives what is done and, if known, what there is to do: bytes of a log, or jobs that have ended. Called from any thread.
pub type Progress = Arc<dyn Fn(u64, Option<u64>) + Send + Sync>;

#[derive(Default)]
pub struct ExperimentRun {
    pub experiment: String,
    pub settings: RunSettings,
    pub limits: LimitSettings,
    /// Who hears of what is done.
    pub observer: Observed,
    /// The options that let plug-ins in, in the form in which they are typed.
    pub options: Vec<String>,
    /// Gets the number of replays that have ended and the number of all, in place of the observer.
    pub progress: Option<Progress>,
}

pub enum Conducted {
    Shown(String),
    /// It was run, with these failures of replays.
    Ran(Vec<Failure>),
}

impl ExperimentRun {
    pub fn text(&self) -> Result<String, Failure> {
        self.text_of(None)
    }

    /// As [`ExperimentRun::text`], with a text in the place of the file's.
    pub fn text_of(&self, text: Option<String>) -> Result<String, Failure> {
        let text = text.map_or_else(|| experiment_of(&self.experiment), Ok)?;
        match &self.settings.profile {
            Some(profile) => with_profile(&text, &self.experiment, profile).map_err(usage),
            None => Ok(text),
        }
    }

    /// Runs an experiment that has been read or generated; all verbs that run experiments use this. Policies come from
    /// `registry`, and what files name comes from `of_files`, as typed policies have more permissions. `end` gets the
    /// results, of which those of failed replays are missing, and writes what there is to write.
    ///
    /// # Errors
    /// If the experiment cannot be planned, its folder cannot be used, or the caller asks to stop.
    pub fn conduct_to(
        &self,
        registry: &Registry,
        of_files: &Registry,
        text: String,
        end: &mut dyn FnMut(&Folder, &Contents) -> Result<(), Failure>,
    ) -> Result<Conducted, Failure> {
        let columns = self.columns()?;
        let planning = match self.planned_without_commands(&text, registry, of_files) {
            Some(planning) => planning,
            None => Planning::of(text, self, registry, of_files)?,
        };
        let Planning { text, plan, workloads, settings, glances, baseline } = planning;
        let (manifest, lines) = (Manifest::of(&plan, baseline), Planned::of(&plan));
        let names = Names::of(&manifest.frame(Vec::new()));
        let declared = Declared::read(&text, &self.experiment, &names).map_err(usage)?;
        let remarks = charts::remarks(&glances, &declared, &plan)?;
        let out = results_folder(&plan.experiment.name, self.settings.out.as_deref());
        if self.settings.out.is_none() {
            OutputFolder::new("").own(&out)?;
        }
        let target = Folder::new(out);
        let columns = columns.unwrap_or_else(|| ScheduleColumn::of_experiments(plan.measuring.has_classes()));
        if let Some(key) = &self.settings.key {
            let again = self.again((key, columns), &plan, registry, &workloads, &manifest, &lines);
            return again.map(Conducted::Shown);
        }
        let tasks = self.tasks(&plan);
        if self.settings.dry_run {
            let time = forecast::words(&plan, &workloads, &tasks, self.threads())?;
            return Ok(Conducted::Shown(words(&plan, &lines, &remarks) + &time));
        }
        // Others wait until the tables are written, too.
        let Begun { mut known, damage, lock: _lock } = target.begin(&manifest, self.settings.resume)?;
        if let Some(damage) = damage {
            self.tell(&format!("{damage}: what is damaged is made again"));
        }
        let details = ExperimentRun::details(&plan, &lines, &declared);
        let todo = self.missing(&plan, tasks, &details, (&target, &known));
        self.tell(words(&plan, &lines, &remarks).trim_end());
        self.tell(&format!("{} to run", counted(todo.len() as u64, "replay")));
        let journal = target.journal(&manifest)?;
        target.describe(&text, &manifest, &lines)?;
        target.keep_inputs(&manifest.inputs)?;
        put_settings(&target, &settings)?;
        let progress = self.teller(todo.len());
        let recorder = Recorder::new(&plan, &target, &known, &details, journal, progress);
        let recorder = if self.settings.schedules { recorder.keeping_schedules(columns) } else { recorder };
        let (done, failed) = self.execute(&plan, registry, &workloads, &todo, recorder)?;
        known.extend(done);
        let contents = Contents { experiment: text, manifest, plan: lines, known };
        self.keep(&target, &contents, &plan, failed, end).map(Conducted::Ran)
    }

    /// Returns the tasks of which the folder, which knows some results, lacks something.
    fn missing(
        &self,
        plan: &ExperimentPlan,
        tasks: Vec<usize>,
        details: &[Vec<Wanted>],
        (target, known): (&Folder, &Known),
    ) -> Vec<usize> {
        let is_missing = |&task: &usize| {
            let key = &plan.tasks[task].key;
            !known.contains_key(key)
                || details[task].iter().any(|detail| !target.has_detail(key, &detail.name()))
                || (self.settings.schedules && !target.has_schedule(key))
        };
        tasks.into_iter().filter(is_missing).collect()
    }

    /// Plans an experiment that is resumed by the descriptions of commands that its folder has, without starting a command;
    /// `None` unless nothing is left to replay.
    fn planned_without_commands<'a>(
        &self,
        text: &str,
        registry: &Registry,
        of_files: &'a Registry,
    ) -> Option<Planning<'a>> {
        let RunSettings { resume, dry_run, key, .. } = &self.settings;
        if !resume || *dry_run || key.is_some() || !registry.policies().allows_exec() {
            return None;
        }
        let names = workloads::names();
        let experiment = Experiment::read(text, &self.experiment, &names).ok()?;
        let target = Folder::new(results_folder(&experiment.name, self.settings.out.as_deref()));
        let contents = target.open().ok()?;
        let described: Vec<_> =
            contents.manifest.plugins.iter().filter_map(|plugin| plugin.described.clone()).collect();
        if described.is_empty() {
            return None;
        }
        // A command without a description has a stand-in, whose replays are not there.
        let described = registry.clone().opening(Opens::Contained).knowing(described);
        let planning = Planning::of(text.to_owned(), self, &described, of_files).ok()?;
        let (manifest, lines) =
            (Manifest::of(&planning.plan, planning.baseline), Planned::of(&planning.plan));
        let names = Names::of(&manifest.frame(Vec::new()));
        let declared = Declared::read(&planning.text, &self.experiment, &names).ok()?;
        let details = ExperimentRun::details(&planning.plan, &lines, &declared);
        let tasks = self.tasks(&planning.plan);
        let missing = self.missing(&planning.plan, tasks, &details, (&target, &contents.known));
        missing.is_empty().then_some(planning)
    }

    /// Keeps the results, and hands them to `end`. Returns the failures of replays.
    fn keep(
        &self,
        target: &Folder,
        contents: &Contents,
        plan: &ExperimentPlan,
        failed: Vec<Failed<Failure>>,
        end: &mut dyn FnMut(&Folder, &Contents) -> Result<(), Failure>,
    ) -> Result<Vec<Failure>, Failure> {
        let error = |failed: &Failed<Failure>| {
            (plan.tasks[failed.task].key.clone(), redact::message(&failed.error.to_string()).into_owned())
        };
        if failed.is_empty() {
            target.complete(&contents.manifest, &contents.plan, &contents.known)?;
        } else {
            target.keep_part(contents, &failed.iter().map(error).collect())?;
        }
        // A shard has no tables, as they would cover only a part of the results.
        if self.settings.shard.is_none() {
            end(target, contents)?;
        }
        Ok(failures(failed, contents, plan, target))
    }

    /// Returns what shows how many replays have ended, if anything does.
    fn teller(&self, replays: usize) -> Option<Box<dyn Fn(u64) + Sync>> {
        if let Some(progress) = self.progress.clone() {
            return Some(Box::new(move |done| progress(done, Some(replays as u64))));
        }
        (!self.settings.quiet)
            .then(|| -> Box<dyn Fn(u64) + Sync> { self.observer.replays("running", replays) })
    }

    fn columns(&self) -> Result<Option<Vec<&'static ScheduleColumn>>, Failure> {
        if self.settings.schedule_columns.is_some()
            && !self.settings.schedules
            && self.settings.schedule.is_none()
        {
            return Err(Failure::Usage(
                "--schedule-columns needs --schedules, or --key with --schedule".into(),
            ));
        }
        Ok(self.settings.schedule_columns.as_deref().map(ScheduleColumn::select).transpose()?)
    }

    fn again(
        &self,
        (key, columns): (&str, Vec<&'static ScheduleColumn>),
        plan: &ExperimentPlan,
        registry: &Registry,
        workloads: &Workloads<'_>,
        manifest: &Manifest,
        lines: &[Planned],
    ) -> Result<String, Failure> {
        let Some(task) = plan.tasks.iter().position(|task| task.key == key) else {
            return Err(Failure::Usage(format!(
                "--key: no replay of this experiment has the key `{key}`; the results have them in their first column, \
                 and another version of the program has others"
            )));
        };
        let again = Again { schedule: self.settings.schedule.as_deref(), columns, ..Again::default() };
        let interrupt = self.limits.interrupt.clone();
        let failed =
            Execution { plan, registry, loader: workloads, threads: 1, interrupt }.run(&[task], &again)?;
        if let Some(failed) = failed.into_iter().next() {
            return Err(failed.error);
        }
        let done = again.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        let known: Known = done.into_iter().map(|done| (key.to_owned(), done.rows)).collect();
        let lines: Vec<Planned> = lines.iter().filter(|line| line.key == key).cloned().collect();
        let mut rows = Vec::new();
        results::write(manifest, &lines, &known, &mut rows)
            .map_err(|error| Failure::Input(error.to_string()))?;
        Ok(String::from_utf8_lossy(&rows).into_owned())
    }

    /// Runs the missing replays; every result is in the journal before this returns. Failed replays are returned separately.
    fn execute(
        &self,
        plan: &ExperimentPlan,
        registry: &Registry,
        workloads: &Workloads<'_>,
        todo: &[usize],
        recorder: Recorder<'_>,
    ) -> Result<(Known, Vec<Failed<Failure>>), Failure> {
        let threads = self.threads().clamp(1, todo.len().max(1));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Failure::Usage(format!("--threads: {error}")))?;
        let interrupt = self.limits.interrupt.clone();
        let execution = Execution { plan, registry, loader: workloads, threads, interrupt };
        let failed = pool.install(|| execution.run(todo, &recorder))?;
        if execution.interrupt.is_requested() {
            return Err(Failure::Interrupted("the experiment was interrupted; --resume continues it".into()));
        }
        Ok((recorder.known(), failed))
    }

    fn details(plan: &ExperimentPlan, lines: &[Planned], declared: &Declared) -> Vec<Vec<Wanted>> {
        let mut wanted: Vec<Vec<Wanted>> = vec![Vec::new(); plan.tasks.len()];
        let tasks: HashMap<&str, usize> =
            plan.tasks.iter().enumerate().map(|(at, task)| (task.key.as_str(), at)).collect();
        for line in lines {
            let Some(&task) = tasks.get(line.key.as_str()) else { continue };
            for detail in declared.details(line, plan.workloads[line.workload].units) {
                if !wanted[task].iter().any(|known| known.name() == detail.name()) {
                    wanted[task].push(detail);
                }
            }
        }
        wanted
    }

    fn threads(&self) -> usize {
        self.settings.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn tasks(&self, plan: &ExperimentPlan) -> Vec<usize> {
        match self.settings.shard {
            Some((index, of)) => plan.shard(index, of),
            None => (0..plan.tasks.len()).collect(),
        }
    }

    fn tell(&self, text: &str) {
        if !self.settings.quiet {
            self.observer.note(text);
        }
    }
}

/// Returns the failures of replays: each error once, with its first replay and the number of others.
fn failures(
    failed: Vec<Failed<Failure>>,
    contents: &Contents,
    plan: &ExperimentPlan,
    folder: &Folder,
) -> Vec<Failure> {
    let mut failures: Vec<(Failed<Failure>, u64)> = Vec::new();
    for one in failed {
        match failures.iter_mut().find(|(known, _)| known.error.to_string() == one.error.to_string()) {
            Some((_, others)) => *others += 1,
            None => failures.push((one, 0)),
        }
    }
    let file = folder.path().join(FAILED);
    let named = |(Failed { task, error }, others): (Failed<Failure>, u64)| {
        let key = &plan.tasks[task].key;
        let Some(line) = contents.plan.iter().find(|line| line.key == *key) else { return error };
        let (manifest, more) = (&contents.manifest, counted(others, "more replay"));
        let more = if others == 0 { String::new() } else { format!("; {more} with this error") };
        error.with(&format!(
            " (replay {key}: workload `{}`, policy `{}`, unit {}{more}; {} names all that failed, --resume tries them again)",
            manifest.workloads[line.workload].name,
            manifest.policies[line.policy].label,
            line.unit,
            file.display(),
        ))
    };
    failures.into_iter().map(named).collect()
}

fn words(plan: &ExperimentPlan, lines: &[Planned], remarks: &[String]) -> String {
    let mut words = format!(
        "{}: {} x {} x {}: {} in {}\n",
        plan.experiment.name,
        counted(plan.workloads.len() as u64, "workload"),
        counted(plan.experiment.sweep.points().len() as u64, "point"),
        match plan.experiment.policies.len() {
            1 => "1 policy".to_owned(),
            several => format!("{} policies", grouped(several as u64)),
        },
        counted(lines.len() as u64, "row"),
        counted(plan.tasks.len() as u64, "replay"),
    );
    for (at, workload) in plan.workloads.iter().enumerate() {
        let units: SortedSet<u32> =
            plan.entries.iter().filter(|entry| entry.workload == at).map(|entry| entry.unit).collect();
        words.extend(["  ", &workload.name, ": ", &units_shown(workload, units.len() as u64), "\n"]);
    }
    for note in plan.notes.iter().chain(remarks) {
        words.extend(["  ", note, "\n"]);
    }
    words
}

/// Returns the kind and number of a workload's units, in words.
fn units_shown(workload: &WorkloadFacts, count: u64) -> String {
    let length = workload.units_length();
    match workload.units {
        UnitKind::One => "one replay".into(),
        UnitKind::Replications => counted(count, "replication"),
        UnitKind::Windows => {
            format!("{} of {length}, each replayed by itself", counted(count, "window"))
        }
        UnitKind::Blocks => format!("one replay, measured in blocks of {length}"),
        UnitKind::Draws => format!("{} from one log", counted(count, "draw")),
        UnitKind::Shaken => format!("{} with shaken input", counted(count, "run")),
    }
}

/// Reads an experiment file; a folder, and a file that is not TOML and has another ending, are told as what they are.
fn experiment_of(file: &str) -> Result<String, Failure> {
    if Path::new(file).is_dir() {
        let what = format!(
            "{file} is a folder: name the experiment file in it, or `batchlab paper {file}` for a paper"
        );
        return Err(Failure::Usage(what));
    }
    let text = read_text(file)?;
    if !file.to_ascii_lowercase().ends_with(".toml")
        && let Err(error) = LocatedToml::new(&text, file).parse()
    {
        let what = format!(
            "{}: an experiment is a TOML file, `batchlab list sections` has its sections",
            error.what
        );
        return Err(usage(ExperimentError { what, ..error }));
    }
    Ok(text)
}

fn usage(error: ExperimentError) -> Failure {
    Failure::from(PlanError::from(error))
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Failure {
        match error {
            ReportError::Experiment(error) => usage(error),
            ReportError::Folder(error) => error.into(),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        match error {
            FolderError::Begun { .. } => Failure::Usage(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}
