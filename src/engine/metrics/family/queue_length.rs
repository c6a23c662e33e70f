//! The number of waiting jobs.

use batchlab_traces::Citation;

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, MetricSpec};
use crate::metrics::window::Window;
use crate::table::Unit;

pub static MEAN_QUEUE_LENGTH: MetricSpec = MetricSpec {
    name: "mean_queue_length",
    unit: Unit::Jobs,
    in_summary: true,
    definition: "jobs submitted and not yet started, averaged over the time from first submit + warm-up to \
                 last submit",
    cite: Citation::of("Leinberger, Karypis and Kumar 1999", &["leinberger99"]),
    compute: Compute::Value(|measurement| mean(measurement, *measurement.window())),
    ..MetricSpec::OF_REPLAY
};

pub static MAX_QUEUE_LENGTH: MetricSpec = MetricSpec {
    name: "max_queue_length",
    unit: Unit::Count,
    in_summary: true,
    definition: "most jobs that wait after a decision, from first submit + warm-up to last submit",
    cite: Citation::of("Leinberger, Karypis and Kumar 1999", &["leinberger99"]),
    compute: Compute::Value(|measurement| measurement.timeline().most_waiting.map(|most| most as f64)),
    ..MetricSpec::OF_REPLAY
};

pub static MEAN_QUEUE_LENGTH_MAKESPAN: MetricSpec = MetricSpec {
    name: "mean_queue_length_makespan",
    unit: Unit::Jobs,
    definition: "jobs submitted and not yet started, averaged from first submit + warm-up to last end",
    cite: Citation::of("Leinberger, Karypis and Kumar 1999", &["leinberger99"]),
    compute: Compute::Value(|measurement| mean(measurement, measurement.window().with_drain())),
    ..MetricSpec::OF_REPLAY
};

pub static MAX_QUEUE_LENGTH_MAKESPAN: MetricSpec = MetricSpec {
    name: "max_queue_length_makespan",
    unit: Unit::Count,
    definition: "most jobs that wait after a decision, from first submit + warm-up to last end",
    cite: Citation::of("Leinberger, Karypis and Kumar 1999", &["leinberger99"]),
    compute: Compute::Value(|measurement| {
        measurement.timeline().most_waiting_with_drain.map(|most| most as f64)
    }),
    ..MetricSpec::OF_REPLAY
};

fn mean(measurement: &Measurement<'_>, window: Window) -> Option<f64> {
    let waited: i128 =
        measurement.replayed().map(|job| i128::from(window.overlap(job.submit, job.start))).sum();
    (window.ticks() > 0).then(|| waited as f64 / window.ticks() as f64)
}
