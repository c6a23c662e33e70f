//! How well a policy predicts starts: the distance between the start that jobs were promised first and their start.

use super::cdf::{curves, of_jobs};
use super::kind::{PLAIN, PlotKind, Scale, Subject};
use super::scene::Scene;
use super::selection::Selection;
use batchlab_engine::plot::{Axis, Panel};
use batchlab_study::experiment::detail::promises::{PROMISE_ERROR, PROMISES};

pub(super) static PROMISE_CDF: PlotKind = PlotKind {
    name: "promise-cdf",
    what: "how far jobs start from the start that the policy promised them first, by its reservation",
    subject: Subject::Fixed(PROMISE_ERROR),
    has_intervals: true,
    log: Some(Scale::Logarithmic),
    detail: Some(&PROMISES),
    legend: "Share of the measured jobs with a promised start, of all units, whose start is at most x before or after the \
             first promise, to half a per cent.",
    draw,
    ..PLAIN
};

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let y = Axis::linear("jobs with a promise (%)", 0.0, 100.0);
    curves(scene, part, Panel::new(title, Axis::linear("", 0.0, 1.0), y), of_jobs)
}
