//! The number of times that jobs are swapped out of memory.

use batchlab_traces::Citation;

use crate::table::{Better, Unit};

use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};

/// Swaps per job.
pub static SWAPS: MetricSpec = MetricSpec {
    name: "swaps",
    unit: Unit::Ratio,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::None,
    in_summary: false,
    definition: "how often a job that had run was swapped out",
    cite: Citation::of("Setia et al. 1999, section 4.3", &["setia99"]),
    compute: Compute::PerJob(&QUANTITY),
};

static QUANTITY: Quantity =
    Quantity { name: "swaps", value: JobValue::Ratio(|job, _| Some(f64::from(job.service?.swaps))) };
