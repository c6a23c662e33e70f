//! The number of jobs that end per hour.

use super::FEITELSON98;
use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, MetricSpec};
use crate::metrics::window::Window;
use crate::table::{Better, Unit};

pub static THROUGHPUT: MetricSpec = MetricSpec {
    name: "throughput",
    unit: Unit::JobsPerHour,
    better: Better::Higher,
    in_summary: true,
    definition: "jobs that end between first submit + warm-up and last submit, over that time",
    cite: FEITELSON98,
    compute: Compute::Value(|measurement| rate(measurement, *measurement.window())),
    ..MetricSpec::OF_REPLAY
};

pub static THROUGHPUT_MAKESPAN: MetricSpec = MetricSpec {
    name: "throughput_makespan",
    unit: Unit::JobsPerHour,
    better: Better::Higher,
    definition: "jobs that end between first submit + warm-up and last end, over that time",
    cite: FEITELSON98,
    compute: Compute::Value(|measurement| rate(measurement, measurement.window().with_drain())),
    ..MetricSpec::OF_REPLAY
};

fn rate(measurement: &Measurement<'_>, window: Window) -> Option<f64> {
    let ended = measurement.replayed().filter(|job| {
        let ended = measurement.outcome().fate(job.job).has_ended();
        ended && window.from <= job.end && job.end <= window.to
    });
    let ended = ended.count();
    let hours = (window.to - window.from).secs() / 3600.0;
    (hours > 0.0).then(|| ended as f64 / hours)
}
