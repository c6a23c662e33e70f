//! Loss of capacity: idle processors while jobs wait.

use crate::table::{Better, Unit};

use crate::metrics::spec::{Bound, Compute, Domain, MetricSpec, Scope};
use crate::metrics::timeline::Timeline;

/// Zhang's κ, with the term for context switches where rows take turns.
///
/// Nodes are empty that nobody holds: who switches, migrates or is read in holds its own. The nodes left empty between
/// two events are a mean over time, slices being of different lengths; slices that an event cuts short count as whole
/// ones in T · CS · s · n. Where only those pay for a switch who did not run just before, what they pay stands for it.
/// A suspended job that is off the machine waits in the queue; one in a row whose first slice is to come does not.
pub static LOSS_OF_CAPACITY: MetricSpec = MetricSpec {
    name: "loss_of_capacity",
    unit: Unit::Fraction,
    better: Better::Lower,
    domain: Domain::Share,
    scope: Scope::Replay,
    bound: Bound::None,
    in_summary: true,
    definition: "sum over the intervals between arrivals and terminations of mean idle processors * length * \
                 (1 if a job waits after the decision at the interval's beginning, else 0) / (P * makespan); with \
                 context switches, their time * slices * occupied processors is added",
    cite: "Zhang et al. 2000, equations 2 and 3",
    compute: Compute::Value(|measurement| {
        let window = measurement.window();
        let length = (window.last_end - window.first_submit).ticks() as f64;
        let capacity = measurement.machine().procs() as f64 * length;
        let lost = |timeline: &Timeline| timeline.idle_while_waiting + timeline.switching_while_waiting;
        (capacity > 0.0).then(|| lost(measurement.timeline()) / capacity)
    }),
};
