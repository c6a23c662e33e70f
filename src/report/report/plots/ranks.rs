//! The mean ranks of policies over logs: a critical-difference diagram.

use super::kind::{PLAIN, PlotKind, Spread};
use super::scene::Scene;
use super::selection::Selection;
use crate::report::tables::Statistic;
use batchlab_engine::plot::{Axis, Dot, HorizontalRange, Mark, Panel, Row, Stroke, row_y};
use batchlab_engine::stats::friedman::{MeanRanks, alike, critical_difference, mean_ranks};
use batchlab_engine::table::Better;
use batchlab_traces::arrange::Arrange as _;

pub(super) static RANKS: PlotKind = PlotKind {
    name: "ranks",
    what: "mean ranks of policies over logs, with Friedman's test and Nemenyi's critical difference",
    spread: Spread::Logs,
    statistic: Some(Statistic::MeanRanks),
    legend: "A line leads from each policy to its mean rank over the logs, 1 for the best; equal values share a rank. Thick \
             lines join policies whose mean ranks differ by less than the critical difference of Nemenyi's test, over all \
             pairs together: they are not shown to differ.",
    draw,
    ..PLAIN
};

/// The number of logs below which the test is called approximate (Demšar, Journal of Machine Learning Research 7, 2006, section
/// 3.2.2, asks for more than ten).
const FEW: usize = 11;
/// How far thick lines reach beyond the ranks at their ends, in ranks.
const BEYOND: f64 = 0.04;

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let logs = part.split(scene.spec.spread);
    let sign = match scene.better(&scene.spec.metric) {
        Better::Lower => 1.0,
        Better::Higher => -1.0,
        Better::Neither => return Ok(vec![Panel::without(title, "the metric has no good direction")]),
    };
    let mut blocks: Vec<Vec<f64>> = Vec::new();
    for log in &logs {
        let Some(cell) = log.cell() else { continue };
        let values = part.policies.iter().map(|&policy| scene.reading(&cell, policy));
        let values: Vec<Option<f64>> =
            values.map(|of| of.map(|of| of.map(|of| sign * of.value))).collect::<Result<_, String>>()?;
        match values.into_iter().collect::<Option<Vec<f64>>>() {
            Some(block) => blocks.push(block),
            None => scene.note(format!(
                "Left out is {}, where a policy has no value.",
                scene.frame.workloads[cell.design_point.workload].name
            )),
        }
    }
    let tested = match mean_ranks(&blocks) {
        Ok(tested) => tested,
        Err(reason) => return Ok(vec![Panel::without(title, format!("no ranks over logs: {reason}"))]),
    };
    let difference = critical_difference(part.policies.len(), tested.blocks, scene.frame.level);
    let difference = difference.map_err(|reason| reason.to_string())?;
    note_test(scene, &tested, difference);
    let mut order: Vec<usize> = (0..part.policies.len()).collect();
    order.arrange_by(|&one, &other| tested.ranks[one].total_cmp(&tested.ranks[other]));
    let placed: Vec<(usize, f64)> = order.iter().map(|&at| (part.policies[at], tested.ranks[at])).collect();
    Ok(vec![diagram(scene, title, &placed, difference, tested.blocks)])
}

/// Says in the caption what the test shows.
fn note_test(scene: &Scene<'_>, tested: &MeanRanks, difference: f64) {
    let MeanRanks { ranks, blocks, f, p, .. } = tested;
    let (of, within) = (ranks.len() - 1, (ranks.len() - 1) * (blocks - 1));
    let p = if *p < 0.0005 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") };
    let f =
        if f.is_finite() { format!("F({of}, {within}) = {f:.2}") } else { "all logs rank alike".to_owned() };
    scene.note(format!(
        "Friedman's test over {blocks} logs, as Iman and Davenport's F: {f}, {p}; the critical difference at {:.0} % is \
         {difference:.2}.",
        (1.0 - scene.frame.level) * 100.0
    ));
    if *blocks < FEW {
        scene.note(format!("Over {blocks} logs both tests are approximate."));
    }
    if tested.p > 1.0 - scene.frame.level {
        scene.note("The test does not show that policies differ at all.");
    }
}

/// Returns the diagram of policies with their mean ranks, best first: the better half left, the other half right.
fn diagram(scene: &Scene<'_>, title: &str, placed: &[(usize, f64)], difference: f64, logs: usize) -> Panel {
    let count = placed.len();
    let ranks: Vec<f64> = placed.iter().map(|(_, rank)| *rank).collect();
    let runs = alike(&ranks, difference);
    let half = count.div_ceil(2);
    let name = |at: usize| format!("{} {:.2}", scene.policy(placed[at].0), ranks[at]);
    let mut rows: Vec<Row> = runs.iter().map(|_| Row::default()).collect();
    rows.extend((0..half).map(|at| {
        let other = count - 1 - at;
        let beside = if other >= half { name(other) } else { String::new() };
        Row { name: name(at), beside, is_heading: false }
    }));
    rows.push(Row {
        name: "critical difference".into(),
        beside: format!("{difference:.2}"),
        is_heading: false,
    });
    let all = rows.len();
    let (from, to) = (1.0, count as f64);
    let x = Axis {
        is_on_top: true,
        has_grid: false,
        ..Axis::linear(format!("mean rank over {logs} logs"), from, to)
    };
    let mut panel = Panel::of_rows(title, x, rows);
    for (at, (policy, rank)) in placed.iter().enumerate() {
        let is_left = at < half;
        let y = row_y(all, runs.len() + if is_left { at } else { count - 1 - at });
        let ends = if is_left { (from, *rank) } else { (*rank, to) };
        let dot = Dot { at: (*rank, y), is_hollow: false, title: name(at) };
        panel = panel
            .mark(Mark::Line(Stroke::Thin, vec![(ends.0, y), (ends.1, y)]))
            .mark(Mark::Line(Stroke::Thin, vec![(*rank, y), (*rank, all as f64)]))
            .mark(Mark::Dots(scene.look(*policy), vec![dot]));
    }
    for (at, &(first, last)) in runs.iter().enumerate() {
        let y = row_y(all, at);
        let ends = [(ranks[first] - BEYOND).max(from), (ranks[last] + BEYOND).min(to)];
        panel = panel.mark(Mark::Line(Stroke::Heavy, vec![(ends[0], y), (ends[1], y)]));
    }
    let bar = HorizontalRange { y: row_y(all, all - 1), low: from, high: from + difference };
    panel.mark(Mark::Ranges(Stroke::Solid, vec![bar]))
}
