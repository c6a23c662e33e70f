//! The number of moves of jobs.

use batchlab_traces::Citation;

use crate::metrics::spec::{Compute, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

pub static MIGRATIONS: MetricSpec = MetricSpec {
    name: "migrations",
    unit: Unit::Ratio,
    definition: "how often a job that had run moved to other processors",
    cite: Citation::of("Zhang et al. 2000, section 5", &["zhang01"]),
    compute: Compute::PerJob(&Quantity {
        name: "migrations",
        value: JobValue::Ratio(|job, _| Some(f64::from(job.service?.migrations))),
    }),
    ..MetricSpec::OF_JOBS
};
