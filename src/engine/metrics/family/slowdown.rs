//! Slowdown without a bound.

use batchlab_traces::Citation;

use crate::table::{Better, Unit};

use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};

/// Response over run.
pub static SLOWDOWN: MetricSpec = MetricSpec {
    name: "slowdown",
    unit: Unit::Ratio,
    better: Better::Lower,
    domain: Domain::FromOne,
    scope: Scope::Jobs,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "response / run; jobs with run = 0 have none and are left out",
    cite: Citation::of(
        "Feitelson and Rudolph 1998, Metrics and Benchmarking for Parallel Job Scheduling",
        &["feitelson98"],
    ),
    compute: Compute::PerJob(&QUANTITY),
};

/// The slowdown of every job, also used by notes on jobs without a slowdown.
pub static QUANTITY: Quantity =
    Quantity { name: "slowdown", value: JobValue::Ratio(|job, _| job.slowdown()) };
