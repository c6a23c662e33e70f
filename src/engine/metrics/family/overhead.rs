//! Time that jobs lose to switches, migrations and swaps.

use batchlab_traces::Citation;

use crate::metrics::spec::{Compute, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

pub static OVERHEAD: MetricSpec = MetricSpec {
    name: "overhead",
    unit: Unit::Seconds,
    definition: "time in which a job was switched to, migrated or swapped out or in, checkpoints that it waited for included",
    cite: Citation::of("Zhang et al. 2000, sections 4.4 and 5.4", &["zhang01"]),
    compute: Compute::PerJob(&Quantity {
        name: "overhead",
        value: JobValue::Ratio(|job, _| Some(job.service?.overhead().secs())),
    }),
    ..MetricSpec::OF_JOBS
};
