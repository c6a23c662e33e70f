//! A metric as bars: groups of workloads, classes or values of a parameter, one bar for each policy.

use super::kind::{PLAIN, PlotKind, Scale, Spread};
use super::lines::{ends, scaled};
use super::quantity::{axis, short};
use super::scene::{PlottedValue, Scene};
use super::selection::{Dimension, Selection};
use batchlab_engine::plot::{Area, Axis, Dot, Fill, Mark, Panel, Stroke, TextMark, VerticalRange};

pub(super) static BARS: PlotKind = PlotKind {
    name: "bars",
    what: "a metric by workload, class or parameter, one bar for each policy",
    spread: Spread::Names,
    has_intervals: true,
    marks_published: true,
    log: Some(Scale::LinearUnlessRatio),
    legend: "One bar for each policy.",
    draw,
    ..PLAIN
};

struct Bar {
    group: usize,
    /// Position among the shown policies.
    place: usize,
    reading: Option<PlottedValue>,
    title: String,
}

/// Share of a group's width that its bars take.
const FILLED: f64 = 0.8;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let groups = part.split(scene.spec.spread);
    let name =
        |group: &Selection| scene.spec.spread.map_or_else(String::new, |spread| scene.name(group, spread));
    let names: Vec<String> = groups.iter().map(name).collect();
    let policies = scene.compared(part);
    let mut bars = Vec::new();
    for (group, selection) in groups.iter().enumerate() {
        for (place, &policy) in policies.iter().enumerate() {
            let reading = selection.cell().map(|cell| scene.reading(&cell, policy)).transpose()?.flatten();
            let title = format!("{}, {}", scene.policy(policy), names[group]);
            bars.push(Bar { group, place, reading, title });
        }
    }
    let readings = || bars.iter().filter_map(|bar| bar.reading);
    if readings().next().is_none() {
        return Ok(vec![Panel::without(title, "no policy has a value here")]);
    }
    note_absolute_values(scene, &groups, &names)?;
    let scaled = scaled(scene, readings().map(|reading| reading.value), &scene.spec.metric);
    let even = scene.even();
    let published: Vec<(usize, f64, f64)> = scene
        .published(&policies)
        .filter_map(|of| {
            let group = names.iter().position(|name| *name == of.at)? as f64;
            let place = policies.iter().position(|policy| *policy == of.policy)? as f64;
            let middle = (1.0 - FILLED) / 2.0 + (place + 0.5) * FILLED / policies.len() as f64;
            Some((of.policy, group + middle, of.value * scaled.by))
        })
        .collect();
    let range = readings().flat_map(|reading| ends(&reading)).map(|end| end * scaled.by);
    let range = range.chain(even).chain(published.iter().map(|of| of.2)).chain(scene.range_ends());
    let y = axis(scaled.label(&scene.value_name()), range, scene.spec.is_log);
    let x = Axis::categories(dimension_name(scene), names);
    let base = if scene.spec.is_log { even.unwrap_or(y.scale.from()) } else { 0.0 };
    let groups = groups.len() as f64;
    let mut panel = Panel::new(title, x, y);
    for (place, &policy) in policies.iter().enumerate() {
        panel = panel.fill(scene.policy(policy), Fill::Of(scene.look(policy)));
        let own: Vec<&Bar> = bars.iter().filter(|bar| bar.place == place).collect();
        panel =
            add_bars(panel, &own, &Place { count: policies.len(), base, by: scaled.by }, scene.look(policy));
    }
    for &(policy, x, value) in &published {
        let title = format!("{}: {} published", scene.policy(policy), short(value));
        panel =
            panel.mark(Mark::Dots(scene.look(policy), vec![Dot { at: (x, value), is_hollow: true, title }]));
    }
    if let Some((policy, ..)) = published.first() {
        scene.note("Open marks: published values.");
        panel = panel.hollow("published", scene.look(*policy));
    }
    if let Some(even) = even {
        panel = panel.mark(Mark::Line(Stroke::Thin, vec![(0.0, even), (groups, even)]));
    }
    Ok(vec![panel])
}

/// The position and scale of bars.
struct Place {
    count: usize,
    /// The value from which bars are drawn.
    base: f64,
    /// Factor applied to values.
    by: f64,
}

fn add_bars(panel: Panel, bars: &[&Bar], place: &Place, look: usize) -> Panel {
    let width = FILLED / place.count as f64;
    let left = |bar: &Bar| bar.group as f64 + (1.0 - FILLED) / 2.0 + bar.place as f64 * width;
    let area = |bar: &&Bar| {
        let reading = bar.reading?;
        let value = reading.value * place.by;
        let x = (left(bar), left(bar) + width);
        let y = (place.base.min(value), place.base.max(value));
        let range = reading.range.map_or_else(String::new, |(low, high)| {
            format!(" [{}, {}]", short(low * place.by), short(high * place.by))
        });
        Some((Area { x, y, fill: Fill::Of(look) }, format!("{}: {}{range}", bar.title, short(value))))
    };
    let span = |bar: &&Bar| {
        let (low, high) = bar.reading?.range?;
        Some(VerticalRange { x: left(bar) + width / 2.0, low: low * place.by, high: high * place.by })
    };
    let missing =
        |bar: &&Bar| TextMark { at: (left(bar) + width / 2.0, place.base), below: -0.6, text: "–".into() };
    panel
        .mark(Mark::Titled(bars.iter().filter_map(area).collect()))
        .mark(Mark::Whiskers(Stroke::Solid, bars.iter().filter_map(span).collect()))
        .mark(Mark::Words(bars.iter().filter(|bar| bar.reading.is_none()).map(missing).collect()))
}

/// Adds to the caption the values of the policy that others are compared with.
fn note_absolute_values(scene: &Scene<'_>, groups: &[Selection], names: &[String]) -> Result<(), String> {
    let Some(to) = scene.spec.relative else { return Ok(()) };
    let mut values = Vec::new();
    for (group, name) in groups.iter().zip(names) {
        let Some(cell) = group.cell() else { continue };
        let measure = scene.measure(&scene.spec.metric, cell.class.as_deref())?;
        if let Some(value) = scene.value(&cell.design_point, to, measure) {
            let unit = scene.frame.measures[measure].unit.words();
            let gap = if unit.is_empty() { "" } else { " " };
            values.push(format!("{name} {}{gap}{unit}", short(value)));
        }
    }
    let even = if scene.spec.is_gain { "0" } else { "1" };
    scene.note(format!("{} (= {even}): {}.", scene.policy(to), values.join(", ")));
    Ok(())
}

/// Returns the name of the groups' dimension; empty for workloads, whose names need no heading.
pub(super) fn dimension_name(scene: &Scene<'_>) -> String {
    match scene.spec.spread {
        Some(Dimension::Parameter(parameter)) => scene.parameter_axis(parameter),
        Some(Dimension::Class) => "class of jobs".into(),
        _ => String::new(),
    }
}
