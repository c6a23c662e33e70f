//! The number of times that jobs are suspended.

use batchlab_traces::Citation;

use crate::table::{Better, Unit};

use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};

/// Suspensions per job.
pub static SUSPENSIONS: MetricSpec = MetricSpec {
    name: "suspensions",
    unit: Unit::Ratio,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::None,
    in_summary: false,
    definition: "how often a job stopped running before its end: for the next slice, for another job, swapped out or not",
    cite: Citation::of(
        "Kettimuthu et al. 2005, Selective Preemption Strategies for Parallel Job Scheduling",
        &["kettimuthu05"],
    ),
    compute: Compute::PerJob(&QUANTITY),
};

static QUANTITY: Quantity = Quantity {
    name: "suspensions",
    value: JobValue::Ratio(|job, _| Some(f64::from(job.service?.suspensions))),
};
