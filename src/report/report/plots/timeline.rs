//! Utilization and queue length over time, one panel above the other.

use super::kind::{PLAIN, Panels, PlotKind, Subject};
use super::scene::Scene;
use super::selection::{NOTHING, Selection};
use batchlab_engine::plot::{Axis, Mark, Page, Panel, Point, Stroke};
use batchlab_study::experiment::detail::timeline::{TIMELINE as DETAIL, Timeline};

pub(super) static TIMELINE: PlotKind = PlotKind {
    name: "timeline",
    what: "utilization and queue length over time, one line for each policy",
    subject: Subject::Replay,
    panels: Panels::Stacked,
    detail: Some(&DETAIL),
    legend: "Processors in use, and jobs submitted and not yet started. Each step is a mean over its time; a thin \
             vertical line is the last submission.",
    draw,
    ..PLAIN
};

/// Of several lines, utilization with more than `FEW` steps is drawn with `STEPS`: lines that go up and down all the time hide
/// each other.
const FEW: usize = 200;
const STEPS: usize = 60;

/// Units of time, each as: the least span in seconds for which it is used, its length in seconds, its symbol.
const UNITS: [(f64, f64, &str); 4] =
    [(4.0 * 86_400.0, 86_400.0, "d"), (6.0 * 3600.0, 3600.0, "h"), (600.0, 60.0, "min"), (0.0, 1.0, "s")];

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let known = |&policy: &usize| {
        let course: Timeline = scene.noted(policy, scene.detail(&cell.design_point, policy))?;
        Some((policy, course))
    };
    let courses: Vec<(usize, Timeline)> = part.policies.iter().filter_map(known).collect();
    let above = if title.is_empty() { "Utilization".to_owned() } else { format!("{title}: utilization") };
    let lines: Vec<Line<'_>> = courses
        .iter()
        .map(|(policy, course)| Line { label: scene.policy(*policy), look: scene.look(*policy), course })
        .collect();
    Ok(panels(above, &lines).into())
}

/// The course of a policy's replay, with its look.
struct Line<'a> {
    label: &'a str,
    look: usize,
    course: &'a Timeline,
}

/// Returns the page of replays that belong to no experiment, each with its policy.
pub fn page(name: &str, courses: &[(String, Timeline)]) -> Page {
    let line = |(look, (label, course))| Line { label, look, course };
    let lines: Vec<Line<'_>> =
        courses.iter().map(|(label, course)| (label.as_str(), course)).enumerate().map(line).collect();
    Page {
        title: format!("Replay of {name}"),
        subtitle: String::new(),
        panels: panels("Utilization".into(), &lines).into(),
        columns: 1,
        is_wide: true,
        shares_key: true,
        caption: vec![TIMELINE.legend.to_owned()],
    }
}

/// Returns the two panels; the first has the title `above`.
fn panels(above: String, lines: &[Line<'_>]) -> [Panel; 2] {
    let courses = || lines.iter().map(|line| line.course);
    let end = courses().filter_map(|course| course.edges.last()).copied().fold(0.0, f64::max);
    if lines.is_empty() || end <= 0.0 {
        let none = |title: String| Panel::without(title, "no replay has a record of its course");
        return [none(above), none("Queue length".into())];
    }
    let (second, unit) = time_unit(end);
    let x = || Axis::linear(format!("time since the first submission ({unit})"), 0.0, end * second);
    let longest = courses().flat_map(|course| &course.queue).copied().fold(1.0, f64::max);
    let mut used = Panel::new(above, x(), Axis::linear("processors in use (%)", 0.0, 105.0));
    let mut waiting = Panel::new("Queue length", x(), Axis::linear("waiting jobs", 0.0, longest * 1.05));
    if let Some(course) = courses().next() {
        let last = course.last_submit * second;
        used = used.mark(Mark::Line(Stroke::Thin, vec![(last, 0.0), (last, 105.0)]));
        waiting = waiting.mark(Mark::Line(Stroke::Thin, vec![(last, 0.0), (last, longest * 1.05)]));
    }
    for Line { label, look, course } in lines {
        let stroke = Stroke::Of(*look);
        let processors = course.resources.first().map_or(&[][..], |course| &course.values);
        let (edges, processors) = if lines.len() > 1 {
            coarse(&course.edges, processors)
        } else {
            (course.edges.clone(), processors.to_vec())
        };
        used = used.steps(label, stroke, steps(&edges, &processors, second, 100.0));
        waiting = waiting.steps(label, stroke, steps(&course.edges, &course.queue, second, 1.0));
    }
    [used, waiting]
}

/// Returns the factor that makes a span of seconds legible, and the resulting unit.
pub(super) fn time_unit(span: f64) -> (f64, &'static str) {
    let unit = UNITS.iter().find(|(least, _, _)| span >= *least).unwrap_or(&UNITS[UNITS.len() - 1]);
    (1.0 / unit.1, unit.2)
}

/// The distances of ticks in each unit of [`UNITS`].
const TICKS: [(&str, &[f64]); 4] = [
    ("d", &[1.0, 2.0, 5.0, 7.0, 10.0, 14.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]),
    ("h", &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 24.0]),
    ("min", &[1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 120.0]),
    ("s", &[1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 120.0, 300.0]),
];

/// Returns an axis of time in one of [`UNITS`], with ticks at distances that clocks and calendars have.
pub(super) fn time_axis(label: String, unit: &str, from: f64, to: f64) -> Axis {
    let steps = TICKS.iter().find(|(known, _)| *known == unit).map_or(&[][..], |(_, steps)| steps);
    Axis { has_grid: false, ..Axis::in_steps(label, from, to, steps) }
}

/// Returns means over about [`STEPS`] intervals, of values that have more than [`FEW`].
fn coarse(edges: &[f64], values: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let each = if values.len() <= FEW { 1 } else { values.len().div_ceil(STEPS) };
    let bounds: Vec<usize> = (0..values.len()).step_by(each).chain([values.len()]).collect();
    let mean = |pair: &[usize]| {
        let steps = values[pair[0]..pair[1]].iter().zip(edges[pair[0]..=pair[1]].windows(2));
        let sum: f64 = steps.map(|(value, edge)| value * (edge[1] - edge[0])).sum();
        sum / (edges[pair[1]] - edges[pair[0]])
    };
    (bounds.iter().map(|&bound| edges[bound]).collect(), bounds.windows(2).map(mean).collect())
}

/// Returns step points for values that are constant between edges.
fn steps(edges: &[f64], values: &[f64], second: f64, by: f64) -> Vec<Point> {
    let begins = edges.iter().zip(values).map(|(edge, value)| (edge * second, value * by));
    let end = edges.last().zip(values.last()).map(|(edge, value)| (edge * second, value * by));
    begins.chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::{FEW, coarse};

    #[test]
    fn coarse_steps_keep_the_mean_over_time() {
        let values: Vec<f64> = (0..=FEW).map(|at| (at % 7) as f64).collect();
        let edges: Vec<f64> = (0..=values.len()).map(|at| (at * at) as f64).collect();
        let mean = |edges: &[f64], values: &[f64]| -> f64 {
            values.iter().zip(edges.windows(2)).map(|(value, edge)| value * (edge[1] - edge[0])).sum()
        };
        let (fewer_edges, fewer) = coarse(&edges, &values);
        // 201 steps are drawn in groups of four.
        assert_eq!((fewer.len(), fewer_edges.len()), (51, 52));
        assert!((mean(&fewer_edges, &fewer) - mean(&edges, &values)).abs() < 1e-6);
        assert_eq!(coarse(&edges[..=FEW], &values[..FEW]).1, values[..FEW]);
    }
}
