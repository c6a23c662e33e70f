//! Proven lower bounds on metrics of any schedule that runs every job to its end.

use batchlab_traces::{JobId, Machine, Time, Workload};

use super::measured::OutcomeMismatch;
use super::measurement::Measurement;
use super::metric::Metric;
use super::options::MeasureOptions;
use super::spec::Bound;
use crate::Outcome;

/// Returns the lower bound of each metric; `None` if none is known.
///
/// Wait, response and slowdown, and every statistic that grows with them, are least if no job waits; the
/// bound of the makespan is [`makespan_bound`]. If the set of measured jobs depends on the schedule (a share
/// of terminations, jobs that end late), only the makespan keeps its bound. A schedule that kills jobs may be
/// below a bound. The makespan of jobs that depend on others has no bound here.
///
/// # Errors
/// Never for a consistent workload; the mismatch is that of [`Measurement::new`].
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
        Bound::Makespan if workload.is_closed() => None,
        Bound::Makespan => makespan_bound(workload, machine).map(Time::secs),
        Bound::NoWait if metric.has_bound() && options.same_jobs_under_all_policies() => {
            metric.value(&no_wait)
        }
        _ => None,
    };
    Ok(metrics.iter().map(bound).collect())
}

/// Returns a lower bound of the makespan, in ticks; `None` if there are no jobs.
///
/// The last end is at least the latest submit + run, and, for every instant t and every resource, at least
/// t + W / capacity, where W is the work submitted at t or later. O(nK) for n jobs and K resources.
pub fn makespan_bound(workload: &Workload, machine: &Machine) -> Option<Time> {
    let first = workload.submit(workload.jobs().next()?);
    let longest = workload.jobs().map(|job| workload.submit(job) + workload.run(job)).max()?;
    let kinds = workload.kinds().min(machine.kinds());
    let by_area = (0..kinds).filter(|&resource| machine.total(resource) > 0).map(|resource| {
        let mut area = 0_i128;
        // In reverse order, the last visited of several jobs with the same submit time carries the work of all of them.
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
