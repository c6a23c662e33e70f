//! The number of moves of jobs.

use batchlab_traces::Citation;

use crate::table::{Better, Unit};

use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};

/// Moves per job.
pub static MIGRATIONS: MetricSpec = MetricSpec {
    name: "migrations",
    unit: Unit::Ratio,
    better: Better::Lower,
    domain: Domain::NotNegative,
    scope: Scope::Jobs,
    bound: Bound::None,
    in_summary: false,
    definition: "how often a job that had run moved to other processors",
    cite: Citation::of("Zhang et al. 2000, section 5", &["zhang01"]),
    compute: Compute::PerJob(&QUANTITY),
};

static QUANTITY: Quantity = Quantity {
    name: "migrations",
    value: JobValue::Ratio(|job, _| Some(f64::from(job.service?.migrations))),
};
