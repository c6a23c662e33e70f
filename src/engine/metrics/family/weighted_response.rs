//! Response weighted by processors × time, so that splitting a job is of no advantage.

use batchlab_traces::Citation;

use crate::metrics::measurement::Measurement;
use crate::metrics::served::Served;
use crate::metrics::spec::{Bound, Compute, MetricSpec};
use crate::table::Unit;

pub static WEIGHTED_RESPONSE: MetricSpec = MetricSpec {
    name: "weighted_response",
    unit: Unit::Seconds,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "sum(procs * run * response) / sum(procs * run); with K resources the weight is the sum of the \
                 demands as fractions of capacity, times run",
    cite: Citation::of(
        "Schwiegelshohn and Yahyapour 2000, Fairness in Parallel Job Scheduling",
        &["schwiegelshohn00"],
    ),
    compute: Compute::Value(|measurement| {
        let (sum, weights) = weighted(measurement);
        (weights > 0.0).then(|| sum / weights)
    }),
    ..MetricSpec::OF_JOBS
};

pub static WEIGHTED_RESPONSE_MEAN: MetricSpec = MetricSpec {
    name: "weighted_response_mean",
    unit: Unit::SecondsSquared,
    bound: Bound::NoWait,
    definition: "sum(w * run * response) / number of jobs, w = sum of the demands as fractions of capacity",
    cite: Citation::of("Leinberger, Karypis and Kumar 1999", &["leinberger99"]),
    compute: Compute::Value(|measurement| {
        let jobs = measurement.jobs().len();
        (jobs > 0).then(|| weighted(measurement).0 / jobs as f64)
    }),
    ..MetricSpec::OF_JOBS
};

/// Returns Σ weight · response and Σ weight, in seconds.
fn weighted(measurement: &Measurement<'_>) -> (f64, f64) {
    let capacities: Vec<f64> = (0..measurement.workload().kinds().min(measurement.machine().kinds()))
        .map(|resource| measurement.machine().total(resource) as f64)
        .collect();
    let weight = |job: &Served| {
        let demand = measurement.workload().demand(job.job);
        let fractions = demand.iter().zip(&capacities).filter(|(_, capacity)| **capacity > 0.0);
        fractions.map(|(&amount, capacity)| amount as f64 / capacity).sum::<f64>() * job.run.secs()
    };
    measurement.measured().fold((0.0, 0.0), |(sum, weights), job| {
        let weight = weight(&job);
        (sum + weight * job.response().secs(), weights + weight)
    })
}
