//! Unfairness relative to fair start times.

use batchlab_traces::{Citation, Time};

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::table::Unit;

const CITE: Citation = Citation::of(
    "Sabin and Sadayappan 2005, Unfairness Metrics for Space-Sharing Parallel Job Schedulers",
    &["sabin05"],
);

pub static UNFAIRNESS_ALL: MetricSpec = MetricSpec {
    name: "unfairness_all",
    unit: Unit::Seconds,
    in_summary: true,
    definition: "sum(max(0, start - fair start)) / all measured jobs; VARIANT is the fair schedule: consp, \
                 conservative backfilling with perfect estimates, or fcfs",
    cite: CITE,
    compute: Compute::PerFairStart(|measurement, fair| {
        let (sum, _) = delay(measurement, fair);
        mean(sum, measurement.jobs().len())
    }),
    ..MetricSpec::OF_JOBS
};

pub static UNFAIRNESS_HIT: MetricSpec = MetricSpec {
    name: "unfairness_hit",
    unit: Unit::Seconds,
    in_summary: true,
    definition: "sum(max(0, start - fair start)) / measured jobs that start later than fair",
    cite: CITE,
    compute: Compute::PerFairStart(|measurement, fair| {
        let (sum, hit) = delay(measurement, fair);
        mean(sum, hit)
    }),
    ..MetricSpec::OF_JOBS
};

pub static SHARE_HIT: MetricSpec = MetricSpec {
    name: "share_hit",
    unit: Unit::Fraction,
    domain: Domain::Share,
    in_summary: true,
    definition: "measured jobs that start later than fair / all measured jobs",
    cite: CITE,
    compute: Compute::PerFairStart(|measurement, fair| {
        let (_, hit) = delay(measurement, fair);
        let jobs = measurement.jobs().len();
        (jobs > 0).then(|| hit as f64 / jobs as f64)
    }),
    ..MetricSpec::OF_JOBS
};

/// Returns the sum of all delays in ticks and the number of delayed jobs.
fn delay(measurement: &Measurement<'_>, fair: &[Time]) -> (i128, usize) {
    let delays = measurement.measured().map(|job| (job.start - fair[job.job.index()]).ticks());
    delays.filter(|&delay| delay > 0).fold((0, 0), |(sum, hit), delay| (sum + i128::from(delay), hit + 1))
}

fn mean(ticks: i128, jobs: usize) -> Option<f64> {
    (jobs > 0).then(|| ticks as f64 / jobs as f64 / Time::SECOND.ticks() as f64)
}
