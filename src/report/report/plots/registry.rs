//! The kinds of plots, one line each.

use batchlab_traces::word_of_toml;

use super::kind::PlotKind;

pub static KINDS: &[&PlotKind] = &[
    &super::lines::LINES,
    &super::bars::BARS,
    &super::forest::FOREST,
    &super::cdf::CDF,
    &super::heatmap::HEATMAP,
    &super::timeline::TIMELINE,
    &super::gantt::GANTT,
    &super::density::DENSITY,
    &super::boxes::BOX,
    &super::job_boxes::JOB_BOX,
    &super::scatter::SCATTER,
    &super::load_grid::LOAD_GRID,
    &super::job_scatter::JOB_SCATTER,
    &super::weeks::WEEKS,
    &super::user_cdf::USER_CDF,
    &super::lorenz::LORENZ,
    &super::ranks::RANKS,
    &super::promise_cdf::PROMISE_CDF,
    &super::accuracy::ACCURACY,
    &super::accuracy_cdf::ACCURACY_CDF,
];

word_of_toml!(&'static PlotKind, &KINDS.iter().map(|&kind| (kind.name, kind)).collect::<Vec<_>>());

impl PlotKind {
    /// Returns the kind with a given name.
    pub fn find(name: &str) -> Option<&'static PlotKind> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }
}
