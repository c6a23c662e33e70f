//! Proven lower bounds: what no schedule that runs every job to its end can beat.

use batchlab_traces::{JobId, Machine, Time, Workload};

use super::measurement::{Measurement, OutcomeMismatch};
use super::metric::Metric;
use super::options::MeasureOptions;
use super::spec::Bound;
use crate::Outcome;

/// Returns the lower bound of each metric, `None` where none is known.
///
/// Wait, response and slowdown, and every statistic that grows with them, are least when no job waits;
/// the makespan has that of [`makespan_bound`]. Where the measured jobs depend on the schedule (a share of
/// terminations, jobs that end late), schedules are measured over different jobs and only the makespan keeps
/// its bound.
/// A schedule that kills jobs may fall below.
///
/// # Errors
/// Never for a workload that is whole; the mismatch is that of [`Measurement::new`].
pub fn lower_bounds(
    workload: &Workload,
    machine: &Machine,
    options: MeasureOptions,
    metrics: &[Metric],
) -> Result<Vec<Option<f64>>, OutcomeMismatch> {
    let start: Vec<Time> = workload.jobs().map(|job| workload.submit(job)).collect();
    let end = workload.jobs().map(|job| workload.submit(job) + workload.run(job)).collect();
    let outcome = Outcome { start, end, ..Outcome::default() };
    let no_wait = Measurement::new(workload, machine, &outcome, options)?;
    let bound = |metric: &Metric| match metric.spec.bound {
        Bound::Makespan => makespan_bound(workload, machine).map(Time::secs),
        Bound::NoWait if metric.has_bound() && options.same_jobs_under_all_policies() => {
            metric.value(&no_wait)
        }
        _ => None,
    };
    Ok(metrics.iter().map(bound).collect())
}

/// Returns a length that no makespan falls below, in ticks; `None` without jobs.
///
/// The last end is at least the latest submit + run, and for every instant t at least t + (work submitted at
/// t or later) / capacity, for every resource. O(nK).
pub fn makespan_bound(workload: &Workload, machine: &Machine) -> Option<Time> {
    let first = workload.submit(workload.jobs().next()?);
    let longest = workload.jobs().map(|job| workload.submit(job) + workload.run(job)).max()?;
    let kinds = workload.kinds().min(machine.kinds());
    let by_area = (0..kinds).filter(|&resource| machine.total(resource) > 0).map(|resource| {
        let mut area = 0_i128;
        // Going backwards over equal submit times, the last one visited carries all of their work.
        let ends = (0..workload.len() as u32).rev().map(JobId).map(|job| {
            area += i128::from(workload.demand(job)[resource]) * i128::from(workload.run(job).ticks());
            i128::from(workload.submit(job).ticks()) + ceil_div(area, i128::from(machine.total(resource)))
        });
        Time::from_ticks(ends.max().unwrap_or_default().min(i128::from(i64::MAX)) as i64)
    });
    let last_end = by_area.fold(longest, Time::max);
    Some(last_end - first)
}

fn ceil_div(amount: i128, by: i128) -> i128 {
    (amount + by - 1) / by
}
