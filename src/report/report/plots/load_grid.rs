//! Load, utilization and a metric in one grid: what a machine is asked for, what it does, and what that costs.

use super::kind::{PLAIN, Panels, PlotKind, Scale, Spread};
use super::lines::{LINES, draw as lines};
use super::scene::Scene;
use super::selection::Selection;
use super::spec::PlotSpec;
use batchlab_engine::plot::Panel;

pub(super) static LOAD_GRID: PlotKind = PlotKind {
    name: "load-grid",
    what: "utilization, queue length and a metric against a swept load or other parameter, below each other",
    spread: Spread::Numbers,
    panels: Panels::Stacked,
    has_intervals: true,
    log: Some(Scale::Linear),
    legend: LINES.legend,
    draw,
    ..PLAIN
};

/// What stands above the metric, if it was measured.
const ABOVE: [&str; 3] = ["offered_load", "utilization", "mean_queue_length"];

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let metric = scene.spec.metric.as_str();
    let above = ABOVE.into_iter().filter(|&above| above != metric && scene.described(above).is_some());
    let mut panels = Vec::new();
    for (at, metric) in above.chain([metric]).enumerate() {
        let is_log = scene.spec.is_log && metric == scene.spec.metric;
        let spec = PlotSpec { metric: metric.to_owned(), is_log, ..scene.spec.clone() };
        panels.extend(lines(&scene.with(&spec), part, if at == 0 { title } else { "" })?);
    }
    Ok(panels)
}
