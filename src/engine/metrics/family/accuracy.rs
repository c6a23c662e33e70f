//! Accuracy of the run times by which a policy plans: its predictions, or the estimates of users.

use batchlab_traces::{Citation, Time};

use crate::metrics::measurement::Measurement;
use crate::metrics::served::Served;
use crate::metrics::spec::{Compute, Domain, JobValue, MetricSpec, Quantity};
use crate::table::{Better, Unit};

const CITE: Citation = Citation::of("Tsafrir, Etsion and Feitelson 2007", &["tsafrir07"]);

pub static ACCURACY: MetricSpec = MetricSpec {
    name: "accuracy",
    unit: Unit::Fraction,
    better: Better::Higher,
    domain: Domain::Share,
    definition: "min(predicted / run, run / predicted), where predicted is the run time by which the policy planned when the \
                 job started: the prediction of its predictor, otherwise the estimate; 1 for an exact one",
    cite: CITE,
    compute: Compute::PerJob(&Quantity { name: "accuracy", value: JobValue::Ratio(|job, _| job.accuracy()) }),
    ..MetricSpec::OF_JOBS
};

pub static UNDERPREDICTED_SHARE: MetricSpec = MetricSpec {
    name: "underpredicted_share",
    definition: "measured jobs that ran longer than the policy planned for when they started / all measured jobs",
    compute: Compute::Value(|measurement| share(measurement, |job, predicted| job.run > predicted)),
    better: Better::Lower,
    ..SHARE
};

pub static OVERPREDICTED_SHARE: MetricSpec = MetricSpec {
    name: "overpredicted_share",
    definition: "measured jobs that ran shorter than the policy planned for when they started / all measured jobs",
    compute: Compute::Value(|measurement| share(measurement, |job, predicted| job.run < predicted)),
    ..SHARE
};

const SHARE: MetricSpec = MetricSpec {
    unit: Unit::Fraction,
    better: Better::Neither,
    domain: Domain::Share,
    cite: CITE,
    ..MetricSpec::OF_JOBS
};

/// Returns the share of the measured jobs for which a condition holds; `None` if the schedule does not tell what was predicted.
fn share(measurement: &Measurement<'_>, holds: fn(&Served, Time) -> bool) -> Option<f64> {
    let (mut jobs, mut found) = (0_u64, 0_u64);
    for job in measurement.measured() {
        jobs += 1;
        found += u64::from(holds(&job, job.predicted?));
    }
    (jobs > 0).then(|| found as f64 / jobs as f64)
}
