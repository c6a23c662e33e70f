//! Makespan.

use batchlab_traces::Citation;

use crate::table::{Better, Unit};

use crate::metrics::spec::{Bound, Compute, Domain, MetricSpec, Scope};

/// Length of the whole replay.
pub static MAKESPAN: MetricSpec = MetricSpec {
    name: "makespan",
    unit: Unit::Seconds,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Replay,
    bound: Bound::Makespan,
    in_summary: true,
    definition: "last end - first submit, of all jobs of the replay",
    cite: Citation::of(
        "Feitelson and Rudolph 1998, Metrics and Benchmarking for Parallel Job Scheduling",
        &["feitelson98"],
    ),
    compute: Compute::Value(|measurement| {
        let window = measurement.window();
        (measurement.replayed().next().is_some()).then(|| (window.last_end - window.first_submit).secs())
    }),
};
