//! The number of jobs and users behind the means.

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{Citation, Field};

use crate::metrics::spec::{Compute, MetricSpec};
use crate::outcome::Fate;
use crate::table::{Better, Unit};

pub static JOBS: MetricSpec = MetricSpec {
    name: "jobs",
    unit: Unit::Count,
    better: Better::Neither,
    in_summary: true,
    definition: "number of jobs measured, after prefix, warm-up and cool-down",
    cite: Citation::of("a plain count", &[]),
    compute: Compute::Value(|measurement| Some(measurement.jobs().len() as f64)),
    ..MetricSpec::OF_JOBS
};

pub static USERS: MetricSpec = MetricSpec {
    name: "users",
    unit: Unit::Count,
    better: Better::Neither,
    in_summary: true,
    definition: "number of different users among the measured jobs; unknown users are not counted",
    cite: Citation::of("a plain count", &[]),
    compute: Compute::Value(|measurement| {
        let user = |&job| measurement.workload().attribute(job, Field::User);
        let users: SortedSet<i64> = measurement.jobs().iter().map(user).filter(|&user| user >= 0).collect();
        Some(users.len() as f64)
    }),
    ..MetricSpec::OF_JOBS
};

pub static KILLED: MetricSpec = MetricSpec {
    name: "killed",
    unit: Unit::Count,
    in_summary: true,
    definition: "number of measured jobs that the policy killed; in every metric the run time of such a job is \
                 the service that it received before",
    cite: Citation::of("a plain count", &[]),
    compute: Compute::Value(|measurement| {
        let killed = |job: &&_| measurement.outcome().fate(**job) == Fate::Killed;
        Some(measurement.jobs().iter().filter(killed).count() as f64)
    }),
    ..MetricSpec::OF_JOBS
};

pub static REJECTED: MetricSpec = MetricSpec {
    name: "rejected",
    unit: Unit::Count,
    definition: "number of jobs that the policy rejected: a job that never started counts in no other metric",
    cite: Citation::of("a plain count", &[]),
    compute: Compute::Value(|measurement| Some(measurement.rejected().len() as f64)),
    ..MetricSpec::OF_JOBS
};
