use super::FEITELSON98;
use crate::metrics::served::Served;
use crate::metrics::spec::{Bound, Compute, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

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
