//! Response divided by service.

use batchlab_traces::Citation;

use super::slowdown;
use crate::metrics::spec::{Bound, Compute, Domain, MetricSpec};
use crate::table::Unit;

pub static NORMALIZED_RESPONSE: MetricSpec = MetricSpec {
    name: "normalized_response",
    unit: Unit::Ratio,
    domain: Domain::FromOne,
    bound: Bound::NoWait,
    definition: "response / run, the same as slowdown: the mean is U; jobs with run = 0 have none and are left out",
    cite: Citation::of("Setia et al. 1999, section 4.2", &["setia99"]),
    compute: Compute::PerJob(&slowdown::QUANTITY),
    ..MetricSpec::OF_JOBS
};
