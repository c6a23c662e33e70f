//! How well a policy predicts starts: the distance between the start that jobs were promised first and their start.

use super::cdf::curves;
use super::kind::{Panels, PlotKind, Scale, Spread, Subject};
use super::scene::Scene;
use super::selection::Selection;
use crate::experiment::DesignPoint;
use crate::experiment::detail::distribution::Distribution;
use crate::experiment::detail::promises::{PROMISE_ERROR, PROMISES};
use batchlab_engine::plot::{Axis, Panel};

/// The `promise-cdf` kind.
pub(super) static PROMISE_CDF: PlotKind = PlotKind {
    name: "promise-cdf",
    what: "how far jobs start from the start that the policy promised them first, by its reservation",
    subject: Subject::Fixed(PROMISE_ERROR),
    spread: Spread::Nothing,
    axis: "x",
    panels: Panels::Grid,
    has_intervals: true,
    has_units: false,
    letters: None,
    marks_published: false,
    log: Some(Scale::Logarithmic),
    detail: Some(&PROMISES),
    statistic: None,
    legend: "Share of the measured jobs with a promised start, of all units, whose start is at most x before or after the \
             first promise, to half a per cent.",
    draw,
};

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let of_policy = |point: &DesignPoint, policy: usize| {
        let units: Vec<Distribution> = scene.details_of_units(point, policy)?;
        Ok(units.into_iter().flat_map(|unit| unit.quantities).collect())
    };
    let y = Axis::linear("jobs with a promise (%)", 0.0, 100.0);
    curves(scene, part, Panel::new(title, Axis::linear("", 0.0, 1.0), y), &of_policy)
}
