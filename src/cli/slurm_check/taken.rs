//! What `slurm-check` takes by itself: the log and the files of a folder, and the options by which jobs wait and leave as they did.

use std::path::Path;

use batchlab_traces::reading::{Cancel, Dependencies};
use clap::{ArgMatches, Error};

use crate::cli::arguments::{Argument, Arguments, is_typed};
use crate::cli::terminal::tell;
use crate::lab::Failure;
use crate::lab::scenario::installation::logs_in;
use crate::lab::settings::ScenarioSettings;

/// Which options are taken by itself: those that were not typed.
pub struct TakenByItself {
    dependencies: bool,
    cancel: bool,
    requeues: bool,
}

impl Arguments for TakenByItself {
    fn arguments() -> Vec<Argument> {
        Vec::new()
    }

    fn of(matches: &ArgMatches) -> Result<TakenByItself, Error> {
        let names = ["dependencies", "cancel", "requeues"];
        let [dependencies, cancel, requeues] = names.map(|name| !is_typed(matches, name));
        Ok(TakenByItself { dependencies, cancel, requeues })
    }
}

impl TakenByItself {
    /// Whether the open loop joins the runs of a job.
    pub fn joins_runs(&self) -> bool {
        self.requeues
    }

    /// Takes them, and says so.
    pub fn take(&self, settings: &mut ScenarioSettings) -> Result<(), Failure> {
        let mut taken = Vec::new();
        if Path::new(&settings.trace).is_dir() {
            let folder = std::mem::take(&mut settings.trace);
            let Some(log) = logs_in(std::slice::from_ref(&folder)).log else {
                let what = format!(
                    "{folder}: no log of sacct is in this folder: give it as a file, with --slurm {folder}"
                );
                return Err(Failure::Input(what));
            };
            settings.trace = log.to_string_lossy().into_owned();
            taken.push(settings.trace.clone());
            if !settings.slurm.is_given() {
                taken.push(format!("--slurm {folder}"));
                settings.slurm.files.push(folder);
            }
        }
        if self.dependencies {
            settings.dependencies = Dependencies::Log;
            taken.push("--dependencies log".into());
        }
        if self.cancel {
            settings.cancel = Cancel::Log;
            taken.push("--cancel log".into());
        }
        if !taken.is_empty() && !settings.source.quiet {
            tell::note(&format!("slurm-check takes by itself: {}", taken.join(" ")));
        }
        Ok(())
    }
}
