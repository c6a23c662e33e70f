//! The distribution of waits or slowdowns over the jobs of all units.

use super::kind::{PLAIN, PlotKind, Scale, Subject};
use super::pooled::{CdfPoint, pooled};
use super::scene::Scene;
use super::selection::{NOTHING, PlotCell, Selection};
use batchlab_engine::plot::{Axis, Mark, Panel, Stroke, VerticalRange};
use batchlab_study::experiment::UnitKind;
use batchlab_study::experiment::detail::accuracy::RUN_OVER_PREDICTION;
use batchlab_study::experiment::detail::distribution::{DISTRIBUTION, Distribution, QUANTITIES, Quantiles};
use batchlab_study::experiment::detail::promises::PROMISE_ERROR;

pub(super) static CDF: PlotKind = PlotKind {
    name: "cdf",
    what: "the empirical distribution function of wait, response, bounded slowdown or slowdown of jobs",
    subject: Subject::Quantity,
    has_intervals: true,
    log: Some(Scale::Logarithmic),
    detail: Some(&DISTRIBUTION),
    legend: "Share of the measured jobs of all units whose value is at most x, to half a per cent.",
    draw,
    ..PLAIN
};

/// On a logarithmic axis, smaller values are drawn here: one second, or the ratio 1.
pub(super) const LEAST: f64 = 1.0;
/// As [`LEAST`], of ratios that may be below 1.
const LEAST_RATIO: f64 = 0.01;
/// The greatest of these ratios that is drawn at its place.
const GREATEST_RATIO: f64 = 100.0;
/// The number of ranges of a band, about.
const SPANS: usize = 300;

/// The most policies with a band each; of more, the first [`SOME`] have one, as bands hide each other.
const BANDS: usize = 3;
const SOME: usize = 2;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let panel = Panel::new(title, Axis::linear("", 0.0, 1.0), Axis::linear("jobs (%)", 0.0, 100.0));
    curves(scene, part, panel, of_jobs)
}

/// Returns the distributions of the units of a policy at a design point.
type OfPolicy = fn(&Scene<'_>, &PlotCell, usize) -> Option<Vec<Quantiles>>;

/// Returns the distributions over the jobs of a cell.
pub(super) fn of_jobs(scene: &Scene<'_>, cell: &PlotCell, policy: usize) -> Option<Vec<Quantiles>> {
    let units: Vec<Distribution> = scene.details_of_units(&cell.design_point, policy)?;
    Some(units.into_iter().flat_map(|unit| unit.of(cell.class.as_deref())).collect())
}

/// Adds the distribution function of each policy to a panel, whose x axis it replaces.
pub(super) fn curves(
    scene: &Scene<'_>,
    part: &Selection,
    panel: Panel,
    of_policy: OfPolicy,
) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let kind = scene.frame.workloads[cell.design_point.workload].units;
    let mut curves: Vec<(usize, Vec<CdfPoint>)> = Vec::new();
    for &policy in &part.policies {
        let Some(quantities) = of_policy(scene, &cell, policy) else { continue };
        let own: Vec<Quantiles> =
            quantities.into_iter().filter(|own| own.name == scene.spec.metric).collect();
        let shares = pooled(&own, kind, scene.frame.level);
        curves.extend((!shares.is_empty()).then_some((policy, shares)));
    }
    let greatest = curves.iter().filter_map(|(_, shares)| shares.last()).map(|point| point.at);
    let greatest = greatest.fold(LEAST, f64::max);
    if curves.is_empty() {
        return Ok(vec![Panel::without(panel.title(), "no replay has the distribution of its jobs")]);
    }
    let (x, by) = value_axis(scene, greatest);
    let begin = if scene.spec.is_log { x.scale.from() } else { 0.0 };
    let end = x.scale.to();
    let place = |value: f64| (value * by).clamp(begin, end.max(begin));
    let mut panel = panel.with_x(x);
    let banded = if curves.len() > BANDS { SOME } else { BANDS };
    for (policy, shares) in curves.iter().take(banded).filter(|_| scene.spec.has_band) {
        let spans = spans(shares, place);
        if !spans.is_empty() {
            note_band(scene, kind, curves.len());
            panel = panel.mark(Mark::Band(scene.look(*policy), spans));
        }
    }
    for (policy, shares) in curves {
        let steps = shares.iter().map(|point| (place(point.at), point.share * 100.0));
        let points = [(begin, 0.0)].into_iter().chain(steps).collect();
        panel = panel.steps(scene.policy(policy), Stroke::Of(scene.look(policy)), points);
    }
    Ok(vec![panel])
}

/// Returns the ranges of a curve, thinned to about the number that can be seen.
fn spans(shares: &[CdfPoint], place: impl Fn(f64) -> f64) -> Vec<VerticalRange> {
    let every = shares.len().div_ceil(SPANS).max(1);
    let last = shares.len().saturating_sub(1);
    let kept = shares.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
    let span = |(_, point): (usize, &CdfPoint)| {
        let (low, high) = point.range?;
        Some(VerticalRange { x: place(point.at), low: low * 100.0, high: high * 100.0 })
    };
    kept.filter_map(span).collect()
}

fn note_band(scene: &Scene<'_>, kind: UnitKind, curves: usize) {
    if curves > BANDS {
        scene
            .note(format!("Bands are drawn for the first {SOME} policies only: more would hide each other."));
    }
    if kind == UnitKind::Shaken {
        scene.note("Bands are the least and the greatest share under input shaking.");
        return;
    }
    let percent = format!("{:.4}", scene.frame.level * 100.0);
    let percent = percent.trim_end_matches('0').trim_end_matches('.');
    scene.note(format!(
        "Bands are {percent} % confidence intervals over units, for each value alone (ratio of totals, Student's t)."
    ));
}

/// Returns the axis of the values of a quantity, and the factor applied to them.
pub(super) fn value_axis(scene: &Scene<'_>, greatest: f64) -> (Axis, f64) {
    let metric = &scene.spec.metric;
    let is_time =
        metric == PROMISE_ERROR || QUANTITIES.iter().any(|(known, is_time)| known == metric && *is_time);
    let name = scene.words(metric);
    if metric == RUN_OVER_PREDICTION && scene.spec.is_log {
        scene.note("Ratios below 0.01 are drawn at 0.01, and those above 100 at 100.");
        return (Axis::log(name, LEAST_RATIO, greatest.clamp(10.0, GREATEST_RATIO)), 1.0);
    }
    match (is_time, scene.spec.is_log) {
        (true, true) => {
            scene.note("Times below 1 s are drawn at 1 s.");
            (Axis::lengths(name, LEAST, greatest.max(10.0)), 1.0)
        }
        (false, true) => (Axis::log(name, LEAST, greatest.max(10.0)), 1.0),
        (true, false) => (Axis::linear(format!("{name} (h)"), 0.0, greatest / 3600.0), 1.0 / 3600.0),
        (false, false) => (Axis::linear(name, 0.0, greatest), 1.0),
    }
}
