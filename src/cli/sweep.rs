mod criterion;
mod experiment;
mod loads;
mod passed_on;

use std::fs;
use std::path::PathBuf;

use clap::value_parser;

use super::arguments::{FORMS, THREADS, arguments, option, place, switch, values};
use super::run::conduct;
use super::terminal::form::print;
use super::terminal::tell::Terminal;
use crate::Registry;
use crate::lab::Failure;
use crate::lab::experiments::ExperimentRun;
use crate::lab::observer::Observed;
use crate::lab::scenario::installation::policies;
use crate::lab::settings::RunSettings;
use crate::lab::settings::limits::LimitSettings;
use crate::lab::settings::plugins::PluginSettings;
use crate::table::writer;
use criterion::Criterion;
use loads::Loads;
use passed_on::{Measured, WorkloadOptions};

arguments! {
    /// Measure how policies respond to load: metrics at each load, and the load up to which a criterion is met
    ///
    /// All policies get the same jobs, and each load gets these jobs with shorter or longer gaps: common random
    /// numbers. The load at which the curve crosses the criterion's bound has an interval over replications of a
    /// model or windows of a log; a log without --windows is a single replay and has no interval. Loads at which
    /// the machine is saturated are marked. The sweep is an experiment; the folder of results has its file and
    /// its plots, and `batchlab run` continues it.
    #[command(after_help = "\
Loads are factors: 1 leaves the log or the model unchanged, 1.2 submits the same jobs in 1/1.2 of the time. \
The table shows the resulting offered load.

Example: batchlab sweep --model lublin --policy easy --policy fcfs --criterion 'mean_bsld <= 20'
         batchlab sweep KTH-SP2.swf.gz --windows 30d --policy easy --load 0.8,1,1.2,1.4")]
    pub struct SweepCommand {
        trace: Option<String> = place("trace", "TRACE", "The log: a file, packed or not")
            .required_unless("model")
            .excludes(&["model"])
            .reads(),
        policy: Vec<String> = option(
            "policy", "SPEC", "A policy, as name:key=value,key=value; see `batchlab list policies` [default with --slurm: slurm]",
        ).required_unless("slurm").policy(),
        load: Loads = option(
            "load", "A:B:STEP|A,B,...", "The loads as factors of the offered load: from:to:step, or a list",
        ).default("0.6:1.2:0.1"),
        criterion: Vec<Criterion> = option(
            "criterion", "METRIC <= BOUND", "A metric that grows with the load, and its upper bound in the metric's own unit \
             (seconds for times); METRIC@CLASS for the jobs of a class; may be given several times",
        ).default("mean_bsld <= 20"),
        replications: u32 =
            option("replications", "N", "Number of replications of a model, or of the quantities drawn for a log")
                .default("10")
                .by(|arg| arg.value_parser(value_parser!(u32).range(1..))),
        windows: Option<String> = option(
            "windows", "TIME", "Length of windows, such as 7d or '5000 jobs': each window of the log is replayed separately, \
             and intervals are over windows",
        ).excludes(&["model"]),
        seed: u64 = option("seed", "S", "Seed of all random numbers").default("1"),
        model: Option<String> =
            option("model", "NAME", "A workload model instead of a log; see `batchlab list models`").heading("Model"),
        jobs: Option<u32> = option("jobs", "N", "Number of jobs [default: the model's]")
            .requires("model")
            .heading("Model")
            .by(|arg| arg.value_parser(value_parser!(u32).range(1..))),
        set: Vec<(String, String)> = option(
            "set", "KEY=VALUE", "A setting of the model, such as types=batch; {load} in it is replaced by the load, which then \
             changes nothing else",
        ).requires("model").heading("Model"),
        log: Option<String> = option("log", "FILE", "The log to fit to, for models that need one")
            .requires("model")
            .heading("Model")
            .rare()
            .reads(),
        replayed: WorkloadOptions,
        measured: Measured,
        out: Option<PathBuf> =
            option("out", "DIR", "The folder of the results [default: sweep- and the name of log or model]")
                .heading("Output")
                .writes_into(),
        format: String = FORMS.heading("Output"),
        print_experiment: bool = switch(
            "print-experiment",
            "Print the experiment file of the sweep, with paths relative to this folder, without running it",
        ).heading("Output").rare(),
        dry_run: bool =
            switch("dry-run", "Print the planned replays and the time that they would take, without running them")
                .heading("Output"),
        quiet: bool = switch("quiet", "Print only tables and errors").short('q').heading("Output").rare(),
        resume: bool = switch("resume", "Continue with existing results; run only what is missing or has changed")
            .heading("Replay"),
        threads: Option<usize> = THREADS.heading("Replay"),
        limits: LimitSettings,
        plugins: PluginSettings,
    }
}

values!(Loads, Criterion);
values!((String, String): setting);

/// The option with parameters of the policy slurm.
const DELAYS: &str = "slurm-delays";

impl SweepCommand {
    pub fn run(&self, registry: &Registry) -> Result<(), Failure> {
        writer(&self.format)?;
        let (typed, of_files) = if self.print_experiment || self.dry_run {
            (self.plugins.typed_in_dry_run(registry)?, self.plugins.of_files_in_dry_run(registry)?)
        } else {
            (self.plugins.typed(registry)?, self.plugins.of_files(registry)?)
        };
        self.check(&typed)?;
        if self.print_experiment {
            return print(&self.experiment(None));
        }
        self.conduct(&typed, &of_files)
    }

    /// Checks what would otherwise be reported as an error in a line of the experiment file, which the user
    /// did not write.
    fn check(&self, registry: &Registry) -> Result<(), Failure> {
        if self.trace.as_deref() == Some("-") {
            return Err(Failure::Usage(
                "a sweep reads its log more than once: save it to a file instead of standard input".into(),
            ));
        }
        let policies = self.policies();
        for (at, spec) in policies.iter().enumerate() {
            registry.choose(spec)?;
            if policies[..at].contains(spec) {
                return Err(Failure::Usage(format!("--policy {spec} is given twice")));
            }
        }
        for (at, criterion) in self.criterion.iter().enumerate() {
            if self.criterion[..at].contains(criterion) {
                return Err(Failure::Usage(format!("--criterion '{criterion}' is given twice")));
            }
        }
        Ok(())
    }

    /// Runs the experiment, as `run` does from its folder.
    fn conduct(&self, typed: &Registry, of_files: &Registry) -> Result<(), Failure> {
        let out = self.out();
        // File names are relative to the folder, so it must exist before anything is read.
        let is_new = !out.exists();
        let create = |error| Failure::Input(format!("{}: {error}", out.display()));
        fs::create_dir_all(&out).map_err(create)?;
        let settings = RunSettings {
            out: Some(out.clone()),
            resume: self.resume,
            threads: self.threads,
            dry_run: self.dry_run,
            format: self.format.clone(),
            quiet: self.quiet,
            ..RunSettings::default()
        };
        let run = ExperimentRun {
            experiment: out.join("experiment.toml").display().to_string(),
            settings,
            limits: self.limits.clone(),
            observer: Observed::by(Terminal),
            options: self.plugins.words(),
            progress: None,
        };
        let done = conduct(&run, typed, of_files, self.experiment(Some(&out)));
        if is_new {
            // Removes the folder only if nothing was put into it.
            let _ = fs::remove_dir(&out);
        }
        done
    }

    fn policies(&self) -> Vec<String> {
        let delays = self.replayed.0.iter().find(|given| given.name == DELAYS);
        policies(&self.policy, delays.map(|given| given.values.join(",")).as_deref())
    }

    fn out(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| self.name().into())
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    let (key, value) = pair.ok_or_else(|| format!("`{text}` is not a setting: write key=value"))?;
    Ok((key.into(), value.into()))
}
