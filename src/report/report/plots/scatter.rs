//! Two metrics against each other: a point for each policy, and the front of the points that no other point beats in both.

use super::kind::{PLAIN, PlotKind, Scale, Spread};
use super::lines::{ends, metric_axis};
use super::quantity::short;
use super::scene::{PlottedValue, Scene};
use super::selection::{NOTHING, Selection};
use batchlab_engine::plot::{
    Dot, HorizontalRange, LOOKS, Mark, Panel, Point, Stroke, TextMark, VerticalRange,
};
use batchlab_engine::table::Better;
use batchlab_study::study::dominance::{ParetoStanding, dominates};
use batchlab_traces::arrange::Arrange as _;

pub(super) static SCATTER: PlotKind = PlotKind {
    name: "scatter",
    what: "a metric against another one, a point for each policy, with the Pareto front",
    spread: Spread::Metric,
    has_intervals: true,
    log: Some(Scale::LinearUnlessRatio),
    legend: "One marker for each policy; a hollow one is dominated beyond the intervals.",
    draw,
    ..PLAIN
};

/// A policy with both values.
struct Place {
    policy: usize,
    x: PlottedValue,
    y: PlottedValue,
}

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let other = scene.spec.x_metric.as_deref().ok_or("a scatter plot needs `x`")?;
    let mut places = Vec::new();
    for policy in scene.compared(part) {
        let (x, y) = (scene.reading_of(other, &cell, policy)?, scene.reading(&cell, policy)?);
        places.extend(x.zip(y).map(|(x, y)| Place { policy, x, y }));
    }
    if places.is_empty() {
        return Ok(vec![Panel::without(title, "no policy has both values here")]);
    }
    let of = |metric: &str, reading: fn(&Place) -> &PlottedValue| {
        let readings = || places.iter().map(reading);
        metric_axis(scene, metric, readings().map(|reading| reading.value), readings().flat_map(ends))
    };
    let ((x, x_by), (y, y_by)) = (of(other, |place| &place.x), of(&scene.spec.metric, |place| &place.y));
    let mut panel = Panel::new(title, x.clone(), y.clone());
    if let Some(even) = scene.even() {
        panel = panel
            .mark(Mark::Line(Stroke::Thin, vec![(x.scale.from(), even), (x.scale.to(), even)]))
            .mark(Mark::Line(Stroke::Thin, vec![(even, y.scale.from()), (even, y.scale.to())]));
    }
    let better = [other, &scene.spec.metric].map(|metric| scene.better(metric));
    let values: Vec<Point> = places.iter().map(|place| (place.x.value, place.y.value)).collect();
    let on_front = front(&values, better);
    if on_front.len() > 1 {
        let points = on_front.iter().map(|&at| (values[at].0 * x_by, values[at].1 * y_by));
        panel = panel.line("Pareto front", Stroke::Dotted, stairs(points.collect(), better[1]));
    }
    note_front(scene, &places, &on_front, better);
    let measures = [other, &scene.spec.metric].map(|metric| scene.measure(metric, cell.class.as_deref()));
    let [x, y] = measures;
    let dominated: Vec<ParetoStanding> = scene.standings(&cell.design_point, &part.policies, &[x?, y?]);
    for (at, place) in places.iter().enumerate() {
        let standing =
            dominated.iter().find(|of| of.policy == place.policy).filter(|_| !on_front.contains(&at));
        let is_hollow = standing.is_some_and(|of| !of.shown.is_empty());
        if let Some(of) = standing.filter(|_| is_hollow) {
            let by: Vec<&str> = of.shown.iter().map(|&policy| scene.policy(policy)).collect();
            let name = scene.policy(place.policy);
            scene.note(format!("{name} is dominated beyond the intervals: {} {HOLLOW}", by.join(", ")));
        }
        panel = add_place(scene, panel, place, (x_by, y_by), is_hollow);
    }
    Ok(vec![panel])
}

/// What the tests show of the policies that dominate one with a hollow marker.
const HOLLOW: &str =
    "shown to be better in both metrics (hollow marker; p adjusted for the pairs of policies).";

/// Says which policies are on the front.
fn note_front(scene: &Scene<'_>, places: &[Place], on_front: &[usize], better: [Better; 2]) {
    if better.contains(&Better::Neither) {
        scene.note("There is no front: of one of the metrics no direction is good.");
        return;
    }
    let names: Vec<&str> = on_front.iter().map(|&at| scene.policy(places[at].policy)).collect();
    scene.note(format!(
        "Pareto front: no other policy has a better mean in one metric and one as good in the other than {}.",
        names.join(", ")
    ));
}

/// Returns the positions of the points that no other one dominates, by ascending x; none if a metric has no good direction.
fn front(points: &[Point], better: [Better; 2]) -> Vec<usize> {
    let cost = |better: Better, value: f64| match better {
        Better::Lower => Some(value),
        Better::Higher => Some(-value),
        Better::Neither => None,
    };
    let costs: Option<Vec<Point>> =
        points.iter().map(|&(x, y)| cost(better[0], x).zip(cost(better[1], y))).collect();
    let Some(costs) = costs else { return Vec::new() };
    let cost = |at: usize| [costs[at].0, costs[at].1];
    let is_on = |at: &usize| !(0..costs.len()).any(|one| dominates(&cost(one), &cost(*at)));
    let mut on: Vec<usize> = (0..points.len()).filter(is_on).collect();
    on.arrange_by(|&one, &other| points[one].0.total_cmp(&points[other].0));
    on
}

/// Returns the line through the points of a front: between two points it passes through the corner that both beat, so that
/// everything beyond the line is dominated.
fn stairs(points: Vec<Point>, better: Better) -> Vec<Point> {
    let mut line: Vec<Point> = Vec::new();
    for point in points {
        if let Some(&before) = line.last() {
            let worse = if better == Better::Higher { before.1.min(point.1) } else { before.1.max(point.1) };
            line.push(if worse == before.1 { (point.0, before.1) } else { (before.0, point.1) });
        }
        line.push(point);
    }
    line
}

fn add_place(
    scene: &Scene<'_>,
    panel: Panel,
    place: &Place,
    (x_by, y_by): (f64, f64),
    is_hollow: bool,
) -> Panel {
    let (look, name) = (scene.look(place.policy), scene.policy(place.policy));
    let at = (place.x.value * x_by, place.y.value * y_by);
    let title = format!("{name}: {}, {}", short(at.0), short(at.1));
    let across =
        place.x.range.map(|(low, high)| HorizontalRange { y: at.1, low: low * x_by, high: high * x_by });
    let along =
        place.y.range.map(|(low, high)| VerticalRange { x: at.0, low: low * y_by, high: high * y_by });
    let panel = panel
        .dot(name, look)
        .mark(Mark::Ranges(Stroke::Of(look), across.into_iter().collect()))
        .mark(Mark::Whiskers(Stroke::Of(look), along.into_iter().collect()))
        .mark(Mark::Dots(look, vec![Dot { at, is_hollow, title }]));
    if scene.spec.selection.policies.len() > LOOKS {
        // Looks repeat, so that names must stand at the markers.
        return panel.mark(Mark::Words(vec![TextMark { at, below: -0.8, text: name.into() }]));
    }
    panel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_has_what_no_other_point_beats() {
        let points = [(3.0, 1.0), (1.0, 3.0), (2.0, 2.0), (3.0, 3.0), (2.0, 2.5)];
        assert_eq!(front(&points, [Better::Lower, Better::Lower]), [1, 2, 0]);
        assert_eq!(front(&points, [Better::Higher, Better::Higher]), [3]);
        assert_eq!(front(&points, [Better::Higher, Better::Lower]), [0]);
        assert!(front(&points, [Better::Neither, Better::Lower]).is_empty());
        // Equal points are on it together.
        assert_eq!(front(&[(1.0, 1.0), (1.0, 1.0)], [Better::Lower, Better::Lower]), [0, 1]);
        let line = stairs(vec![(1.0, 3.0), (2.0, 2.0)], Better::Lower);
        assert_eq!(line, [(1.0, 3.0), (2.0, 3.0), (2.0, 2.0)]);
        let line = stairs(vec![(1.0, 1.0), (2.0, 3.0)], Better::Lower);
        assert_eq!(line, [(1.0, 1.0), (1.0, 3.0), (2.0, 3.0)]);
    }
}
