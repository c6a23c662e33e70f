//! `--watch`: forecasts again and again, as the files of the queue change.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use batchlab_traces::reading::parse_duration;
use batchlab_traces::{Finding, Findings, Time};
use clap::Args;

use super::When;
use crate::Registry;
use crate::cli::terminal::form::print;
use crate::cli::terminal::tell;
use crate::lab::Failure;
use crate::lab::results::TableForm;
use crate::when::ForecastRecord;

/// How often to forecast.
#[derive(Args)]
pub(super) struct WatchSettings {
    /// Forecast again and again: read all files anew in each round, print a block for it, and keep the forecasts in the file of
    /// --record. A round whose files cannot be read is left out. Ctrl-C ends it
    #[arg(long, requires = "record", conflicts_with_all = ["at", "evaluate", "explain"])]
    pub watch: bool,
    /// Time from the beginning of a round of --watch to that of the next one, such as 60s or 5m
    #[arg(long, value_name = "TIME", default_value = "60s", requires = "watch", value_parser = every)]
    every: Duration,
    /// Number of rounds of --watch [default: until Ctrl-C]
    #[arg(long, value_name = "N", requires = "watch", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
}

/// What a round knows of those before it.
#[derive(Default)]
pub(super) struct Before {
    /// The forecasts so far; none before they are read, and without --record.
    pub record: Option<ForecastRecord>,
    /// The findings of the round before.
    told: BTreeSet<String>,
    /// Whether a block has been printed.
    has_printed: bool,
}

impl Before {
    /// Prints the findings that the round before did not have, unless `quiet`.
    pub fn tell(&mut self, findings: &Findings, quiet: bool) {
        let told: BTreeSet<String> = findings.list().iter().map(ToString::to_string).collect();
        let is_new = |finding: &&Finding| !self.told.contains(&finding.to_string());
        if !quiet {
            tell::finding_list(findings.list().iter().filter(is_new).collect());
        }
        self.told = told;
    }

    /// Prints an empty line between two blocks; a line of JSON is a block by itself.
    pub fn separate(&mut self, form: TableForm) -> Result<(), Failure> {
        let is_second = std::mem::replace(&mut self.has_printed, true);
        if is_second && !form.is_json() { print("\n") } else { Ok(()) }
    }
}

impl When {
    /// Forecasts round after round. A file that cannot be read ends the first round, and leaves out a later one: it may be half
    /// written then.
    pub(super) fn watch(&mut self, registry: &Registry, form: TableForm) -> Result<(), Failure> {
        if [&self.scenario.trace].into_iter().chain(&self.history).any(|path| path == "-") {
            let what = "--watch reads the files anew in each round, and standard input can be read once only: give a file";
            return Err(Failure::Usage(what.into()));
        }
        let mut before = Before::default();
        let mut round = 1;
        loop {
            let began = Instant::now();
            let done = self.round(registry, form, &mut before);
            let is_last = self.watch.rounds == Some(round);
            match done {
                Err(Failure::Input(what) | Failure::Usage(what)) if round > 1 && !is_last => {
                    tell::error(&format!("{what}; this round is left out"));
                }
                Err(failure) => return Err(failure),
                Ok(()) if is_last => return Ok(()),
                Ok(()) => {}
            }
            round += 1;
            sleep(self.watch.every.saturating_sub(began.elapsed()));
        }
    }
}

/// The longest time between two rounds: a day.
const LONGEST: f64 = 86_400.0;

fn every(text: &str) -> Result<Duration, String> {
    let seconds = parse_duration(text).ok().map(Time::secs);
    let seconds = seconds.filter(|seconds| (1.0..=LONGEST).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "it is a time from 1s to 1d, such as 60s".into())
}
