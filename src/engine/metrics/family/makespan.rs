use super::FEITELSON98;
use crate::metrics::spec::{Bound, Compute, MetricSpec};
use crate::table::Unit;

pub static MAKESPAN: MetricSpec = MetricSpec {
    name: "makespan",
    unit: Unit::Seconds,
    bound: Bound::Makespan,
    in_summary: true,
    definition: "last end - first submit, of all jobs of the replay",
    cite: FEITELSON98,
    compute: Compute::Value(|measurement| {
        let window = measurement.window();
        (measurement.replayed().next().is_some()).then(|| (window.last_end - window.first_submit).secs())
    }),
    ..MetricSpec::OF_REPLAY
};
