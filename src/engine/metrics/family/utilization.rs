//! The share of the machine that is used, and the share that is demanded.

use batchlab_traces::machine::Sharing;
use batchlab_traces::{Citation, Machine, Time};

use super::FRACHTENBERG05;
use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::outcome::{Got, Interval, IntervalKind, turns_of};
use crate::table::{Better, Unit};

pub static UTILIZATION: MetricSpec = MetricSpec {
    name: "utilization",
    unit: Unit::Fraction,
    better: Better::Higher,
    domain: Domain::Share,
    in_summary: true,
    definition: "sum(procs * run) / (P * makespan), of all jobs of the replay, drain included",
    cite: Citation::of("Zhang et al. 2000, section 2.3", &["zhang01"]),
    compute: Compute::PerResource(utilization),
    ..MetricSpec::OF_REPLAY
};

pub static UTILIZATION_WINDOW: MetricSpec = MetricSpec {
    name: "utilization_window",
    unit: Unit::Fraction,
    better: Better::Higher,
    domain: Domain::Share,
    in_summary: true,
    definition: "processor-seconds busy between first submit + warm-up and last submit / (P * that time)",
    cite: FRACHTENBERG05,
    compute: Compute::PerResource(utilization_window),
    ..MetricSpec::OF_REPLAY
};

pub static OFFERED_LOAD: MetricSpec = MetricSpec {
    name: "offered_load",
    unit: Unit::Fraction,
    better: Better::Neither,
    in_summary: true,
    definition: "sum(procs * run) / (P * (last submit - first submit)), of all jobs of the replay",
    cite: FRACHTENBERG05,
    compute: Compute::PerResource(|measurement, resource| {
        measurement.workload().offered_load(measurement.machine(), resource)
    }),
    ..MetricSpec::OF_REPLAY
};

fn utilization(measurement: &Measurement<'_>, resource: usize) -> Option<f64> {
    let workload = measurement.workload();
    if resource >= workload.kinds() {
        return None;
    }
    let amount = |job| i128::from(workload.demand(job)[resource]);
    let work: i128 = measurement.replayed().map(|job| amount(job.job) * i128::from(job.run.ticks())).sum();
    let window = measurement.window();
    share(work as f64, measurement, resource, window.last_end - window.first_submit)
}

fn utilization_window(measurement: &Measurement<'_>, resource: usize) -> Option<f64> {
    let (workload, window) = (measurement.workload(), measurement.window());
    if resource >= workload.kinds() {
        return None;
    }
    let amount = |job| i128::from(workload.demand(job)[resource]);
    let outcome = measurement.outcome();
    let busy = if outcome.shares_time() {
        // A resident job holds resources shared in space even while it does not run.
        let held = measurement.machine().resources().get(resource)?.sharing == Sharing::Space;
        let share_of_time = |interval: &Interval| match interval.kind {
            _ if held => 1.0,
            IntervalKind::Run => interval.rate,
            _ => 0.0,
        };
        let busy = |interval: &Interval| {
            let inside = window.overlap(interval.from, interval.to) as f64;
            amount(interval.job) as f64 * inside * share_of_time(interval)
        };
        let turns = turns_of(&mut outcome.epochs.iter(), window.from, window.to.max(window.from));
        let in_turns =
            |got: Got| amount(got.job) as f64 * (if held { got.present } else { got.ran }).ticks() as f64;
        outcome.intervals.iter().map(busy).sum::<f64>() + turns.into_iter().map(in_turns).sum::<f64>()
    } else {
        let inside = |from, to| i128::from(window.overlap(from, to));
        measurement.replayed().map(|job| amount(job.job) * inside(job.start, job.end)).sum::<i128>() as f64
    };
    share(busy, measurement, resource, Time::from_ticks(window.ticks()))
}

/// Returns amount × ticks as a fraction of the capacity during a length of time.
fn share(busy: f64, measurement: &Measurement<'_>, resource: usize, length: Time) -> Option<f64> {
    share_of(busy, measurement.machine(), resource, length)
}

/// Returns amount × ticks as a fraction of a machine's capacity during a length of time.
pub(in crate::metrics) fn share_of(
    busy: f64,
    machine: &Machine,
    resource: usize,
    length: Time,
) -> Option<f64> {
    if resource >= machine.kinds() {
        return None;
    }
    let capacity = machine.total(resource) as f64 * length.ticks() as f64;
    (capacity > 0.0).then(|| busy / capacity)
}
