//! Time that jobs lose to switches, migrations and swaps.

use batchlab_traces::Citation;

use crate::table::{Better, Unit};

use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};

/// Overhead per job, a part of its stalled time.
pub static OVERHEAD: MetricSpec = MetricSpec {
    name: "overhead",
    unit: Unit::Seconds,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::None,
    in_summary: false,
    definition: "time in which a job was switched to, migrated or swapped out or in, checkpoints that it waited for included",
    cite: Citation::of("Zhang et al. 2000, sections 4.4 and 5.4", &["zhang01"]),
    compute: Compute::PerJob(&QUANTITY),
};

static QUANTITY: Quantity =
    Quantity { name: "overhead", value: JobValue::Ratio(|job, _| Some(job.service?.overhead().secs())) };
