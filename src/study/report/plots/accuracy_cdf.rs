//! How accurate predictions were: the distribution function of run time / predicted run time.

use super::cdf::curves;
use super::kind::{Panels, PlotKind, Scale, Spread, Subject};
use super::scene::Scene;
use super::selection::Selection;
use crate::experiment::DesignPoint;
use crate::experiment::detail::accuracy::{ACCURACY, RUN_OVER_PREDICTION};
use crate::experiment::detail::distribution::Distribution;
use batchlab_engine::plot::{Axis, Mark, Panel, Stroke};

/// The `accuracy-cdf` kind.
pub(super) static ACCURACY_CDF: PlotKind = PlotKind {
    name: "accuracy-cdf",
    what: "the distribution of run time / run time by which the policy planned: its prediction or the estimate",
    subject: Subject::Fixed(RUN_OVER_PREDICTION),
    spread: Spread::Nothing,
    axis: "x",
    panels: Panels::Grid,
    has_intervals: true,
    has_units: false,
    letters: None,
    marks_published: false,
    log: Some(Scale::Logarithmic),
    detail: Some(&ACCURACY),
    statistic: None,
    legend: "Share of the measured jobs of all units whose run time is at most x times the run time by which the policy \
             planned, to half a per cent. At the thin line predictions are exact; to its left jobs were predicted too \
             long, to its right too short.",
    draw,
};

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let of_policy = |point: &DesignPoint, policy: usize| {
        let units: Vec<Distribution> = scene.details_of_units(point, policy)?;
        Ok(units.into_iter().flat_map(|unit| unit.quantities).collect())
    };
    let exact = Mark::Line(Stroke::Thin, vec![(1.0, 0.0), (1.0, 100.0)]);
    let panel = Panel::new(title, Axis::linear("", 0.0, 1.0), Axis::linear("jobs (%)", 0.0, 100.0));
    curves(scene, part, panel.mark(exact), &of_policy)
}
