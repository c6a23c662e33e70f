//! The waits or slowdowns of jobs as boxes, one for each policy.

use super::boxes::{BoxSummary, PlacedBox, with_boxes, x_axis};
use super::cdf::{LEAST, of_jobs, value_axis};
use super::kind::{PLAIN, PlotKind, Scale, Spread, Subject};
use super::letters;
use super::pooled::{CdfPoint, pooled};
use super::scene::Scene;
use super::selection::Selection;
use batchlab_engine::plot::Panel;
use batchlab_study::experiment::UnitKind;
use batchlab_study::experiment::detail::distribution::{DISTRIBUTION, Quantiles};

pub(super) static JOB_BOX: PlotKind = PlotKind {
    name: "job-box",
    what: "wait, response, bounded slowdown or slowdown of jobs as box plot, one box for each policy",
    subject: Subject::Quantity,
    spread: Spread::Names,
    letters: Some(letters::LEGEND),
    log: Some(Scale::Logarithmic),
    detail: Some(&DISTRIBUTION),
    legend: "One box for each policy over the measured jobs of all units: quartiles with the median, whiskers at 5 and at \
             95 per cent of the jobs, to half a per cent.",
    draw,
    ..PLAIN
};

/// The shares of jobs at the ends of the whiskers, at the ends of the box and at its median.
const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The least share of jobs beyond a letter value: distributions are recorded to half a per cent.
const LEAST_SHARE: f64 = 1.0 / 256.0;

#[expect(clippy::unnecessary_wraps, reason = "other kinds of plots may fail")]
fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let groups = part.split(scene.spec.spread);
    let mut boxes = Vec::new();
    for (group, selection) in groups.iter().enumerate() {
        for (place, &policy) in part.policies.iter().enumerate() {
            let units = selection.cell().and_then(|cell| of_jobs(scene, &cell, policy));
            let has_letters = scene.spec.letters.is_some();
            let summary = units.and_then(|units| summary(units, &scene.spec.metric, has_letters));
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
fn summary(quantities: Vec<Quantiles>, quantity: &str, has_letters: bool) -> Option<BoxSummary> {
    let own: Vec<Quantiles> = quantities.into_iter().filter(|own| own.name == quantity).collect();
    let jobs: usize = own.iter().map(|unit| unit.jobs).sum();
    let points = pooled(&own, UnitKind::One, 0.95);
    points.last()?;
    let letters: Vec<(f64, f64)> = if has_letters {
        let shares = (2..).map(|letter| 0.5_f64.powi(letter)).take_while(|share| *share >= LEAST_SHARE);
        let ends = shares.take(letters::boxes(jobs));
        ends.map(|share| (at(&points, share), at(&points, 1.0 - share))).collect()
    } else {
        Vec::new()
    };
    let mut five = SHARES.map(|share| at(&points, share));
    (five[0], five[4]) = letters.last().copied().unwrap_or((five[0], five[4]));
    let letters = letters.into_iter().skip(1).collect();
    Some(BoxSummary { five, letters, mean: None, beyond: Vec::new(), of: format!("{jobs} jobs") })
}

/// Returns the value that a share of the jobs does not exceed.
fn at(points: &[CdfPoint], share: f64) -> f64 {
    // Shares are sums of products; the slack is far below half a per cent.
    let found = points.iter().find(|point| point.share >= share - 1e-9).or(points.last());
    found.map_or(f64::NAN, |point| point.at)
}
