//! Predictability: how near jobs start to the start that they were promised first.

use batchlab_traces::Citation;

use crate::metrics::measurement::Measurement;
use crate::metrics::promises::FirstPromises;
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::table::{Better, Unit};

const CITE: Citation = Citation::of("Tsafrir, Etsion and Feitelson 2007, tables 5 and 6", &["tsafrir07"]);

pub static PROMISED_SHARE: MetricSpec = MetricSpec {
    name: "promised_share",
    unit: Unit::Fraction,
    better: Better::Neither,
    domain: Domain::Share,
    definition: "measured jobs that the policy promised a start (a reservation) before they started / all measured jobs",
    cite: CITE,
    compute: Compute::Promised(|measurement, promises| {
        let jobs = measurement.jobs();
        let promised = jobs.iter().filter(|job| promises.contains_key(job)).count();
        (!jobs.is_empty()).then(|| promised as f64 / jobs.len() as f64)
    }),
    ..MetricSpec::OF_JOBS
};

pub static MEAN_PROMISE_ERROR: MetricSpec = MetricSpec {
    name: "mean_promise_error",
    unit: Unit::Seconds,
    definition: "mean of |start - first promised start| over measured jobs with a promise",
    cite: CITE,
    compute: Compute::Promised(|measurement, promises| mean(&errors(measurement, promises, f64::abs))),
    ..MetricSpec::OF_JOBS
};

pub static MEDIAN_PROMISE_ERROR: MetricSpec = MetricSpec {
    name: "median_promise_error",
    unit: Unit::Seconds,
    definition: "median of |start - first promised start| over measured jobs with a promise",
    cite: CITE,
    compute: Compute::Promised(|measurement, promises| {
        let mut errors = errors(measurement, promises, f64::abs);
        errors.sort_unstable_by(f64::total_cmp);
        crate::stats::quantile::type7(&errors, 0.5)
    }),
    ..MetricSpec::OF_JOBS
};

pub static MEAN_PROMISE_DELAY: MetricSpec = MetricSpec {
    name: "mean_promise_delay",
    unit: Unit::Seconds,
    definition: "mean of max(0, start - first promised start) over measured jobs with a promise",
    cite: CITE,
    compute: Compute::Promised(|measurement, promises| {
        mean(&errors(measurement, promises, |late| late.max(0.0)))
    }),
    ..MetricSpec::OF_JOBS
};

/// Returns a function of how late each measured job with a promise starts, in seconds; early is negative.
fn errors(measurement: &Measurement<'_>, promises: &FirstPromises, of: fn(f64) -> f64) -> Vec<f64> {
    let late =
        |job| promises.get(&job).map(|&promised| of((measurement.outcome().start(job) - promised).secs()));
    measurement.jobs().iter().filter_map(|&job| late(job)).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
