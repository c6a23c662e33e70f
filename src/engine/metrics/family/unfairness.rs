//! Unfairness relative to fair start times.

use batchlab_traces::Citation;
use batchlab_traces::Time;

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Bound, Compute, Domain, MetricSpec, Scope};
use crate::table::{Better, Unit};

/// Mean delay over all jobs.
pub static UNFAIRNESS_ALL: MetricSpec = MetricSpec {
    name: "unfairness_all",
    unit: Unit::Seconds,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::None,
    in_summary: true,
    definition: "sum(max(0, start - fair start)) / all measured jobs; VARIANT is the fair schedule: consp, \
                 conservative backfilling with perfect estimates, or fcfs",
    cite: Citation::of(
        "Sabin and Sadayappan 2005, Unfairness Metrics for Space-Sharing Parallel Job Schedulers",
        &["sabin05"],
    ),
    compute: Compute::PerFairStart(|measurement, fair| {
        let (sum, _) = delay(measurement, fair);
        mean(sum, measurement.jobs().len())
    }),
};

/// Mean delay over the delayed jobs.
pub static UNFAIRNESS_HIT: MetricSpec = MetricSpec {
    name: "unfairness_hit",
    unit: Unit::Seconds,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::None,
    in_summary: true,
    definition: "sum(max(0, start - fair start)) / measured jobs that start later than fair",
    cite: Citation::of(
        "Sabin and Sadayappan 2005, Unfairness Metrics for Space-Sharing Parallel Job Schedulers",
        &["sabin05"],
    ),
    compute: Compute::PerFairStart(|measurement, fair| {
        let (sum, hit) = delay(measurement, fair);
        mean(sum, hit)
    }),
};

/// Share of delayed jobs.
pub static SHARE_HIT: MetricSpec = MetricSpec {
    name: "share_hit",
    unit: Unit::Fraction,
    better: Better::Lower,
    domain: Domain::Share,
    scope: Scope::Jobs,
    bound: Bound::None,
    in_summary: true,
    definition: "measured jobs that start later than fair / all measured jobs",
    cite: Citation::of(
        "Sabin and Sadayappan 2005, Unfairness Metrics for Space-Sharing Parallel Job Schedulers",
        &["sabin05"],
    ),
    compute: Compute::PerFairStart(|measurement, fair| {
        let (_, hit) = delay(measurement, fair);
        let jobs = measurement.jobs().len();
        (jobs > 0).then(|| hit as f64 / jobs as f64)
    }),
};

/// Returns the sum of all delays in ticks and the number of delayed jobs.
fn delay(measurement: &Measurement<'_>, fair: &[Time]) -> (i128, usize) {
    let delays = measurement.measured().map(|job| (job.start - fair[job.job.index()]).ticks());
    delays.filter(|&delay| delay > 0).fold((0, 0), |(sum, hit), delay| (sum + i128::from(delay), hit + 1))
}

fn mean(ticks: i128, jobs: usize) -> Option<f64> {
    (jobs > 0).then(|| ticks as f64 / jobs as f64 / Time::SECOND.ticks() as f64)
}
