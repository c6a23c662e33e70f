//! Waiting time.

use batchlab_traces::Citation;

use crate::metrics::served::Served;
use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};
use crate::table::{Better, Unit};

/// Time to the first start, also under policies that suspend jobs (Zhang et al. 2000, section 2.3).
pub static WAIT: MetricSpec = MetricSpec {
    name: "wait",
    unit: Unit::Seconds,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "first start - submit",
    cite: Citation::of(
        "Feitelson and Rudolph 1998, Metrics and Benchmarking for Parallel Job Scheduling",
        &["feitelson98"],
    ),
    compute: Compute::PerJob(&QUANTITY),
};

static QUANTITY: Quantity = Quantity { name: "wait", value: JobValue::Time(Served::wait) };
