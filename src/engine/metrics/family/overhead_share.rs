//! The share of the machine that switches, migrations and swaps take.

use batchlab_support::Rate;
use batchlab_traces::Citation;

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::outcome::{Interval, IntervalKind, turns_of};
use crate::table::Unit;

/// Processors held without progress, over capacity until the last end.
///
/// A job that is swapped out does not hold its processors, and a job that is being read in holds them only if
/// no other job has a slice on them meanwhile. Utilization, this share and the share of processors that no job holds add up to 1.
pub static OVERHEAD_SHARE: MetricSpec = MetricSpec {
    name: "overhead_share",
    unit: Unit::Fraction,
    domain: Domain::Share,
    definition: "processor-seconds that jobs held while they were switched to, migrated or read in / (P * makespan), \
                 of all jobs of the replay",
    cite: Citation::of("Zhang et al. 2000, section 4.4", &["zhang01"]),
    compute: Compute::Value(|measurement| {
        let window = measurement.window();
        let length = (window.last_end - window.first_submit).ticks() as f64;
        let capacity = measurement.machine().procs() as f64 * length;
        (capacity > 0.0).then(|| held_without_progress(measurement) / capacity)
    }),
    ..MetricSpec::OF_REPLAY
};

/// Returns processors × ticks.
fn held_without_progress(measurement: &Measurement<'_>) -> f64 {
    let (outcome, window) = (measurement.outcome(), measurement.window());
    let procs = |job| i128::from(measurement.workload().procs(job));
    let whole = i128::from(Rate::WHOLE);
    let stretch = |interval: &Interval| {
        let parts = (interval.rate * f64::from(Rate::WHOLE)).round() as i128;
        procs(interval.job) * i128::from((interval.to - interval.from).ticks()) * parts
    };
    let without = |interval: &&Interval| interval.kind != IntervalKind::Run;
    let intervals: i128 = outcome.intervals.iter().filter(without).map(stretch).sum();
    let turns = turns_of(&mut outcome.epochs.iter(), window.first_submit, window.last_end);
    let turns: i128 =
        turns.into_iter().map(|got| procs(got.job) * i128::from((got.held - got.ran).ticks())).sum();
    (intervals + turns * whole) as f64 / whole as f64
}
