use std::path::PathBuf;
use std::time::Instant;

use super::arguments::{FORMS, QUIET, THREADS, arguments, option, place, switch};
use super::run::conduct;
use super::terminal::form::print;
use super::terminal::tell::Terminal;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::experiments::ExperimentRun;
use crate::lab::observer::Observed;
use crate::lab::settings::RunSettings;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::settings::parse::at_least_one;
use crate::lab::settings::plugins::PluginSettings;
use crate::lab::texts::read_text;
use crate::lab::tuning::{JUDGED, Tuned, TuningRun, judged_folder, publish};
use crate::table::writer;

arguments! {
    /// Search for the policy that makes a metric best, and judge it on units that the search has not seen
    ///
    /// The file is an experiment with [tune], which names a spec with names in braces, and [space], which says what may
    /// stand for them. The units of each workload are divided in their order: candidates are fitted on the first half,
    /// one of the best is chosen on a quarter, and the last quarter judges it, once. The folder has the candidates, the
    /// course of the search, what was found in words (tuned.md), and the results on the units that judge, which are an
    /// experiment like any other. If they do not show what is claimed, the exit code is 1.
    #[command(after_help = "\
A search:

  [experiment]
  name = \"queue-order\"
  [[workload]]
  trace = \"KTH-SP2.swf.gz\"
  windows = \"500 jobs\"
  [[policy]]
  spec = \"easy\"
  [[policy]]
  spec = \"easy:order=saf\"
  [tune]
  spec = \"easy:order=expr({formula})\"
  objective = \"mean_bsld\"
  budget = \"500 candidates\"
  [space]
  formula = \"power(procs, max(estimate, 1), 1 + wait)\"

Example: batchlab tune queue-order.toml --out found
         batchlab tune queue-order.toml --out found --resume")]
    pub struct Tune {
        experiment: String = place("experiment", "EXPERIMENT.toml", "The experiment with [tune] (TOML)").reads(),
        out: Option<PathBuf> =
            option("out", "DIR", "The folder of the search [default: the experiment's name with -tuned behind it]")
                .writes_into(),
        resume: bool = switch("resume", "Continue a search; what was replayed before is not replayed again"),
        island: Option<usize> = option(
            "island", "I", "Search this island of [tune] alone; --resume then finds its replays, chooses and judges",
        ).excludes(&["resume", "dry-run"]).by(|arg| arg.value_parser(at_least_one::<usize>)),
        dry_run: bool = switch("dry-run", "Print what would be searched, without replaying anything"),
        logs: Vec<PathBuf> = option(
            "logs",
            "DIR",
            "A folder in which logs are looked for that are not beside the experiment; may be given several times",
        ).reads(),
        threads: Option<usize> = THREADS,
        format: String = FORMS,
        quiet: bool = QUIET,
        limits: LimitSettings,
        plugins: PluginSettings,
    }
}

impl Tune {
    pub fn run(self, registry: &Registry) -> Result<(), Failure> {
        let of_files = if self.dry_run {
            self.plugins.of_files_in_dry_run(registry)?
        } else {
            self.plugins.of_files(registry)?
        };
        writer(&self.format)?;
        let (began, text) = (Instant::now(), read_text(&self.experiment)?);
        let observer = Observed::by(Terminal);
        let run = TuningRun {
            experiment: self.experiment.clone(),
            out: self.out,
            resume: self.resume,
            island: self.island,
            threads: self.threads,
            logs: self.logs.clone(),
            dry_run: self.dry_run,
            quiet: self.quiet,
            limits: self.limits.clone(),
            observer: observer.clone(),
            progress: None,
        };
        let search = match run.search(&of_files, &of_files, &text, &|| began.elapsed())? {
            Tuned::Planned(words) => return print(&words),
            Tuned::Island => return Ok(()),
            Tuned::Searched(search) => search,
        };
        let settings = RunSettings {
            out: Some(search.out.join(JUDGED)),
            resume: self.resume,
            threads: self.threads,
            logs: self.logs,
            format: self.format,
            quiet: self.quiet,
            ..RunSettings::default()
        };
        let judging = ExperimentRun {
            experiment: self.experiment,
            options: self.plugins.words(),
            settings,
            limits: self.limits,
            observer,
            progress: None,
        };
        let judged = match search.found.chosen {
            0 => Ok(()),
            _ => conduct(&judging, &of_files, &of_files, search.judged.clone()),
        };
        // A claim that does not hold is a result; what else fails leaves none.
        if !matches!(judged, Ok(()) | Err(Failure::Check(_))) {
            return judged;
        }
        let words = publish(&search, &judged_folder(&search.out))?;
        print(&format!("\n{words}"))?;
        judged
    }
}
