//! A metric as a grid: policies along x, classes of jobs (or another dimension) along y, values printed in the cells.

use super::bars::dimension_name;
use super::kind::{PLAIN, PlotKind, Spread};
use super::lines::scaled;
use super::quantity::short;
use super::scene::Scene;
use super::selection::Selection;
use batchlab_engine::plot::{Area, Axis, Fill, Mark, Panel, TextMark};
use batchlab_engine::table::Better;

pub(super) static HEATMAP: PlotKind = PlotKind {
    name: "heatmap",
    what: "a metric by class (or workload, or parameter) and policy, values printed and shaded",
    spread: Spread::Names,
    axis: "y",
    legend: "One cell for each policy and row, with its value.",
    draw,
    ..PLAIN
};

struct Square {
    at: (usize, usize),
    value: f64,
    /// Ratio to the policy that defines the middle shade.
    ratio: Option<f64>,
    title: String,
}

/// The least ratio to the reference that reaches the lightest or darkest shade.
const LEAST_CONTRAST: f64 = 1.25;
/// The least height of a cell with its value, and with its ratio below it, in pixels.
const ONE_LINE: f64 = 14.0;
const TWO_LINES: f64 = 25.0;
/// The series whose colours tint what is better and what is worse than the reference.
const BETTER: usize = 1;
const WORSE: usize = 2;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let rows = part.split(scene.spec.spread);
    let name = |row: &Selection| scene.spec.spread.map_or_else(String::new, |spread| scene.name(row, spread));
    let names: Vec<String> = rows.iter().rev().map(name).collect();
    let labels: Vec<&str> = part.policies.iter().map(|&policy| scene.policy(policy)).collect();
    let mut squares = Vec::new();
    for (y, row) in rows.iter().rev().enumerate() {
        for (x, &policy) in part.policies.iter().enumerate() {
            if let Some((value, ratio)) = readings(scene, row, policy)? {
                let title = format!("{}, {}: {}", labels[x], names[y], short(value));
                squares.push(Square { at: (x, y), value, ratio, title });
            }
        }
    }
    if squares.is_empty() {
        return Ok(vec![Panel::without(title, "no policy has a value here")]);
    }
    note_shades(scene);
    let scaled = scaled(scene, squares.iter().map(|square| square.value), &scene.spec.metric);
    let worse = worse(scene);
    let most = squares.iter().filter_map(|square| square.ratio).map(|ratio| ratio.max(1.0 / ratio));
    let most = most.filter(|most| most.is_finite()).fold(LEAST_CONTRAST, f64::max).ln();
    let fill = |square: &Square| {
        let away = square.ratio.filter(|ratio| *ratio > 0.0).map_or(0.0, |ratio| ratio.ln() / most * worse);
        Fill::Tint(if away > 0.0 { WORSE } else { BETTER }, away.abs().min(1.0))
    };
    let has_ratios = scene.spec.relative.is_none() && squares.iter().any(|square| square.ratio.is_some());
    let mut name = scaled.label(&scene.value_name());
    if let Some(baseline) = scene.frame.baseline.filter(|_| has_ratios) {
        name = format!("{name}, × ratio to {}", scene.policy(baseline));
    }
    let panel =
        Panel::new(title, Axis::categories(name, labels), Axis::categories(dimension_name(scene), names))
            .with_categories_of(if has_ratios { TWO_LINES } else { ONE_LINE });
    let area = |square: &Square| {
        let (x, y) = (square.at.0 as f64, square.at.1 as f64);
        let fill = fill(square);
        (Area { x: (x, x + 1.0), y: (y, y + 1.0), fill }, square.title.clone())
    };
    let words = |square: &Square, below: f64, text: String| TextMark {
        at: (square.at.0 as f64 + 0.5, square.at.1 as f64 + 0.5),
        below,
        text,
    };
    let printed = squares.iter().map(|square| {
        let below = if has_ratios && square.ratio.is_some() { -0.5 } else { 0.0 };
        words(square, below, short(square.value * scaled.by))
    });
    let ratios = squares
        .iter()
        .filter(|_| has_ratios)
        .filter_map(|square| Some(words(square, 0.5, format!("×{:.2}", square.ratio?))));
    let printed = printed.chain(ratios).collect();
    Ok(vec![panel.mark(Mark::Titled(squares.iter().map(area).collect())).mark(Mark::Words(printed))])
}

/// Returns a value, and its ratio to the value of the baseline.
fn readings(scene: &Scene<'_>, row: &Selection, policy: usize) -> Result<Option<(f64, Option<f64>)>, String> {
    let Some(cell) = row.cell() else { return Ok(None) };
    let Some(value) = scene.reading(&cell, policy)?.map(|reading| reading.value) else { return Ok(None) };
    let ratio = match (scene.spec.relative, scene.frame.baseline) {
        // The value is a ratio itself.
        (Some(_), _) => Some(value),
        (None, None) => None,
        (None, Some(baseline)) => {
            let measure = scene.measure(&scene.spec.metric, cell.class.as_deref())?;
            scene.ratio(&cell.design_point, policy, baseline, measure).map(|ratio| ratio.value)
        }
    };
    Ok(Some((value, ratio)))
}

/// Returns 1 if greater ratios are drawn darker: if less is better, or if the metric has no good direction.
fn worse(scene: &Scene<'_>) -> f64 {
    if scene.better(&scene.spec.metric) == Better::Higher { -1.0 } else { 1.0 }
}

fn note_shades(scene: &Scene<'_>) {
    let is_graded = scene.better(&scene.spec.metric) != Better::Neither;
    let [more, less] = if is_graded { ["worse", "better"] } else { ["greater", "smaller"] };
    let what = match (scene.spec.relative, scene.frame.baseline) {
        (Some(_), _) => "Colour: the ratio".to_owned(),
        (None, Some(baseline)) => {
            format!("× and colour: ratio to {} in the same row", scene.policy(baseline))
        }
        (None, None) => return,
    };
    scene.note(format!("{what}; orange is {more}, blue is {less}."));
}
