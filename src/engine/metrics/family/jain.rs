//! Fairness among users.

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Citation, Field};

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::table::{Better, Unit};

pub static JAIN: MetricSpec = MetricSpec {
    name: "jain",
    unit: Unit::Ratio,
    better: Better::Higher,
    domain: Domain::Share,
    in_summary: true,
    definition: "(sum x)^2 / (m * sum x^2) over the mean bsld x of each of the m known users: 1 when all fare \
                 alike, 1/m when one bears all; undefined for fewer than two known users",
    cite: Citation::of("Jain, Chiu and Hawe 1984, A Quantitative Measure of Fairness", &["jain84"]),
    compute: Compute::Value(jain),
    ..MetricSpec::OF_JOBS
};

fn jain(measurement: &Measurement<'_>) -> Option<f64> {
    let mut users: SortedMap<i64, (f64, f64)> = SortedMap::new();
    for job in measurement.measured() {
        let user = measurement.workload().attribute(job.job, Field::User);
        let Some(slowdown) = job.bounded_slowdown(measurement.options().tau).filter(|_| user >= 0) else {
            continue;
        };
        let (sum, jobs) = users.entry(user).or_default();
        *sum += slowdown;
        *jobs += 1.0;
    }
    index(&users.values().map(|(sum, jobs)| sum / jobs).collect::<Vec<f64>>())
}

/// Returns Jain's index of the means of users; `None` of fewer than two, among whom there is nothing to be fair about, and if all
/// are 0.
pub fn index(means: &[f64]) -> Option<f64> {
    let (sum, squares): (f64, f64) = (means.iter().sum(), means.iter().map(|mean| mean * mean).sum());
    (means.len() > 1 && squares > 0.0).then(|| sum * sum / (means.len() as f64 * squares))
}
