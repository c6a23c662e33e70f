//! Loss of capacity: idle processors while jobs wait.

use crate::metrics::spec::{Better, Bound, Compute, MetricSpec, Scope, Unit};

/// Zhang's κ without the term for context switches.
pub static LOSS_OF_CAPACITY: MetricSpec = MetricSpec {
    name: "loss_of_capacity",
    unit: Unit::Fraction,
    better: Better::Lower,
    scope: Scope::Replay,
    bound: Bound::None,
    in_summary: true,
    definition: "sum over the intervals between arrivals and terminations of mean idle processors * length * \
                 (1 if a job waits after the decision at the interval's beginning, else 0) / (P * makespan)",
    cite: "Zhang et al. 2000, equation 2",
    compute: Compute::Value(|measurement| {
        let window = measurement.window();
        let length = (window.last_end - window.first_submit).ticks() as f64;
        let capacity = measurement.machine().procs() as f64 * length;
        (capacity > 0.0).then(|| measurement.timeline().idle_while_waiting / capacity)
    }),
};
