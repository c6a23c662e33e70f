//! The distribution of waits or slowdowns over the jobs of one replay.

use super::kind::{PlotKind, Spread, Subject};
use super::scene::Scene;
use super::selection::{NOTHING, Selection};
use crate::experiment::detail::distribution::{DISTRIBUTION, Distribution, QUANTITIES, shares};
use crate::plot::{Axis, Panel, Point, Stroke};

/// The `cdf` kind: distribution functions.
pub(super) static CDF: PlotKind = PlotKind {
    name: "cdf",
    what: "the empirical distribution function of wait, response, bounded slowdown or slowdown of jobs",
    subject: Subject::Quantity,
    spread: Spread::Nothing,
    log: Some(true),
    detail: Some(&DISTRIBUTION),
    legend: "Share of the measured jobs of one replay whose value is at most x. Jobs of one replay depend on each \
             other: the curves have no intervals.",
    draw,
};

/// On a logarithmic axis, smaller values are drawn here: one second, or the ratio 1.
const LEAST: f64 = 1.0;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let mut curves: Vec<(usize, Vec<f64>)> = Vec::new();
    for &policy in &part.policies {
        let distribution: Distribution = match scene.detail(&cell.design_point, policy) {
            Ok(distribution) => distribution,
            Err(reason) => {
                scene.note(format!("{}: {reason}.", scene.policy(policy)));
                continue;
            }
        };
        let own = distribution.quantities.into_iter().find(|quantity| quantity.name == scene.spec.metric);
        curves.extend(own.filter(|own| !own.values.is_empty()).map(|own| (policy, own.values)));
    }
    let greatest = curves.iter().filter_map(|(_, values)| values.last()).copied().fold(LEAST, f64::max);
    if curves.is_empty() {
        return Ok(vec![Panel::without(title, "no replay has the distribution of its jobs")]);
    }
    let (x, by) = x_axis(scene, greatest);
    let mut panel = Panel::new(title, x, Axis::linear("jobs (%)", 0.0, 100.0));
    for (policy, values) in curves {
        let points = points(&values, by, scene.spec.is_log);
        panel = panel.steps(scene.policy(policy), Stroke::Of(scene.look(policy)), points);
    }
    Ok(vec![panel])
}

/// Returns the axis of the values, and the factor applied to them.
fn x_axis(scene: &Scene<'_>, greatest: f64) -> (Axis, f64) {
    let name = &scene.spec.metric;
    let is_time = QUANTITIES.iter().any(|(known, is_time)| known == name && *is_time);
    match (is_time, scene.spec.is_log) {
        (true, true) => {
            scene.note("Times below 1 s are drawn at 1 s.");
            (Axis::lengths(format!("{name}, logarithmic"), LEAST, greatest.max(10.0)), 1.0)
        }
        (false, true) => (Axis::log(format!("{name}, logarithmic"), LEAST, greatest.max(10.0)), 1.0),
        (true, false) => (Axis::linear(format!("{name} (h)"), 0.0, greatest / 3600.0), 1.0 / 3600.0),
        (false, false) => (Axis::linear(name.as_str(), 0.0, greatest), 1.0),
    }
}

/// Returns the steps of a distribution function: the share of jobs, in per cent, up to each value.
fn points(values: &[f64], by: f64, is_log: bool) -> Vec<Point> {
    let begin = if is_log { LEAST } else { 0.0 };
    let steps = values.iter().zip(shares()).map(|(value, share)| ((value * by).max(begin), share * 100.0));
    [(begin, 0.0)].into_iter().chain(steps).collect()
}
