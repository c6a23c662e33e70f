//! The number of times that jobs are suspended.

use super::KETTIMUTHU05;
use crate::metrics::spec::{Compute, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

pub static SUSPENSIONS: MetricSpec = MetricSpec {
    name: "suspensions",
    unit: Unit::Ratio,
    definition: "how often a job stopped running before its end: for the next slice, for another job, swapped out or not",
    cite: KETTIMUTHU05,
    compute: Compute::PerJob(&Quantity {
        name: "suspensions",
        value: JobValue::Ratio(|job, _| Some(f64::from(job.service?.suspensions))),
    }),
    ..MetricSpec::OF_JOBS
};
