//! The number of jobs that share a processor.

use batchlab_traces::Citation;

use crate::metrics::measurement::Measurement;
use crate::metrics::residency::changes;
use crate::metrics::spec::{Compute, MetricSpec};
use crate::table::{Better, Unit};

/// Mean over time.
///
/// Zhang et al. and Setia et al. use the number of rows of the matrix, which is an upper bound; this is the actual value.
pub static MULTIPROGRAMMING_LEVEL: MetricSpec = MetricSpec {
    name: "multiprogramming_level",
    unit: Unit::Jobs,
    better: Better::Neither,
    definition: "jobs on the machine per processor, those that are paused, switched to, migrated or swapped included, \
                 as a mean over all processors and the makespan: sum(procs * time on the machine) / (P * makespan)",
    cite: Citation::of(
        "Zhang et al. 2000, section 4.1; Setia et al. 1999, section 4.3",
        &["zhang01", "setia99"],
    ),
    compute: Compute::Value(|measurement| {
        let window = measurement.window();
        let length = (window.last_end - window.first_submit).ticks() as f64;
        let capacity = measurement.machine().procs() as f64 * length;
        (capacity > 0.0).then(|| levels(measurement).0 as f64 / capacity)
    }),
    ..MetricSpec::OF_REPLAY
};

pub static MAX_MULTIPROGRAMMING_LEVEL: MetricSpec = MetricSpec {
    name: "max_multiprogramming_level",
    unit: Unit::Jobs,
    better: Better::Neither,
    definition: "jobs on the machine per processor, as a mean over all processors, at the time when that is largest",
    cite: Citation::of(
        "Zhang et al. 2000, section 4.1; Setia et al. 1999, section 4.3",
        &["zhang01", "setia99"],
    ),
    compute: Compute::Value(|measurement| {
        let procs = measurement.machine().procs() as f64;
        (procs > 0.0 && measurement.replayed().next().is_some()).then(|| levels(measurement).1 as f64 / procs)
    }),
    ..MetricSpec::OF_REPLAY
};

/// Returns processors × ticks of the jobs on the machine, where a processor counts once for each of its jobs,
/// and the greatest number of processors so counted at a time. O(n log n).
fn levels(measurement: &Measurement<'_>) -> (i128, i128) {
    let mut changes = changes(measurement);
    changes.sort_unstable_by_key(|change| change.at);
    let (mut sum, mut most, mut present) = (0_i128, 0_i128, 0_i128);
    let mut since = changes.first().map(|change| change.at).unwrap_or_default();
    for instant in changes.chunk_by(|a, b| a.at == b.at) {
        let at = instant[0].at;
        sum += present * i128::from((at - since).ticks());
        since = at;
        let procs = |job| i128::from(measurement.workload().procs(job));
        present += instant.iter().map(|change| i128::from(change.by) * procs(change.job)).sum::<i128>();
        most = most.max(present);
    }
    (sum, most)
}
