//! The waits or slowdowns of jobs as boxes, one for each policy.

use super::boxes::{BoxSummary, PlacedBox, with_boxes, x_axis};
use super::cdf::{LEAST, value_axis};
use super::kind::{Panels, PlotKind, Scale, Spread, Subject};
use super::pooled::pooled;
use super::scene::Scene;
use super::selection::Selection;
use crate::experiment::UnitKind;
use crate::experiment::detail::distribution::{DISTRIBUTION, Distribution, Quantiles};
use crate::plot::Panel;

/// The `job-box` kind.
pub(super) static JOB_BOX: PlotKind = PlotKind {
    name: "job-box",
    what: "wait, response, bounded slowdown or slowdown of jobs as box plot, one box for each policy",
    subject: Subject::Quantity,
    spread: Spread::Names,
    axis: "x",
    panels: Panels::Grid,
    has_intervals: false,
    has_units: false,
    marks_published: false,
    log: Some(Scale::Logarithmic),
    detail: Some(&DISTRIBUTION),
    statistic: None,
    legend: "One box for each policy over the measured jobs of all units: quartiles with the median, whiskers at 5 and at \
             95 per cent of the jobs, to half a per cent.",
    draw,
};

/// The shares of jobs at the ends of the whiskers, at the ends of the box and at its median.
const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

#[expect(clippy::unnecessary_wraps, reason = "other kinds of plots may fail")]
fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let groups = part.split(scene.spec.spread);
    let mut boxes = Vec::new();
    for (group, selection) in groups.iter().enumerate() {
        for (place, &policy) in part.policies.iter().enumerate() {
            let summary = selection.cell().and_then(|cell| {
                match scene.details_of_units::<Distribution>(&cell.design_point, policy) {
                    Ok(units) => summary(units, &scene.spec.metric),
                    Err(reason) => {
                        scene.note(format!("{}: {reason}.", scene.policy(policy)));
                        None
                    }
                }
            });
            boxes.push(PlacedBox { group, place, summary });
        }
    }
    let ends = boxes.iter().filter_map(|one| one.summary.as_ref()).flat_map(BoxSummary::ends);
    let greatest = ends.fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return Ok(vec![Panel::without(title, "no replay has the distribution of its jobs")]);
    }
    let (y, by) = value_axis(scene, greatest.max(LEAST));
    let begin = if scene.spec.is_log { LEAST } else { 0.0 };
    let panel = Panel::new(title, x_axis(scene, &groups), y);
    Ok(vec![with_boxes(scene, panel, &part.policies, &boxes, |value| (value * by).max(begin))])
}

/// Pools the jobs of units.
fn summary(units: Vec<Distribution>, quantity: &str) -> Option<BoxSummary> {
    let quantities = units.into_iter().flat_map(|unit| unit.quantities);
    let own: Vec<Quantiles> = quantities.filter(|own| own.name == quantity).collect();
    let jobs: usize = own.iter().map(|unit| unit.jobs).sum();
    let points = pooled(&own, UnitKind::One, 0.95);
    let last = points.last()?.at;
    // Shares are sums of products; the slack is far below half a per cent.
    let at =
        |share: f64| points.iter().find(|point| point.share >= share - 1e-9).map_or(last, |point| point.at);
    Some(BoxSummary { five: SHARES.map(at), mean: None, beyond: Vec::new(), of: format!("{jobs} jobs") })
}
