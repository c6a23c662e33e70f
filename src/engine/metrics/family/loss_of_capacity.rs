//! Loss of capacity: idle processors while jobs wait.

use batchlab_traces::Citation;

use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::metrics::timeline::Timeline;
use crate::table::Unit;

/// Zhang's κ, with the term for context switches if rows share time.
///
/// A node is empty if no job holds it; jobs that switch, migrate or are read in hold theirs. The number of empty nodes between
/// two events is a mean over time, as slices differ in length; slices that an event cuts short count as whole ones in T · CS · s
/// · n. If only jobs that did not run just before pay for a switch, their payments replace this term. A suspended job that is off
/// the machine counts as waiting; a job in a row whose first slice is still to come does not.
pub static LOSS_OF_CAPACITY: MetricSpec = MetricSpec {
    name: "loss_of_capacity",
    unit: Unit::Fraction,
    domain: Domain::Share,
    in_summary: true,
    definition: "sum over the intervals between arrivals and terminations of mean idle processors * length * \
                 (1 if a job waits after the decision at the interval's beginning, else 0) / (P * makespan); with \
                 context switches, their time * slices * occupied processors is added",
    cite: Citation::of("Zhang et al. 2000, equations 2 and 3", &["zhang01"]),
    compute: Compute::Value(|measurement| {
        let window = measurement.window();
        let length = (window.last_end - window.first_submit).ticks() as f64;
        let capacity = measurement.machine().procs() as f64 * length;
        let lost = |timeline: &Timeline| timeline.idle_while_waiting + timeline.switching_while_waiting;
        (capacity > 0.0).then(|| lost(measurement.timeline()) / capacity)
    }),
    ..MetricSpec::OF_REPLAY
};
