//! The jobs of a small replay as rectangles, one panel for each policy.

use super::kind::{PlotKind, Spread, Subject};
use super::scene::Scene;
use super::selection::{NOTHING, Selection};
use super::timeline::time_unit;
use crate::experiment::detail::gantt::{Bar, GANTT as DETAIL, Gantt};
use crate::plot::{Area, Axis, Fill, Mark, Panel, Words};

/// The `gantt` kind.
pub(super) static GANTT: PlotKind = PlotKind {
    name: "gantt",
    what: "which job ran where and when, for small replays; reservations in grey",
    subject: Subject::Replay,
    spread: Spread::Nothing,
    log: None,
    detail: Some(&DETAIL),
    legend: "A rectangle is a job, with its number in the log where there is room.",
    draw,
};

/// A job's number is written if its rectangle has this share of the panel's width for each digit, and of the
/// panel's height.
const DIGIT: f64 = 0.019;
const LINE: f64 = 0.06;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let charts: Vec<(usize, Result<Gantt, String>)> =
        part.policies.iter().map(|&policy| (policy, scene.detail(&cell.design_point, policy))).collect();
    let ends = charts.iter().filter_map(|(_, chart)| chart.as_ref().ok()).flat_map(|chart| &chart.jobs);
    // All panels have the same time axis, so that they can be compared.
    let end = ends.map(|job| job.end).fold(0.0, f64::max);
    let panel = |(policy, chart): (usize, Result<Gantt, String>)| {
        let label = scene.policy(policy);
        let title = if title.is_empty() { label.to_owned() } else { format!("{title}: {label}") };
        match chart {
            Ok(chart) => chart_panel(scene, title, &chart, end),
            Err(reason) => Panel::without(title, reason),
        }
    };
    Ok(charts.into_iter().map(panel).collect())
}

fn chart_panel(scene: &Scene<'_>, title: String, chart: &Gantt, end: f64) -> Panel {
    let (second, unit) = time_unit(end);
    let x = Axis::linear(format!("time since the first submission ({unit})"), 0.0, end.max(1.0) * second);
    let x = Axis { has_grid: false, ..x };
    let y = Axis { has_grid: false, ..Axis::linear("processors", 0.0, chart.procs as f64) };
    if !chart.is_placed {
        scene.note("The machine has no numbers of processors: each job is drawn on the first that are free.");
    }
    let ghosts: Vec<(Area, String)> = chart.jobs.iter().flat_map(|job| ghosts(job, second)).collect();
    if !ghosts.is_empty() {
        scene.note(
            "Grey and dotted: the first reservation of a job that started at another time, for as long as it was \
             expected to take, on the processors on which it began."
        );
    }
    let boxes: Vec<(Area, String)> = chart.jobs.iter().flat_map(|job| boxes(job, second)).collect();
    let (whole, high) = (x.scale.to(), y.scale.to());
    let numbers = chart.jobs.iter().filter_map(|job| number(job, second, whole, high)).collect();
    let panel = Panel::new(title, x, y);
    let panel = if ghosts.is_empty() { panel } else { panel.fill("first reservation", Fill::Ghost) };
    let outline = |(area, _): &(Area, String)| Area { fill: Fill::Outline, ..*area };
    let outlines = ghosts.iter().map(outline).collect();
    panel
        .mark(Mark::Titled(ghosts))
        .mark(Mark::Titled(boxes))
        .mark(Mark::Areas(outlines))
        .mark(Mark::Words(numbers))
}

fn boxes(job: &Bar, second: f64) -> Vec<(Area, String)> {
    let title = format!(
        "job {}: submitted {}, start {}, end {}, {} processors",
        job.number, job.submit, job.start, job.end, job.procs
    );
    let pieces = job.pieces.iter().flat_map(|piece| piece.rows.iter().map(move |rows| (piece, rows)));
    pieces
        .map(|(piece, &(first, count))| {
            let y = (first as f64, (first + count) as f64);
            (Area { x: (piece.from * second, piece.to * second), y, fill: Fill::Blank }, title.clone())
        })
        .collect()
}

/// Returns the position of a job's first reservation, if the job did not start then.
fn ghosts(job: &Bar, second: f64) -> Vec<(Area, String)> {
    let Some(promised) = job.promised.filter(|&promised| promised != job.start) else { return Vec::new() };
    let title = format!("job {}: promised a start at {promised}", job.number);
    let rows = job.pieces.first().map_or(&[][..], |piece| &piece.rows);
    let x = (promised * second, (promised + job.estimate.max(1.0)) * second);
    let area = |&(first, count): &(i64, i64)| Area {
        x,
        y: (first as f64, (first + count) as f64),
        fill: Fill::Ghost,
    };
    rows.iter().map(|rows| (area(rows), title.clone())).collect()
}

/// Returns the number of a job in the middle of its largest rectangle, if it fits.
fn number(job: &Bar, second: f64, width: f64, height: f64) -> Option<Words> {
    let pieces = job.pieces.iter().flat_map(|piece| piece.rows.iter().map(move |rows| (piece, *rows)));
    let size = |(piece, rows): &(&crate::experiment::detail::gantt::Piece, (i64, i64))| {
        (piece.to - piece.from) * rows.1 as f64
    };
    let (piece, (first, count)) = pieces.max_by(|one, other| size(one).total_cmp(&size(other)))?;
    let text = job.number.to_string();
    let fits = (piece.to - piece.from) * second >= width * DIGIT * text.len() as f64
        && count as f64 >= height * LINE;
    let at = (f64::midpoint(piece.from, piece.to) * second, first as f64 + count as f64 / 2.0);
    fits.then_some(Words { at, below: 0.0, text })
}
