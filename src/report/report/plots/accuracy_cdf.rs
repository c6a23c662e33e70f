//! How accurate predictions were: the distribution function of run time / predicted run time.

use super::cdf::{curves, of_jobs};
use super::kind::{PLAIN, PlotKind, Scale, Subject};
use super::scene::Scene;
use super::selection::Selection;
use batchlab_engine::plot::{Axis, Mark, Panel, Stroke};
use batchlab_study::experiment::detail::accuracy::{ACCURACY, RUN_OVER_PREDICTION};

pub(super) static ACCURACY_CDF: PlotKind = PlotKind {
    name: "accuracy-cdf",
    what: "the distribution of run time / run time by which the policy planned: its prediction or the estimate",
    subject: Subject::Fixed(RUN_OVER_PREDICTION),
    has_intervals: true,
    log: Some(Scale::Logarithmic),
    detail: Some(&ACCURACY),
    legend: "Share of the measured jobs of all units whose run time is at most x times the run time by which the policy \
             planned, to half a per cent. At the thin line predictions are exact; to its left jobs were predicted too \
             long, to its right too short.",
    draw,
    ..PLAIN
};

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let exact = Mark::Line(Stroke::Thin, vec![(1.0, 0.0), (1.0, 100.0)]);
    let panel = Panel::new(title, Axis::linear("", 0.0, 1.0), Axis::linear("jobs (%)", 0.0, 100.0));
    curves(scene, part, panel.mark(exact), of_jobs)
}
