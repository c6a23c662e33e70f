//! Which part of the machine was busy at which time, for replays of any size; one panel for each policy.

use super::kind::{PLAIN, PlotKind, Subject};
use super::scene::Scene;
use super::selection::{NOTHING, Selection};
use super::timeline::{time_axis, time_unit};
use batchlab_engine::plot::{Area, Axis, Fill, Mark, Panel};
use batchlab_study::experiment::detail::density::{By, DENSITY as DETAIL, Density, DensityRow};

pub(super) static DENSITY: PlotKind = PlotKind {
    name: "density",
    what: "share of the machine in use over time, by nodes or by size of the jobs",
    subject: Subject::Replay,
    detail: Some(&DETAIL),
    legend: "The darker, the more processors are in use; each cell is a mean over its time.",
    draw,
    ..PLAIN
};

/// Cells with less than this share in use are left blank.
const LEAST: f64 = 0.002;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let cell = part.cell().ok_or(NOTHING)?;
    let grids: Vec<(usize, Result<Density, String>)> =
        part.policies.iter().map(|&policy| (policy, scene.detail(&cell.design_point, policy))).collect();
    let known = || grids.iter().filter_map(|(_, grid)| grid.as_ref().ok());
    let end = known().filter_map(|grid| grid.edges.last()).copied().fold(0.0, f64::max);
    let darkest = darkest(known());
    let panel = |(policy, grid): (usize, Result<Density, String>)| {
        let label = scene.policy(policy);
        let title = if title.is_empty() { label.to_owned() } else { format!("{title}: {label}") };
        match grid {
            Ok(grid) => grid_panel(title, &grid, (0.0, end), darkest),
            Err(reason) => Panel::without(title, reason),
        }
    };
    Ok(grids.into_iter().map(panel).collect())
}

/// Returns the greatest share of several grids. Rows by job size use a small part of the machine each, so shades
/// are relative to the greatest value of all panels.
pub(super) fn darkest<'g>(grids: impl Iterator<Item = &'g Density>) -> f64 {
    let values = grids.flat_map(|grid| &grid.rows).flat_map(|row| &row.values);
    values.copied().fold(0.0, f64::max).max(LEAST)
}

/// Returns the panel of a grid, from one time to another.
pub(super) fn grid_panel(title: String, grid: &Density, (from, to): (f64, f64), darkest: f64) -> Panel {
    let (second, unit) = time_unit(to - from);
    let label = format!("time since the first submission ({unit})");
    let x = time_axis(label, unit, from * second, to.max(from + 1.0) * second);
    let label = match grid.by {
        By::Nodes => "nodes",
        By::Sizes => "processors of the job",
    };
    let mut areas = Vec::new();
    for (at, row) in grid.rows.iter().enumerate() {
        for (values, edges) in
            row.values.iter().zip(grid.edges.windows(2)).filter(|(value, _)| **value >= LEAST)
        {
            let y = (at as f64, at as f64 + 1.0);
            let fill = Fill::Shade(values / darkest);
            areas.push(Area { x: (edges[0] * second, edges[1] * second), y, fill });
        }
    }
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    Panel::new(title, x, Axis::names(label, grid.rows.iter().map(name)))
        .mark(Mark::Areas(areas))
        .fill("none", Fill::Shade(0.0))
        .fill(&percent(darkest / 2.0), Fill::Shade(0.5))
        .fill(&format!("{} in use", percent(darkest)), Fill::Shade(1.0))
}

fn name(row: &DensityRow) -> String {
    if row.from == row.to { row.from.to_string() } else { format!("{}–{}", row.from, row.to) }
}
