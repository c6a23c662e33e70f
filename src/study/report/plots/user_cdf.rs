//! The distribution over users of their mean waits or slowdowns.

use super::cdf::curves;
use super::kind::{Panels, PlotKind, Scale, Spread, Subject};
use super::scene::Scene;
use super::selection::Selection;
use crate::experiment::DesignPoint;
use crate::experiment::detail::users::{USERS, UserQuantities};
use batchlab_engine::plot::{Axis, Panel};

/// The `user-cdf` kind.
pub(super) static USER_CDF: PlotKind = PlotKind {
    name: "user-cdf",
    what: "the distribution over users of their mean wait, response, bounded slowdown or slowdown",
    subject: Subject::Quantity,
    spread: Spread::Nothing,
    axis: "x",
    panels: Panels::Grid,
    has_intervals: true,
    has_units: false,
    letters: None,
    marks_published: false,
    log: Some(Scale::Logarithmic),
    detail: Some(&USERS),
    statistic: None,
    legend: "Share of the known users of all units whose jobs have a mean of at most x, to half a per cent; every user of a \
             unit counts once.",
    draw,
};

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let of_policy = |point: &DesignPoint, policy: usize| {
        let units: Vec<UserQuantities> = scene.details_of_units(point, policy)?;
        Ok(units.into_iter().flat_map(|unit| unit.quantities).map(|of| of.quantiles).collect())
    };
    let y = Axis::linear("users (%)", 0.0, 100.0);
    curves(scene, part, Panel::new(title, Axis::linear("", 0.0, 1.0), y), &of_policy)
}
