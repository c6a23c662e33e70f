//! Work that jobs lost, and time for which they were suspended.

use std::collections::HashMap;

use batchlab_traces::{Citation, JobId, Time};

use super::KETTIMUTHU05;
use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, JobValue, MetricSpec, Quantity};
use crate::outcome::{Fate, IntervalKind, LostRun};
use crate::table::Unit;

pub static LOST_WORK: MetricSpec = MetricSpec {
    name: "lost_work",
    unit: Unit::ProcSeconds,
    definition: "processor-seconds that jobs had executed when they lost their work: requeued or cancelled by preemption, \
                 requeued or killed by an outage, or killed by the policy; of all jobs of the replay",
    cite: Citation::of("a plain sum", &[]),
    compute: Compute::Value(|measurement| Some(lost_work(measurement))),
    ..MetricSpec::OF_REPLAY
};

pub static SUSPENDED: MetricSpec = MetricSpec {
    name: "suspended",
    unit: Unit::Seconds,
    definition: "stalled - overhead: time between a job's start and its end in which it did not have its processors; 0 in \
                 space sharing without preemption by suspension",
    cite: KETTIMUTHU05,
    compute: Compute::PerJob(&Quantity {
        name: "suspended",
        value: JobValue::Ratio(|job, _| {
            Some((job.stalled() - job.service?.overhead()).max(Time::ZERO).secs())
        }),
    }),
    ..MetricSpec::OF_JOBS
};

fn lost_work(measurement: &Measurement<'_>) -> f64 {
    let (workload, outcome) = (measurement.workload(), measurement.outcome());
    let area = |job: JobId, time: Time| i128::from(workload.procs(job)) * i128::from(time.ticks());
    let killed = measurement.replayed().filter(|served| outcome.fate(served.job) == Fate::Killed);
    let killed: i128 = killed.map(|served| area(served.job, served.run)).sum();
    let mut paused: HashMap<JobId, Vec<(Time, Time)>> = HashMap::new();
    for interval in outcome.intervals.iter().filter(|interval| interval.kind == IntervalKind::Paused) {
        paused.entry(interval.job).or_default().push((interval.from, interval.to));
    }
    let executed = |run: &LostRun| {
        let of_run = paused.get(&run.job).into_iter().flatten();
        let within = of_run.filter(|&&(from, to)| from >= run.from && to <= run.to);
        within.fold(run.to - run.from, |time, &(from, to)| time - (to - from))
    };
    let requeued: i128 = outcome.lost.iter().map(|run| area(run.job, executed(run))).sum();
    (killed + requeued) as f64 / 1e6
}
