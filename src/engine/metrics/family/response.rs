//! Response time, also called turnaround or flow time.

use batchlab_traces::Citation;

use crate::metrics::served::Served;
use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};
use crate::table::{Better, Unit};

/// Time from submission to end.
pub static RESPONSE: MetricSpec = MetricSpec {
    name: "response",
    unit: Unit::Seconds,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "end - submit",
    cite: Citation::of(
        "Feitelson and Rudolph 1998, Metrics and Benchmarking for Parallel Job Scheduling",
        &["feitelson98"],
    ),
    compute: Compute::PerJob(&QUANTITY),
};

static QUANTITY: Quantity = Quantity { name: "response", value: JobValue::Time(Served::response) };
