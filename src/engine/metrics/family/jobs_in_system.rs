//! The number of jobs in the system, waiting or running.

use batchlab_traces::Citation;

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, MetricSpec};
use crate::metrics::window::Window;
use crate::table::Unit;

pub static MEAN_JOBS_IN_SYSTEM: MetricSpec = MetricSpec {
    name: "mean_jobs_in_system",
    unit: Unit::Jobs,
    in_summary: true,
    definition: "jobs submitted and not yet ended, averaged over the time from first submit + warm-up to last \
                 submit",
    cite: Citation::of("Little 1961, A Proof for the Queuing Formula L = lambda W", &["little61"]),
    compute: Compute::Value(|measurement| mean(measurement, *measurement.window())),
    ..MetricSpec::OF_REPLAY
};

pub static MEAN_JOBS_IN_SYSTEM_MAKESPAN: MetricSpec = MetricSpec {
    name: "mean_jobs_in_system_makespan",
    unit: Unit::Jobs,
    definition: "jobs submitted and not yet ended, averaged from first submit + warm-up to last end",
    cite: Citation::of("Little 1961, A Proof for the Queuing Formula L = lambda W", &["little61"]),
    compute: Compute::Value(|measurement| mean(measurement, measurement.window().with_drain())),
    ..MetricSpec::OF_REPLAY
};

fn mean(measurement: &Measurement<'_>, window: Window) -> Option<f64> {
    let present: i128 =
        measurement.replayed().map(|job| i128::from(window.overlap(job.submit, job.end))).sum();
    (window.ticks() > 0).then(|| present as f64 / window.ticks() as f64)
}
