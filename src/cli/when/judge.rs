//! How good foretold starts were at past instants: for the margins of intervals, and to be judged.

use batchlab_traces::{JobId, Time};

use super::words::conditions;
use super::{When, run_times};
use crate::cli::terminal::form::{print_json, print_table};
use crate::cli::terminal::progress::Progress;
use crate::cli::terminal::tell;
use crate::lab::Failure;
use crate::lab::replays::result_tables::TableForm;
use crate::lab::scenario::ready_log::Prepared;
use crate::replay::comparison::ComparisonError;
use crate::when::{Margins, Past, evaluation_table};

impl When {
    /// Returns the margins by past instants up to now. Jobs of which it is unknown when they will be eligible say nothing.
    pub(super) fn margins(
        &self,
        past: &Past<'_>,
        now: Time,
        barred: &dyn Fn(JobId) -> bool,
    ) -> Result<Margins, ComparisonError> {
        if self.calibrate == 0 {
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
    pub(super) fn judge(
        &self,
        prepared: &Prepared,
        past: &Past<'_>,
        instants: usize,
        form: TableForm,
    ) -> Result<(), Failure> {
        tell::prepared(prepared, self.scenario.source.quiet);
        let workload = &past.forecast.scenario.workload;
        let last = workload.jobs().last().map_or(Time::ZERO, |job| workload.submit(job));
        let first = workload.jobs().next().map_or(Time::ZERO, |job| workload.submit(job));
        let half = halfway(first, last);
        let mut all = past.instants(halfway(first, half), half, self.calibrate as usize);
        let chosen = past.instants(half, last, instants);
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
