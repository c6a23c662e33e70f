//! How good foretold starts were at past instants: for the margins of intervals, and to be judged.

use batchlab_traces::number::grouped;
use batchlab_traces::{JobId, Time};
use clap::value_parser;

use super::draws::{DrawSettings, run_times};
use super::words::conditions;
use crate::cli::arguments::{arguments, option};
use crate::cli::terminal::form::{print_json, print_table};
use crate::cli::terminal::progress::Progress;
use crate::lab::Failure;
use crate::lab::replays::result_tables::TableForm;
use crate::lab::scenario::ready_log::Prepared;
use crate::replay::comparison::ComparisonError;
use crate::when::{Margins, Past, evaluation_table};

/// The most past instants of one call: jobs that wait at neighbouring instants wait for each other, so that more instants tell
/// hardly more.
const MOST_INSTANTS: i64 = 10_000;

/// The most replays of one call.
const MOST_REPLAYS: u64 = 2_000_000;

arguments! {
    pub(super) struct Calibration {
        level: f64 = option("level", "SHARE", "Share of starts that intervals are to hold")
            .default("0.9")
            .rare()
            .by(|arg| arg.value_parser(level)),
        calibrate: u32 = option(
            "calibrate", "N", "Number of past instants from which the margins of intervals are measured; 0: intervals are of \
             run times alone",
        ).default("40").rare().by(|arg| arg.value_parser(value_parser!(u32).range(0..=MOST_INSTANTS))),
        evaluate: Option<u32> = option(
            "evaluate", "N", "Judge foretold starts at N instants of the second half of the log instead, each calibrated at the \
             instants before it",
        ).by(|arg| arg.value_parser(value_parser!(u32).range(1..=MOST_INSTANTS))),
    }
}

impl Calibration {
    pub(super) fn level(&self) -> f64 {
        self.level
    }

    pub(super) fn is_asked(&self) -> bool {
        self.calibrate > 0
    }

    pub(super) fn judges(&self) -> bool {
        self.evaluate.is_some()
    }

    pub(super) fn asks_past(&self) -> bool {
        self.is_asked() || self.judges()
    }

    /// Refuses to ask for so many replays that they do not end.
    pub(super) fn is_bounded(&self, draws: &DrawSettings) -> Result<(), Failure> {
        let asked = u64::from(self.evaluate.unwrap_or(1)) + u64::from(self.calibrate);
        let replays = asked * u64::from(draws.replays());
        if replays <= MOST_REPLAYS {
            return Ok(());
        }
        let instants = match self.evaluate {
            Some(instants) => format!("--evaluate {instants} and --calibrate {}", self.calibrate),
            None => format!("--calibrate {}", self.calibrate),
        };
        Err(Failure::Usage(format!(
            "{instants} with --draws {} ask for {} replays, and at most {} are made: take fewer instants or draws",
            draws.replays(),
            grouped(replays),
            grouped(MOST_REPLAYS)
        )))
    }

    /// Returns the margins by past instants up to now. Jobs of which it is unknown when they will be eligible say nothing.
    pub(super) fn margins(
        &self,
        past: &Past<'_>,
        now: Time,
        barred: &dyn Fn(JobId) -> bool,
    ) -> Result<Margins, ComparisonError> {
        if !self.is_asked() {
            return Ok(Margins::default());
        }
        let (workload, most) = (&past.forecast.scenario.workload, self.calibrate as usize);
        let from = workload.jobs().next().map_or(Time::ZERO, |job| workload.submit(job));
        // The older half of the past has little history before it: it is used only where the younger one is too short.
        let mut instants = past.instants(halfway(from, now), now, most);
        if instants.len() < most.min(Margins::enough(self.level)) {
            instants = past.instants(from, now, most);
        }
        let progress = Progress::of_replays("calibrating", instants.len());
        past.margins(&instants, (now, barred), self.level, &|done| progress.tell(done as u64))
    }

    /// Prints how good foretold starts were at past instants.
    pub(super) fn judge(&self, prepared: &Prepared, past: &Past<'_>, form: TableForm) -> Result<(), Failure> {
        let workload = &past.forecast.scenario.workload;
        let last = workload.jobs().last().map_or(Time::ZERO, |job| workload.submit(job));
        let first = workload.jobs().next().map_or(Time::ZERO, |job| workload.submit(job));
        let half = halfway(first, last);
        let mut all = past.instants(halfway(first, half), half, self.calibrate as usize);
        let chosen = past.instants(half, last, self.evaluate.unwrap_or_default() as usize);
        if chosen.is_empty() {
            return Err(Failure::Input("no job of the second half of the log waits".into()));
        }
        all.extend(chosen);
        let progress = Progress::of_replays("judging", all.len());
        let judged = past.evaluate(&all, (half, self.calibrate as usize), self.level, &|done| {
            progress.tell(done as u64);
        })?;
        drop(progress);
        if form.is_json() {
            return print_json(&judged);
        }
        let policy = past.forecast.policy.canonical();
        print_table(
            form,
            &evaluation_table(
                &conditions(prepared),
                (&policy, &run_times(&past.forecast)),
                &judged,
                self.calibrate as usize,
                (half, last),
            ),
        )
    }
}

fn halfway(from: Time, to: Time) -> Time {
    from + Time::from_ticks((to - from).ticks() / 2)
}

fn level(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|&share: &f64| share > 0.0 && share < 1.0);
    share.ok_or_else(|| "it is a share between 0 and 1, such as 0.9".into())
}
