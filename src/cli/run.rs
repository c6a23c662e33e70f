pub mod end;

use super::arguments::{OfRun, arguments, place};
use super::terminal::form::print;
use super::terminal::tell;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::experiments::{Conducted, ExperimentRun};
use crate::table::writer;

arguments! {
    /// Run an experiment: workloads x parameters x policies x replications, from one file
    ///
    /// The results are written to a folder, one row per replay, each with a key by which it can be repeated.
    /// After any interruption (Ctrl-C, a kill, a power cut), --resume continues where the run stopped; if the
    /// experiment or the program has changed, only the affected replays are repeated. The same file gives the
    /// same bytes on any number of threads. At the end, tables and the verdicts of claims are printed; if a claim
    /// does not hold, the exit code is 1. When replays fail, the exit code is 4: results and tables are of the
    /// others, failed.csv in the folder names those that failed, and --resume tries them again.
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

Example: batchlab run easy-or-conservative.toml --out results
         batchlab run easy-or-conservative.toml --out results --resume")]
    pub struct Run {
        experiment: String = place("experiment", "EXPERIMENT.toml", "The experiment (TOML); - for standard input").reads(),
        settings: OfRun,
    }
}

impl Run {
    pub fn run(self, registry: &Registry) -> Result<(), Failure> {
        let settings = self.settings.0;
        let of_files = if settings.run.dry_run {
            settings.plugins.of_files_in_dry_run(registry)?
        } else {
            settings.plugins.of_files(registry)?
        };
        let run = ExperimentRun {
            experiment: self.experiment,
            options: settings.plugins.words(),
            settings: settings.run,
            limits: settings.scenario.limits,
            observer: settings.scenario.source.observer,
            progress: None,
        };
        let text = run.text()?;
        conduct(&run, &of_files, &of_files, text)
    }
}

/// Runs an experiment that has been read or generated, and prints its tables. Policies come from `registry`, and what files
/// name comes from `of_files`, as typed policies have more permissions.
pub fn conduct(
    run: &ExperimentRun,
    registry: &Registry,
    of_files: &Registry,
    text: String,
) -> Result<(), Failure> {
    let writer = writer(&run.settings.format)?;
    let conducted = run.conduct_to(registry, of_files, text, &mut |folder, contents| {
        if contents.missing().is_empty() {
            end::publish_and_tell(registry, folder, contents, writer, run.settings.quiet)
        } else {
            end::tables_of_part(folder, contents, writer)
        }
    })?;
    match conducted {
        Conducted::Shown(text) => print(&text),
        Conducted::Ran(failures) => tell::all(failures),
    }
}
