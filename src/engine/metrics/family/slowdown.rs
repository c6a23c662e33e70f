//! Slowdown without a bound.

use super::FEITELSON98;
use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

pub static SLOWDOWN: MetricSpec = MetricSpec {
    name: "slowdown",
    unit: Unit::Ratio,
    domain: Domain::FromOne,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "response / run; jobs with run = 0 have none and are left out",
    cite: FEITELSON98,
    compute: Compute::PerJob(&QUANTITY),
    ..MetricSpec::OF_JOBS
};

/// The slowdown of every job, also used by notes on jobs without a slowdown.
pub static QUANTITY: Quantity =
    Quantity { name: "slowdown", value: JobValue::Ratio(|job, _| job.slowdown()) };
