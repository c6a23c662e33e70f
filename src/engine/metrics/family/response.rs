//! Response time, also called turnaround or flow time.

use super::FEITELSON98;
use crate::metrics::served::Served;
use crate::metrics::spec::{Bound, Compute, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

pub static RESPONSE: MetricSpec = MetricSpec {
    name: "response",
    unit: Unit::Seconds,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "end - submit",
    cite: FEITELSON98,
    compute: Compute::PerJob(&Quantity { name: "response", value: JobValue::Time(Served::response) }),
    ..MetricSpec::OF_JOBS
};
