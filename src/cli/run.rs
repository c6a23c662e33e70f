//! `batchlab run`: runs an experiment file into a folder of results.

mod carried;
mod charts;
mod cut;
pub mod end;
pub mod forecast;
mod loader;
pub mod options;
mod planning;
mod recorder;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::PoisonError;

use batchlab_traces::number::grouped;
use clap::Args;

use super::diff::read_text;
use super::form::print;
use super::limits::LimitArgs;
use super::plugins::PluginArgs;
use super::progress::Progress;
use super::{Failure, calls, redact, tell, text};
use crate::Registry;
use crate::experiment::detail::Wanted;
use crate::experiment::folder::{Begun, Contents, FAILED};
use crate::experiment::results::{self, Known};
use crate::experiment::{
    Execution, ExperimentError, ExperimentPlan, Failed, Folder, FolderError, Manifest, PlanError, Planned,
    UnitKind, WorkloadFacts, with_profile,
};
use crate::report::tables::Names;
use crate::report::{Declared, ReportError, put_settings};
use crate::schedule::ScheduleColumn;
use crate::table::writer;
use loader::Workloads;
pub use planning::{Planning, folder as results_folder};
use recorder::{Again, Recorder};

/// Run an experiment: workloads x parameters x policies x replications, from one file
///
/// The results are written to a folder, one row per replay, each with a key by which it can be repeated.
/// After any interruption (Ctrl-C, a kill, a power cut), --resume continues where the run stopped; if the
/// experiment or the program has changed, only the affected replays are repeated. The same file gives the
/// same bytes on any number of threads. At the end, tables and the verdicts of claims are printed; if a claim
/// does not hold, the exit code is 1. When replays fail, the exit code is 4: results and tables are of the
/// others, failed.csv in the folder names those that failed, and --resume tries them again.
#[derive(Args)]
#[command(after_help = "\
An experiment:

  [experiment]
  name = \"easy-or-conservative\"
  replications = 20
  [[workload]]
  model = \"lublin\"
  jobs = 2000
  [[policy]]
  label = \"EASY\"
  spec = \"easy\"
  [[policy]]
  label = \"conservative\"
  spec = \"conservative\"
  [sweep]
  load = [0.8, 1.0]

`batchlab list sections` lists the sections of an experiment file, `batchlab list sections table` the keys of one.

Example: batchlab run easy-or-conservative.toml --out results")]
#[expect(clippy::struct_excessive_bools, reason = "flags of the command line")]
#[expect(clippy::struct_field_names, reason = "a dry run is what the option is called")]
pub struct Run {
    /// The experiment (TOML); - for standard input
    #[arg(value_name = "EXPERIMENT.toml")]
    pub experiment: String,
    /// The folder of the results [default: the experiment's name with -results behind it]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue with existing results; run only what is missing or has changed
    #[arg(long)]
    pub resume: bool,
    /// Run only the I-th of N parts; `batchlab merge` joins their folders
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<(usize, usize)>,
    /// Replays that run at the same time [default: one per core]
    #[arg(long, value_name = "T", value_parser = super::prepare::threads)]
    pub threads: Option<usize>,
    /// Run with the values of [profile.NAME] of the file in the place of its own, such as fewer jobs and replications
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// A folder in which logs are looked for that are not beside the experiment, by their names or by `sha256`; may be given
    /// several times
    #[arg(long, value_name = "DIR")]
    pub logs: Vec<PathBuf>,
    /// Baseline that the other policies are compared with, instead of the experiment's
    #[arg(long, value_name = "LABEL")]
    pub baseline: Option<String>,
    /// Keep the schedule of every replay too, in schedules/KEY.csv.gz
    #[arg(long)]
    pub schedules: bool,
    /// With --schedules or --schedule: columns of schedules beside the first five; see `batchlab list schedule-columns`
    /// [default: user,queue,estimate,run,wait,bsld, and class if classes are measured]
    #[arg(long, value_name = "A,B,C")]
    pub schedule_columns: Option<String>,
    /// Print the planned replays and the time that they would take, without running them
    #[arg(long)]
    pub dry_run: bool,
    /// Repeat one replay by its key and print its rows; nothing is written to the folder
    #[arg(long, value_name = "KEY", conflicts_with_all = ["out", "resume", "shard", "schedules", "dry_run"])]
    pub key: Option<String>,
    /// With --key: write its schedule
    #[arg(long, value_name = "FILE.csv", requires = "key")]
    pub schedule: Option<String>,
    /// Form of the tables on standard output: table, markdown, latex, html, csv or json
    #[arg(long, default_value = "table", value_name = "FORM")]
    pub format: String,
    /// Print only errors on standard error
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub plugins: PluginArgs,
    /// Where a caller is told how many replays have ended, and how many there are, in the place of a bar.
    #[arg(skip)]
    pub progress: Option<calls::Progress>,
}

impl Run {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let of_files = if self.dry_run {
            self.plugins.of_files_in_dry_run(registry)?
        } else {
            self.plugins.of_files(registry)?
        };
        self.conduct(&of_files, &of_files, self.text()?)
    }

    /// Reads the experiment, with the values of its profile.
    pub fn text(&self) -> Result<String, Failure> {
        let text = read_text(&self.experiment)?;
        match &self.profile {
            Some(profile) => with_profile(&text, &self.experiment, profile).map_err(usage),
            None => Ok(text),
        }
    }

    /// Runs an experiment that has been read or generated; all verbs that run experiments use this. Policies
    /// come from `registry`, and what files name comes from `of_files`, as typed policies have more
    /// permissions.
    pub fn conduct(&self, registry: &Registry, of_files: &Registry, text: String) -> Result<(), Failure> {
        let writer = writer(&self.format)?;
        let failures = self.conduct_to(registry, of_files, text, &mut |folder, contents| {
            if contents.missing().is_empty() {
                end::publish_and_tell(folder, contents, writer, self.quiet)
            } else {
                end::tables_of_part(folder, contents, writer)
            }
        })?;
        Failure::all(failures)
    }

    /// As [`Run::conduct`]; `end` gets the results, of which those of failed replays are missing, and prints what there is
    /// to print. Returns the failures of replays.
    pub fn conduct_to(
        &self,
        registry: &Registry,
        of_files: &Registry,
        text: String,
        end: &mut dyn FnMut(&Folder, &Contents) -> Result<(), Failure>,
    ) -> Result<Vec<Failure>, Failure> {
        let columns = self.columns()?;
        let Planning { text, plan, workloads, settings, glances, baseline } = Planning::of(
            text,
            &self.experiment,
            registry,
            of_files,
            self.baseline.as_deref(),
            &self.logs,
            &self.limits,
        )?;
        let (manifest, lines) = (Manifest::of(&plan, baseline), Planned::of(&plan));
        let names = Names::of(&manifest.frame(Vec::new()));
        let declared = Declared::read(&text, &self.experiment, &names).map_err(usage)?;
        let remarks = charts::remarks(&glances, &declared, &plan)?;
        let target = Folder::new(results_folder(&plan, self.out.as_deref()));
        let columns = columns.unwrap_or_else(|| ScheduleColumn::of_experiments(plan.measuring.has_classes()));
        if let Some(key) = &self.key {
            return self
                .again((key, columns), &plan, registry, &workloads, &manifest, &lines)
                .map(|()| Vec::new());
        }
        let tasks = self.tasks(&plan);
        if self.dry_run {
            let time = forecast::words(&plan, &workloads, &tasks, self.threads())?;
            return print(&(words(&plan, &lines, &remarks) + &time)).map(|()| Vec::new());
        }
        // Others wait until the tables are written, too.
        let Begun { mut known, damage, lock: _lock } = target.begin(&manifest, self.resume)?;
        if let Some(damage) = damage {
            self.tell(&format!("{damage}: what is damaged is made again"));
        }
        let details = Run::details(&plan, &lines, &declared);
        let is_missing = |&task: &usize| {
            let key = &plan.tasks[task].key;
            !known.contains_key(key)
                || details[task].iter().any(|detail| !target.has_detail(key, &detail.name()))
                || (self.schedules && !target.has_schedule(key))
        };
        let todo: Vec<usize> = tasks.into_iter().filter(is_missing).collect();
        self.tell(words(&plan, &lines, &remarks).trim_end());
        self.tell(&format!("{} to run", text::counted(todo.len() as u64, "replay")));
        let journal = target.journal(&manifest)?;
        target.describe(&text, &manifest, &lines)?;
        put_settings(&target, &settings)?;
        let progress = self.teller(todo.len());
        let recorder = Recorder::new(&plan, &target, &known, &details, journal, progress);
        let recorder = if self.schedules { recorder.keeping_schedules(columns) } else { recorder };
        let (done, failed) = self.execute(&plan, registry, &workloads, &todo, recorder)?;
        known.extend(done);
        let contents = Contents { experiment: text, manifest, plan: lines, known };
        // A shard has no tables, as they would cover only a part of the results.
        let has_tables = self.shard.is_none();
        if failed.is_empty() {
            target.complete(&contents.manifest, &contents.plan, &contents.known)?;
            if has_tables {
                end(&target, &contents)?;
            }
            return Ok(Vec::new());
        }
        let error = |failed: &Failed<Failure>| {
            (plan.tasks[failed.task].key.clone(), redact::message(&failed.error.to_string()).into_owned())
        };
        target.keep_part(&contents, &failed.iter().map(error).collect())?;
        if has_tables {
            end(&target, &contents)?;
        }
        Ok(failures(failed, &contents, &plan, &target))
    }

    /// Returns what is told of the number of ended replays.
    fn teller(&self, replays: usize) -> Option<Box<dyn Fn(u64) + Sync>> {
        if let Some(progress) = self.progress.clone() {
            return Some(Box::new(move |done| progress(done, Some(replays as u64))));
        }
        let bar = (!self.quiet).then(|| Progress::of_replays("running", replays))?;
        Some(Box::new(move |done| bar.tell(done)))
    }

    /// Returns the further columns of schedules that are typed.
    fn columns(&self) -> Result<Option<Vec<&'static ScheduleColumn>>, Failure> {
        if self.schedule_columns.is_some() && !self.schedules && self.schedule.is_none() {
            return Err(Failure::Usage(
                "--schedule-columns needs --schedules, or --key with --schedule".into(),
            ));
        }
        Ok(self.schedule_columns.as_deref().map(ScheduleColumn::select).transpose()?)
    }

    /// Repeats one replay and prints its rows.
    fn again(
        &self,
        (key, columns): (&str, Vec<&'static ScheduleColumn>),
        plan: &ExperimentPlan,
        registry: &Registry,
        workloads: &Workloads<'_>,
        manifest: &Manifest,
        lines: &[Planned],
    ) -> Result<(), Failure> {
        let Some(task) = plan.tasks.iter().position(|task| task.key == key) else {
            return Err(Failure::Usage(format!(
                "--key: no replay of this experiment has the key `{key}`; the results have them in their first column, \
                 and another version of the program has others"
            )));
        };
        let again = Again { schedule: self.schedule.as_deref(), columns, ..Again::default() };
        let interrupt = self.limits.interrupt.clone();
        let failed =
            Execution { plan, registry, loader: workloads, threads: 1, interrupt }.run(&[task], &again)?;
        Failure::all(failed.into_iter().map(|failed| failed.error).collect())?;
        let done = again.known.into_inner().unwrap_or_else(PoisonError::into_inner);
        let known: Known = done.into_iter().map(|done| (key.to_owned(), done.rows)).collect();
        let lines: Vec<Planned> = lines.iter().filter(|line| line.key == key).cloned().collect();
        let mut rows = Vec::new();
        results::write(manifest, &lines, &known, &mut rows)
            .map_err(|error| Failure::Input(error.to_string()))?;
        print(&String::from_utf8_lossy(&rows))
    }

    /// Runs the missing replays; every result is in the journal before this returns. Failed replays are
    /// returned separately.
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

    /// Returns the details that each task needs.
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
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn tasks(&self, plan: &ExperimentPlan) -> Vec<usize> {
        match self.shard {
            Some((index, of)) => plan.shard(index, of),
            None => (0..plan.tasks.len()).collect(),
        }
    }

    fn tell(&self, text: &str) {
        if !self.quiet {
            tell::note(text);
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
        let (manifest, more) = (&contents.manifest, text::counted(others, "more replay"));
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

/// Returns a description of a plan, in a few lines.
fn words(plan: &ExperimentPlan, lines: &[Planned], remarks: &[String]) -> String {
    let mut words = format!(
        "{}: {} x {} x {}: {} in {}\n",
        plan.experiment.name,
        text::counted(plan.workloads.len() as u64, "workload"),
        text::counted(plan.experiment.sweep.points().len() as u64, "point"),
        match plan.experiment.policies.len() {
            1 => "1 policy".to_owned(),
            several => format!("{} policies", grouped(several as u64)),
        },
        text::counted(lines.len() as u64, "row"),
        text::counted(plan.tasks.len() as u64, "replay"),
    );
    for (at, workload) in plan.workloads.iter().enumerate() {
        let units: BTreeSet<u32> =
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
    let length = &workload.units_words;
    match workload.units {
        UnitKind::One => "one replay".into(),
        UnitKind::Replications => text::counted(count, "replication"),
        UnitKind::Windows => {
            format!("{} of {length}, each replayed by itself", text::counted(count, "window"))
        }
        UnitKind::Blocks => format!("one replay, measured in blocks of {length}"),
        UnitKind::Draws => format!("{} from one log", text::counted(count, "draw")),
        UnitKind::Shaken => format!("{} with shaken input", text::counted(count, "run")),
    }
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    parts
        .filter(|&(index, of)| 1 <= index && index <= of)
        .ok_or_else(|| "it is I/N, such as 3/16, I from 1 to N".into())
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
