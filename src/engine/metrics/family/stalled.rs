//! Time on the machine without progress.

use batchlab_traces::Citation;

use crate::metrics::served::Served;
use crate::metrics::spec::{Bound, Compute, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

pub static STALLED: MetricSpec = MetricSpec {
    name: "stalled",
    unit: Unit::Seconds,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "response - run - wait: slices not owned, suspensions, switches, swaps, migrations; 0 in space \
                 sharing",
    cite: Citation::of("complement of wait to the first start, Zhang et al. 2000, section 2.3", &["zhang01"]),
    compute: Compute::PerJob(&Quantity { name: "stalled", value: JobValue::Time(Served::stalled) }),
    ..MetricSpec::OF_JOBS
};
