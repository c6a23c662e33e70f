//! The number of times that jobs are swapped out of memory.

use batchlab_traces::Citation;

use crate::metrics::spec::{Compute, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

pub static SWAPS: MetricSpec = MetricSpec {
    name: "swaps",
    unit: Unit::Ratio,
    definition: "how often a job that had run was swapped out",
    cite: Citation::of("Setia et al. 1999, section 4.3", &["setia99"]),
    compute: Compute::PerJob(&Quantity {
        name: "swaps",
        value: JobValue::Ratio(|job, _| Some(f64::from(job.service?.swaps))),
    }),
    ..MetricSpec::OF_JOBS
};
