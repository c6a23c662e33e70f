//! `batchlab slurm`: writes a script that runs an experiment on a cluster.

use std::path::{Path, PathBuf};
use std::time::Duration;

use batchlab_parsers::Output;
use clap::Args;

use super::terminal::{tell, text};
use crate::Registry;
use crate::experiment::slurm::{Array, MOST_TASKS, Unquotable};
use crate::lab::Failure;
use crate::lab::experiments::{Planning, basis, results_folder};
use crate::lab::limits::LimitSettings;
use crate::lab::parse::at_least_one;
use crate::lab::plugins::PluginSettings;

/// Write a script that runs an experiment in parts on a Slurm cluster
///
/// Run on the cluster, the script submits an array job, each task of which runs a shard, and a merge that
/// waits for all of them. Run again, it submits only the shards that are not complete; interrupted shards
/// continue where they stopped. The number of tasks is chosen so that each lasts some minutes; a few jobs of
/// each workload are replayed here to estimate that.
#[derive(Args)]
#[command(after_help = "Example: batchlab slurm easy-or-conservative.toml --partition short -o submit.sh")]
pub struct Slurm {
    /// The experiment (TOML)
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: String,
    /// The folder of the results [default: the experiment's name with -results behind it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The script to write; - for standard output
    #[arg(long, short, value_name = "SCRIPT.sh", default_value = "-")]
    output: String,
    /// Tasks of the array
    #[arg(long, value_name = "N", value_parser = at_least_one::<usize>, conflicts_with = "minutes")]
    tasks: Option<usize>,
    /// Approximate duration of a task, in minutes
    #[arg(long, value_name = "M", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    minutes: u32,
    /// Processors of each task, which is also the number of replays that it runs at the same time
    #[arg(long, value_name = "C", default_value_t = 1, value_parser = at_least_one::<usize>)]
    cpus: usize,
    /// Keep the schedule of every replay too, in schedules/KEY.csv.gz
    #[arg(long)]
    schedules: bool,
    /// Baseline that the other policies are compared with, instead of the experiment's
    #[arg(long, value_name = "LABEL")]
    baseline: Option<String>,
    /// Partition to which the jobs are submitted
    #[arg(long, value_name = "NAME", help_heading = "Slurm")]
    partition: Option<String>,
    /// Limit of each job's run time, such as 1:00:00
    #[arg(long, value_name = "TIME", help_heading = "Slurm")]
    time: Option<String>,
    /// Account that the jobs are charged to
    #[arg(long, value_name = "NAME", help_heading = "Slurm")]
    account: Option<String>,
    /// A further option of sbatch, such as --sbatch=--mem=4G; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, help_heading = "Slurm")]
    sbatch: Vec<String>,
    /// Print only errors on standard error
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    limits: LimitSettings,
    #[command(flatten)]
    plugins: PluginSettings,
}

impl Slurm {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        if self.experiment == "-" {
            return Err(Failure::Usage("the script names the experiment's file; - names none".into()));
        }
        let registry = &self.plugins.of_files(registry)?;
        let planning = Planning::read(&self.experiment, registry, self.baseline.as_deref(), &self.limits)?;
        let (plan, most) = (&planning.plan, planning.plan.tasks.len());
        let tasks = match self.tasks {
            Some(tasks) => tasks.min(most),
            None => self.tasks_of(planning.time()?, most),
        };
        let array = Array {
            name: plan.experiment.name.clone(),
            experiment: self.experiment.clone(),
            out: words(&results_folder(plan, self.out.as_deref()))?,
            replays: most,
            tasks,
            cpus: self.cpus,
            options: self.options(),
            further: self.further(),
        };
        let script = array.script()?;
        Output::write_text(&self.output, &script).map_err(|error| Failure::writing(&self.output, error))?;
        if self.output != "-" && !self.quiet {
            let (tasks, replays) =
                (text::counted(tasks as u64, "task"), text::counted(most as u64, "replay"));
            tell::note(&format!("{tasks} for {replays}; submit them with: bash {}", self.output));
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
