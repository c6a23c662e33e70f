//! Bounded slowdown, the field's most used metric, and its root mean square.

use batchlab_traces::Citation;

use crate::metrics::spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity};
use crate::table::Unit;

/// The slowdown in which short jobs count as τ long.
///
/// Zhang's max(response, τ) / max(run, τ) is the same number whenever end ≥ start + run.
pub static BSLD: MetricSpec = MetricSpec {
    name: "bsld",
    unit: Unit::Ratio,
    domain: Domain::FromOne,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "max(1, response / max(run, tau))",
    cite: Citation::of(
        "Feitelson, Rudolph, Schwiegelshohn, Sevcik and Wong 1997, Theory and Practice in Parallel Job \
           Scheduling",
        &["feitelson97"],
    ),
    compute: Compute::PerJob(&QUANTITY),
    ..MetricSpec::OF_JOBS
};

pub static RMS_BSLD: MetricSpec = MetricSpec {
    name: "rms_bsld",
    unit: Unit::Ratio,
    domain: Domain::FromOne,
    bound: Bound::NoWait,
    in_summary: true,
    definition: "square root of the mean square of bsld",
    cite: Citation::of(
        "Gaussier, Glesser, Reis and Trystram 2015, Improving Backfilling by using Machine Learning to \
           predict Running Times",
        &["gaussier15"],
    ),
    compute: Compute::Value(|measurement| measurement.sample(&QUANTITY).rms()),
    ..MetricSpec::OF_JOBS
};

static QUANTITY: Quantity =
    Quantity { name: "bsld", value: JobValue::Ratio(|job, options| job.bounded_slowdown(options.tau)) };
