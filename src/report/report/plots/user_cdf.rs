//! The distribution over users of their mean waits or slowdowns.

use super::cdf::curves;
use super::kind::{PLAIN, PlotKind, Scale, Subject};
use super::scene::Scene;
use super::selection::Selection;
use batchlab_engine::plot::{Axis, Panel};
use batchlab_study::experiment::detail::users::{USERS, UserQuantities};

pub(super) static USER_CDF: PlotKind = PlotKind {
    name: "user-cdf",
    what: "the distribution over users of their mean wait, response, bounded slowdown or slowdown",
    subject: Subject::Quantity,
    has_intervals: true,
    log: Some(Scale::Logarithmic),
    detail: Some(&USERS),
    legend: "Share of the known users of all units whose jobs have a mean of at most x, to half a per cent; every user of a \
             unit counts once.",
    draw,
    ..PLAIN
};

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let y = Axis::linear("users (%)", 0.0, 100.0);
    curves(scene, part, Panel::new(title, Axis::linear("", 0.0, 1.0), y), |scene, cell, policy| {
        let units: Vec<UserQuantities> = scene.details_of_units(&cell.design_point, policy)?;
        Some(units.into_iter().flat_map(|unit| unit.quantities).map(|of| of.quantiles).collect())
    })
}
