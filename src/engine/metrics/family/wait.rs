//! Waiting time.

use super::FEITELSON98;
use crate::metrics::served::Served;
use crate::metrics::spec::{Bound, Compute, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

/// Time to the first start, also under policies that suspend jobs (Zhang et al. 2000, section 2.3).
pub static WAIT: MetricSpec = MetricSpec {
    name: "wait",
    unit: Unit::Seconds,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "first start - submit",
    cite: FEITELSON98,
    compute: Compute::PerJob(&Quantity { name: "wait", value: JobValue::Time(Served::wait) }),
    ..MetricSpec::OF_JOBS
};
