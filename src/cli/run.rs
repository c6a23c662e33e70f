//! `batchlab run`: an experiment, from its file to a folder of results.

mod cut;
mod forecast;
mod loader;
mod options;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use batchlab_traces::number::grouped;
use clap::Args;

use super::diff::read_text;
use super::form::print;
use super::plugins::PluginArgs;
use super::progress::Progress;
use super::{Failure, tell, text};
use crate::Registry;
use crate::experiment::results::Known;
use crate::experiment::{
    Done, Execution, Experiment, Folder, FolderError, Manifest, Measuring, Plan, Planned,
};
use loader::Workloads;

/// Run an experiment: workloads x parameters x policies x replications, from one file
///
/// The results land in a folder, a row for each replay, each with a key from which it can be made again. Whatever ends
/// the run (Ctrl-C, a kill, a power cut), --resume goes on where it was; when the experiment or the program has changed,
/// only what that changes is run again. The same file gives the same bytes on any number of threads.
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

Example: batchlab run easy-or-conservative.toml --out results")]
pub struct Run {
    /// The experiment (TOML); - for standard input
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: String,
    /// The folder of the results [default: the experiment's name with -results behind it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with results that are there; run only what is missing or has changed
    #[arg(long)]
    resume: bool,
    /// Run only the I-th of N parts; `batchlab merge` joins their folders
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Replays that run at the same time [default: one per core]
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// The policy that others are compared with, instead of the experiment's
    #[arg(long, value_name = "LABEL")]
    baseline: Option<String>,
    /// Print what would be run, and how long it would take, and run nothing
    #[arg(long)]
    dry_run: bool,
    /// Nothing but errors on standard error
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    plugins: PluginArgs,
}

impl Run {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        let registry = &self.plugins.registry(registry)?;
        let text = read_text(&self.experiment)?;
        let names = options::names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let experiment = Experiment::read(&text, &self.experiment, &names).map_err(usage)?;
        let baseline = self.baseline(&experiment)?;
        let measuring = Measuring::of(&experiment.measure).map_err(usage)?;
        let folder = Path::new(&self.experiment).parent().unwrap_or(Path::new(""));
        let workloads = Workloads::new(registry, folder, measuring.options.prefix);
        let plan = Plan::of(experiment, registry, &names, &workloads)?;
        let (manifest, lines) = (Manifest::of(&plan, baseline), Planned::of(&plan));
        let results = Folder::new(self.folder(&plan.experiment));
        let tasks = self.tasks(&plan);
        if self.dry_run {
            let time = forecast::words(&plan, &workloads, &tasks, self.threads())?;
            return print(&(words(&plan, &lines) + &time));
        }
        let mut known = results.begin(&manifest, self.resume)?;
        let is_missing = |task: &usize| !known.contains_key(&plan.tasks[*task].key);
        let todo: Vec<usize> = tasks.into_iter().filter(is_missing).collect();
        self.tell(words(&plan, &lines).trim_end());
        self.tell(&format!("{} to run", text::counted(todo.len() as u64, "replay")));
        let journal = Mutex::new(results.journal(&manifest)?);
        results.describe(&text, &manifest, &lines)?;
        let (done, failures) = self.execute(&plan, registry, &workloads, &todo, &journal)?;
        known.extend(done);
        if !failures.is_empty() {
            return Failure::all(failures);
        }
        results.complete(&manifest, &lines, &known)?;
        Ok(())
    }

    /// Replays what is to be replayed; what came of it is in the journal before it is returned.
    fn execute(
        &self,
        plan: &Plan,
        registry: &Registry,
        workloads: &Workloads<'_>,
        todo: &[usize],
        journal: &Mutex<crate::experiment::journal::Journal>,
    ) -> Result<(Known, Vec<Failure>), Failure> {
        let threads =
            self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Failure::Usage(format!("--threads: {error}")))?;
        let progress = (!self.quiet).then(|| Progress::of_replays("running", todo.len()));
        let ended = AtomicU64::new(0);
        let known = Mutex::new(Known::new());
        let lock = |error: &str| Failure::Input(error.to_owned());
        let done = |task: usize, done: Done| -> Result<(), Failure> {
            let key = &plan.tasks[task].key;
            let mut journal = journal.lock().map_err(|_| lock("the journal is lost"))?;
            journal.add(key, &done).map_err(|error| Failure::writing("the journal", error))?;
            drop(journal);
            known.lock().map_err(|_| lock("the results are lost"))?.insert(key.clone(), done.rows);
            if let Some(progress) = &progress {
                progress.tell(ended.fetch_add(1, Ordering::Relaxed) + 1);
            }
            Ok(())
        };
        let execution = Execution { plan, registry, loader: workloads, threads };
        let failed = pool.install(|| execution.run(todo, &done, &|_, _, _| Ok(())))?;
        drop(progress);
        let mut failures: Vec<Failure> = Vec::new();
        for failed in failed {
            if !failures.iter().any(|known| known.to_string() == failed.error.to_string()) {
                failures.push(failed.error);
            }
        }
        Ok((known.into_inner().map_err(|_| lock("the results are lost"))?, failures))
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn tasks(&self, plan: &Plan) -> Vec<usize> {
        match self.shard {
            Some((index, of)) => plan.shard(index, of),
            None => (0..plan.tasks.len()).collect(),
        }
    }

    fn baseline(&self, experiment: &Experiment) -> Result<Option<usize>, Failure> {
        let Some(label) = &self.baseline else { return Ok(experiment.baseline) };
        let labels = || experiment.policies.iter().map(|policy| policy.label.as_str());
        experiment.policy(label).map(Some).ok_or_else(|| {
            let meant = batchlab_traces::nearest::meant(batchlab_traces::nearest::nearest(label, labels()));
            let known = labels().collect::<Vec<_>>().join(", ");
            Failure::Usage(format!("--baseline: there is no policy `{label}`{meant}; there is {known}"))
        })
    }

    fn folder(&self, experiment: &Experiment) -> PathBuf {
        self.out.clone().unwrap_or_else(|| format!("{}-results", experiment.name).into())
    }

    fn tell(&self, text: &str) {
        if !self.quiet {
            tell::note(text);
        }
    }
}

/// Returns what a plan is, in a few lines.
fn words(plan: &Plan, lines: &[Planned]) -> String {
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
    for workload in &plan.workloads {
        words += &format!("  {}: {}\n", workload.name, workload.units_words);
    }
    for note in &plan.notes {
        words += &format!("  {note}\n");
    }
    words
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    parts
        .filter(|&(index, of)| 1 <= index && index <= of)
        .ok_or_else(|| "it is I/N, such as 3/16, I from 1 to N".into())
}

fn usage(error: impl ToString) -> Failure {
    Failure::Usage(error.to_string())
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        match error {
            FolderError::Begun { .. } => Failure::Usage(error.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}
