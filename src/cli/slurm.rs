use std::path::{Path, PathBuf};
use std::time::Duration;

use batchlab_parsers::Output;
use clap::value_parser;

use super::arguments::{QUIET, SCRIPT, arguments, option, place, switch};
use super::terminal::{tell, text};
use crate::Registry;
use crate::experiment::slurm::{Array, ArrayWork, MOST_TASKS, Unquotable};
use crate::experiment::{Experiment, PlanError};
use crate::lab::Failure;
use crate::lab::experiments::workloads::names;
use crate::lab::experiments::{Planning, basis, results_folder};
use crate::lab::settings::limits::LimitSettings;
use crate::lab::settings::parse::at_least_one;
use crate::lab::settings::plugins::PluginSettings;
use crate::lab::texts::read_text;
use crate::tune::TuneFile;

arguments! {
    /// Write a script that runs an experiment or a search in parts on a Slurm cluster
    ///
    /// Run on the cluster, the script submits an array job, each task of which runs a shard, and a merge that
    /// waits for all of them. Run again, it submits only the shards that are not complete; interrupted shards
    /// continue where they stopped. The number of tasks is chosen so that each lasts some minutes; a few jobs of
    /// each workload are replayed here to estimate that. A file whose [tune] has several islands is searched: each
    /// task searches an island, and the last job chooses among their best and judges.
    #[command(after_help = "\
Example: batchlab slurm easy-or-conservative.toml --partition short -o submit.sh
         batchlab slurm easy-or-conservative.toml --out results | sbatch")]
    pub struct Slurm {
        experiment: String = place("experiment", "EXPERIMENT.toml", "The experiment (TOML)").reads(),
        out: Option<PathBuf> = option(
            "out", "DIR", "The folder of the results [default: the experiment's name with -results behind it]",
        ).writes_into(),
        output: String = SCRIPT,
        tasks: Option<usize> = option("tasks", "N", "Tasks of the array")
            .excludes(&["minutes"])
            .by(|arg| arg.value_parser(at_least_one::<usize>)),
        minutes: u32 = option("minutes", "M", "Approximate duration of a task, in minutes")
            .default("10")
            .by(|arg| arg.value_parser(value_parser!(u32).range(1..))),
        cpus: usize = option(
            "cpus", "C", "Processors of each task, which is also the number of replays that it runs at the same time",
        ).default("1").by(|arg| arg.value_parser(at_least_one::<usize>)),
        schedules: bool = switch("schedules", "Keep the schedule of every replay too, in schedules/KEY.csv.gz"),
        baseline: Option<String> = option(
            "baseline", "LABEL", "Baseline that the other policies are compared with, instead of the experiment's",
        ),
        partition: Option<String> =
            option("partition", "NAME", "Partition to which the jobs are submitted").heading("Slurm"),
        time: Option<String> = option("time", "TIME", "Limit of each job's run time, such as 1:00:00").heading("Slurm"),
        account: Option<String> = option("account", "NAME", "Account that the jobs are charged to").heading("Slurm"),
        sbatch: Vec<String> =
            option("sbatch", "OPTION", "A further option of sbatch, such as --sbatch=--mem=4G; may be repeated")
                .hyphens()
                .heading("Slurm"),
        quiet: bool = QUIET,
        limits: LimitSettings,
        plugins: PluginSettings,
    }
}

impl Slurm {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if self.experiment == "-" {
            return Err(Failure::Usage("the script names the experiment's file; - names none".into()));
        }
        let registry = &self.plugins.of_files(registry)?;
        let text = read_text(&self.experiment)?;
        let search =
            TuneFile::read(&text, &self.experiment).map_err(|error| Failure::from(PlanError::from(error)))?;
        if let Some(search) = search.filter(|search| search.islands > 1) {
            return self.search(&search, &text);
        }
        let planning = Planning::read(&self.experiment, registry, self.baseline.as_deref(), &self.limits)?;
        let (plan, most) = (&planning.plan, planning.plan.tasks.len());
        let tasks = match self.tasks {
            Some(tasks) => tasks.min(most),
            None => self.tasks_of(planning.time()?, most),
        };
        let array = Array {
            name: plan.experiment.name.clone(),
            experiment: self.experiment.clone(),
            out: words(&results_folder(&plan.experiment.name, self.out.as_deref()))?,
            work: ArrayWork::Shards { replays: most },
            tasks,
            cpus: self.cpus,
            options: self.options(),
            further: self.further(),
        };
        self.write(&array, &text::counted(most as u64, "replay"))
    }

    /// Writes the script of a search, with a task for each island.
    fn search(&self, search: &TuneFile, text: &str) -> Result<(), Failure> {
        let given = [
            ("tasks", self.tasks.is_some()),
            ("baseline", self.baseline.is_some()),
            ("schedules", self.schedules),
        ];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            let what =
                format!("--{option} is for experiments: a search has a task for each island of its [tune]");
            return Err(Failure::Usage(what));
        }
        let experiment = Experiment::read(text, &self.experiment, &names())
            .map_err(|error| Failure::from(PlanError::from(error)))?;
        let out = self.out.clone().unwrap_or_else(|| format!("{}-tuned", experiment.name).into());
        let array = Array {
            name: experiment.name,
            experiment: self.experiment.clone(),
            out: words(&out)?,
            work: ArrayWork::Islands { budget: search.budget.words() },
            tasks: search.islands,
            cpus: self.cpus,
            options: self.options(),
            further: self.further(),
        };
        self.write(&array, &search.budget.words())
    }

    fn write(&self, array: &Array, work: &str) -> Result<(), Failure> {
        let script = array.script()?;
        Output::write_text(&self.output, &script).map_err(|error| Failure::writing(&self.output, error))?;
        if self.output != "-" && !self.quiet {
            let tasks = text::counted(array.tasks as u64, "task");
            tell::note(&format!("{tasks} for {work}; submit them with: bash {}", self.output));
        }
        Ok(())
    }

    /// Returns the number of tasks such that each lasts about the requested time.
    fn tasks_of(&self, all: Duration, replays: usize) -> usize {
        let each = f64::from(self.minutes) * 60.0 * self.cpus as f64;
        let tasks = (all.as_secs_f64() / each).ceil() as usize;
        if !self.quiet {
            let hours = text::duration(all.as_secs_f64());
            tell::note(&format!("about {hours} of processor time, {}", basis()));
            if tasks > MOST_TASKS {
                tell::note(&format!(
                    "{} tasks would be needed, and most clusters take {MOST_TASKS} at most: each lasts longer; --tasks asks \
                     for more",
                    text::count(tasks as u64)
                ));
            }
        }
        tasks.clamp(1, replays.clamp(1, MOST_TASKS))
    }

    /// Returns the options that every task gets from this command line.
    fn further(&self) -> Vec<String> {
        let baseline = self.baseline.iter().map(|label| format!("--baseline={label}"));
        let schedules = self.schedules.then(|| "--schedules".to_owned());
        baseline.chain(schedules).chain(self.limits.words()).chain(self.plugins.words()).collect()
    }

    fn options(&self) -> Vec<String> {
        let named = [("partition", &self.partition), ("time", &self.time), ("account", &self.account)];
        let named =
            named.into_iter().filter_map(|(name, value)| Some(format!("--{name}={}", value.as_ref()?)));
        named.chain(self.sbatch.iter().cloned()).collect()
    }
}

fn words(path: &Path) -> Result<String, Failure> {
    let words = path.to_str().map(String::from);
    words.ok_or_else(|| Failure::Usage(format!("{}: a name that is no text", path.display())))
}

impl From<Unquotable> for Failure {
    fn from(error: Unquotable) -> Failure {
        Failure::Usage(error.to_string())
    }
}
