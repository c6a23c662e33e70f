//! A metric against load: one line for each policy.

use super::dimensions::number;
use super::kind::{PLAIN, PlotKind, Scale, Spread};
use super::quantity::{Scaled, axis, short};
use super::scene::{PlottedValue, SATURATED, Scene};
use super::selection::{Dimension, Selection};
use batchlab_engine::plot::{Axis, Dot, Mark, Panel, Point, Stroke, VerticalRange};
use batchlab_traces::arrange::Arrange as _;

pub(super) static LINES: PlotKind = PlotKind {
    name: "lines",
    what: "a metric against a swept parameter or another metric, one line for each policy",
    spread: Spread::Numbers,
    has_intervals: true,
    marks_published: true,
    log: Some(Scale::Linear),
    legend: "One line for each policy, with a marker where it was measured.",
    draw,
    ..PLAIN
};

/// The most lines whose intervals are bands; the intervals of more lines are bars beside each other, as bands hide each other.
const BANDS: usize = 3;
/// The share of the gap between two values of x that markers take, and the most that two are apart, as a share of the axis.
const BESIDE: f64 = 0.5;
const APART: f64 = 0.018;

struct Line {
    policy: usize,
    points: Vec<Measured>,
}

/// A point of a line.
struct Measured {
    x: f64,
    reading: PlottedValue,
    is_saturated: bool,
}

pub(super) fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let policies = scene.compared(part);
    let lines: Vec<Line> =
        policies.iter().map(|&policy| line(scene, part, policy)).collect::<Result<_, String>>()?;
    let points = || lines.iter().flat_map(|line| &line.points);
    if points().next().is_none() {
        return Ok(vec![Panel::without(title, "no policy has a value here")]);
    }
    let scaled = scaled(scene, points().map(|point| point.reading.value), &scene.spec.metric);
    let published: Vec<(usize, f64, f64)> =
        scene.published(&policies).filter_map(|of| Some((of.policy, number(&of.at)?, of.value))).collect();
    let ends = points().flat_map(|point| ends(&point.reading)).chain(published.iter().map(|of| of.2));
    let ends = ends.map(|end| end * scaled.by).chain(scene.range_ends());
    let y = axis(scaled.label(&scene.value_name()), ends, scene.spec.is_log);
    let (x_by, x) = x_axis(scene, points().map(|point| point.x).chain(published.iter().map(|of| of.1)));
    let mut panel = Panel::new(title, x.clone(), y);
    if let Some(even) = scene.even() {
        panel = panel.mark(Mark::Line(Stroke::Thin, vec![(x.scale.from(), even), (x.scale.to(), even)]));
    }
    let shift = shift(scene, &lines, &x, x_by);
    for (line, shift) in lines.iter().zip(&shift) {
        let (look, spans) = (scene.look(line.policy), spans(line, x_by, *shift, scaled.by));
        panel = panel.mark(if lines.len() > BANDS {
            Mark::Whiskers(Stroke::Of(look), spans)
        } else {
            Mark::Band(look, spans)
        });
    }
    for (line, shift) in lines.iter().zip(&shift) {
        panel = add_line(scene, panel, line, (x_by, *shift), scaled.by);
    }
    for &(policy, x, value) in &published {
        let title =
            format!("{}: {} published at {}", scene.policy(policy), short(value * scaled.by), short(x));
        let dot = Dot { at: (x * x_by, value * scaled.by), is_hollow: true, title };
        panel = panel.mark(Mark::Dots(scene.look(policy), vec![dot]));
    }
    if let Some((policy, ..)) = published.first() {
        scene.note("Open marks: published values.");
        return Ok(vec![panel.hollow("published", scene.look(*policy))]);
    }
    if let Some(line) = lines.iter().find(|line| line.points.iter().any(|point| point.is_saturated)) {
        scene.note(SATURATED);
        panel = panel.hollow("saturated", scene.look(line.policy));
    }
    Ok(vec![panel])
}

fn line(scene: &Scene<'_>, part: &Selection, policy: usize) -> Result<Line, String> {
    let mut points = Vec::new();
    for at in part.split(scene.spec.spread) {
        let Some(cell) = at.cell() else { continue };
        let x = match &scene.spec.x_metric {
            Some(metric) => {
                let measure = scene.measure(metric, None)?;
                scene.value(&cell.design_point, policy, measure)
            }
            None => scene.spec.spread.and_then(|spread| number(&at.label(spread, scene.frame))),
        };
        let Some((x, reading)) = x.zip(scene.reading(&cell, policy)?) else { continue };
        points.push(Measured { x, reading, is_saturated: scene.is_saturated(&cell.design_point, policy) });
    }
    points.arrange_by(|one, other| one.x.total_cmp(&other.x));
    Ok(Line { policy, points })
}

/// Returns the unit and scale in which a metric, or the ratios of the plot, are drawn.
pub(super) fn scaled(scene: &Scene<'_>, values: impl Iterator<Item = f64>, metric: &str) -> Scaled {
    match scene.described(metric).filter(|_| scene.spec.relative.is_none()) {
        Some(measure) => Scaled::of(measure.unit, values.fold(0.0, f64::max)),
        None => Scaled { by: 1.0, unit: "" },
    }
}

/// Returns the axis of a metric, or of the ratios of the plot, with room for some ends and for the line where policies are even,
/// and the factor applied to values; `values` decide the unit in which they are drawn.
pub(super) fn metric_axis(
    scene: &Scene<'_>,
    metric: &str,
    values: impl Iterator<Item = f64>,
    ends: impl Iterator<Item = f64>,
) -> (Axis, f64) {
    let scaled = scaled(scene, values, metric);
    let ends = ends.map(|end| end * scaled.by).chain(scene.even());
    (axis(scaled.label(&scene.value_name_of(metric)), ends, scene.spec.is_log), scaled.by)
}

/// Returns a value and the ends of its interval.
pub(super) fn ends(reading: &PlottedValue) -> Vec<f64> {
    let (low, high) = reading.range.unwrap_or((reading.value, reading.value));
    vec![reading.value, low, high]
}

/// Returns the factor applied to values of x, and their axis.
fn x_axis(scene: &Scene<'_>, values: impl Iterator<Item = f64>) -> (f64, Axis) {
    let values: Vec<f64> = values.collect();
    let plain = Scaled { by: 1.0, unit: "" };
    let (name, scaled) = match (&scene.spec.x_metric, scene.spec.spread) {
        (Some(metric), _) => {
            let greatest = values.iter().copied().fold(0.0, f64::max);
            let scaled = scene.described(metric).map(|measure| Scaled::of(measure.unit, greatest));
            (scene.words(metric), scaled.unwrap_or(plain))
        }
        (None, Some(Dimension::Parameter(parameter))) => (scene.parameter_axis(parameter), plain),
        _ => (String::new(), plain),
    };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min) * scaled.by;
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) * scaled.by;
    let room = if high > low { (high - low) * 0.05 } else { low.abs().max(1.0) * 0.05 };
    (scaled.by, Axis::linear(scaled.label(&name), low - room, high + room))
}

/// Returns how far the markers of each line are moved along x, so that bars of more than [`BANDS`] lines stand beside each other;
/// not if x is measured, and differs between lines anyway.
fn shift(scene: &Scene<'_>, lines: &[Line], x: &Axis, x_by: f64) -> Vec<f64> {
    let count = lines.len() as f64;
    let has_bars = lines.iter().any(|line| line.points.iter().any(|point| point.reading.range.is_some()));
    if lines.len() <= BANDS || scene.spec.x_metric.is_some() || !has_bars {
        return vec![0.0; lines.len()];
    }
    let mut places: Vec<f64> =
        lines.iter().flat_map(|line| &line.points).map(|point| point.x * x_by).collect();
    places.sort_unstable_by(f64::total_cmp);
    places.dedup();
    let width = x.scale.to() - x.scale.from();
    let gap = places.windows(2).map(|pair| pair[1] - pair[0]).fold(width, f64::min);
    let each = (gap * BESIDE / count).min(width * APART);
    scene.note("Markers of the same x stand beside each other.");
    (0..lines.len()).map(|at| (at as f64 - (count - 1.0) / 2.0) * each).collect()
}

fn spans(line: &Line, x_by: f64, shift: f64, by: f64) -> Vec<VerticalRange> {
    let span = |point: &Measured| {
        let (low, high) = point.reading.range?;
        Some(VerticalRange { x: point.x * x_by + shift, low: low * by, high: high * by })
    };
    line.points.iter().filter_map(span).collect()
}

fn add_line(scene: &Scene<'_>, panel: Panel, line: &Line, (x_by, shift): (f64, f64), by: f64) -> Panel {
    let (look, label) = (scene.look(line.policy), scene.policy(line.policy));
    let place = |point: &Measured| -> Point { (point.x * x_by + shift, point.reading.value * by) };
    let dot = |point: &Measured| {
        let at = place(point);
        let range = point
            .reading
            .range
            .map_or_else(String::new, |(low, high)| format!(" [{}, {}]", short(low * by), short(high * by)));
        Dot {
            at,
            // Open marks are published values if there are any.
            is_hollow: point.is_saturated && scene.spec.published.is_empty(),
            title: format!("{label}: {}{range} at {}", short(at.1), short(at.0 - shift)),
        }
    };
    panel
        .look(label, look)
        .mark(Mark::Line(Stroke::Of(look), line.points.iter().map(place).collect()))
        .mark(Mark::Dots(look, line.points.iter().map(dot).collect()))
}
