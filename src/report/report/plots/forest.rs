//! A metric of each policy as a ratio to the baseline, with its interval: a row for each policy, under a heading
//! for each workload, point of the sweep and class.

use super::chart::Chart;
use super::kind::{PLAIN, PlotKind, Spread};
use super::scene::{SATURATED, Scene};
use super::selection::{Dimension, PlotCell, Selection};
use super::spec::PlotSpec;
use batchlab_engine::plot::{
    Axis, Dot, FigureSize, HorizontalRange, Mark, PageLayout, Panel, Row, Stroke, row_y,
};
use batchlab_engine::table::{Better, Format, TimeUnit};
use batchlab_study::study::{Answer, ContrastResult};

pub(super) static FOREST: PlotKind = PlotKind {
    name: "forest",
    what: "ratios to the baseline with their intervals, a row for each policy by workload and point",
    spread: Spread::Rows,
    has_intervals: true,
    legend: "One row for each policy: the marker is its ratio to the baseline, the line its interval; a difference is \
             shown where the interval excludes 1. Arrows lead to ends beyond the axis.",
    draw,
    ..PLAIN
};

/// The looks of what is shown: blue is better and orange is worse, as in heat maps.
const BETTER: usize = 1;
const WORSE: usize = 2;
const OPEN: usize = 0;

/// Factor by which the axis reaches beyond the least and the greatest ratio at most; intervals may reach further.
const REACH: f64 = 30.0;
/// Factor of room at both ends of the axis.
const ROOM: f64 = 1.12;

impl PlotSpec {
    /// Returns a forest plot of a metric over all jobs.
    pub fn forest(name: &str, metric: &str, baseline: usize, selection: Selection) -> PlotSpec {
        PlotSpec {
            chart: Chart::default(),
            name: name.into(),
            x_label: None,
            y_label: None,
            labels: Vec::new(),
            title: String::new(),
            kind: &FOREST,
            metric: metric.into(),
            spread: None,
            x_metric: None,
            panel: None,
            selection,
            is_log: true,
            has_band: true,
            letters: None,
            relative: Some(baseline),
            is_gain: false,
            range: None,
            unit: 0,
            published: Vec::new(),
            layout: PageLayout::figure(FigureSize::Panel),
        }
    }
}

/// What a row shows.
struct Shown {
    row: usize,
    look: usize,
    ratio: f64,
    range: Option<(f64, f64)>,
    is_saturated: bool,
    title: String,
}

fn draw(scene: &Scene<'_>, part: &Selection, title: &str) -> Result<Vec<Panel>, String> {
    let to = scene.spec.relative.ok_or("there is no policy to compare with")?;
    let policies = scene.compared(part);
    let better = scene.better(&scene.spec.metric);
    let (mut rows, mut shown) = (Vec::new(), Vec::new());
    for (name, cell) in groups(scene, part) {
        rows.push(heading(scene, &name, &cell, to)?);
        for (&policy, answer) in policies.iter().zip(scene.answers(&cell, &policies, to)?) {
            let is_saturated = scene.is_saturated(&cell.design_point, policy);
            let (one, beside) = row(scene, (policy, rows.len()), answer.as_ref(), better);
            let saturated = if is_saturated { " (saturated)" } else { "" };
            let name = format!("{}{saturated}", scene.policy(policy));
            let tip = format!("{name}: {beside}");
            rows.push(Row { name, beside, is_heading: false });
            shown.extend(one.map(|one| Shown { is_saturated, title: tip, ..one }));
        }
    }
    if shown.is_empty() {
        return Ok(vec![Panel::without(title, "no policy has a ratio to the baseline here")]);
    }
    Ok(vec![panel(scene, title, rows, &shown, better)])
}

/// Returns the cells of a selection, each with its heading.
fn groups(scene: &Scene<'_>, part: &Selection) -> Vec<(String, PlotCell)> {
    let several: Vec<Dimension> =
        part.dimensions().into_iter().filter(|&dimension| part.count(dimension) > 1).collect();
    let split = |parts: Vec<Selection>, by: Dimension| -> Vec<Selection> {
        parts.iter().flat_map(|part| part.split(Some(by))).collect()
    };
    let name = |one: &Selection| {
        let words = |&dimension: &Dimension| {
            let value = scene.name(one, dimension);
            match dimension {
                Dimension::Workload => value,
                Dimension::Class => format!("class {value}"),
                Dimension::Parameter(parameter) => format!("{} {value}", scene.parameter(parameter)),
            }
        };
        match &several[..] {
            [] => scene.name(one, Dimension::Workload),
            several => several.iter().map(words).collect::<Vec<_>>().join(", "),
        }
    };
    let cells = several.iter().copied().fold(vec![part.clone()], split);
    cells.iter().filter_map(|one| Some((name(one), one.cell()?))).collect()
}

/// Returns the heading of a cell, with the value that 1 stands for.
fn heading(scene: &Scene<'_>, name: &str, cell: &PlotCell, to: usize) -> Result<Row, String> {
    let at = scene.measure(&scene.spec.metric, cell.class.as_deref())?;
    let label = scene.policy(to);
    let beside = scene.value(&cell.design_point, to, at).map_or_else(String::new, |value| {
        let format = Format::of(scene.frame.measures[at].unit, TimeUnit::Seconds);
        let number = format.print(value, format.decimals([value].into_iter()));
        let gap = if format.unit.is_empty() { "" } else { " " };
        format!("{number}{gap}{} ({label})", format.unit)
    });
    let saturated = scene.is_saturated(&cell.design_point, to).then(|| format!(" ({label} saturated)"));
    scene.note(format!("Beside each heading: the mean of {label}, for which 1 stands."));
    Ok(Row { name: format!("{name}{}", saturated.unwrap_or_default()), beside, is_heading: true })
}

/// Returns what a row shows, and the numbers beside it.
fn row(
    scene: &Scene<'_>,
    (policy, row): (usize, usize),
    answer: Option<&Answer>,
    better: Better,
) -> (Option<Shown>, String) {
    let Some(answer) = answer else { return (None, "no value".into()) };
    let compared = scene.as_ratio(&answer.contrast);
    let Some(ratio) = compared.value.filter(|ratio| ratio.is_finite() && *ratio > 0.0) else {
        return (None, "no ratio".into());
    };
    let range = match &compared.interval {
        Ok(interval) if scene.spec.has_band => Some((interval.low, interval.high)),
        Ok(_) => None,
        Err(reason) => {
            scene.note(format!("No interval of {}: {reason}.", scene.policy(policy)));
            None
        }
    };
    let look = match (answer.verdict, better) {
        (ContrastResult::Better, _) => BETTER,
        (ContrastResult::Worse, _) => WORSE,
        _ => OPEN,
    };
    let beside = match range {
        Some((low, high)) => format!("{} [{}, {}]", digits(ratio), end(low), end(high)),
        None => digits(ratio),
    };
    (Some(Shown { row, look, ratio, range, is_saturated: false, title: String::new() }), beside)
}

fn panel(scene: &Scene<'_>, title: &str, rows: Vec<Row>, shown: &[Shown], better: Better) -> Panel {
    let count = rows.len();
    let way = match better {
        Better::Lower => ": less is better",
        Better::Higher => ": more is better",
        Better::Neither => "",
    };
    let panel = Panel::of_rows(title, axis(format!("{}{way}", scene.value_name()), shown), rows);
    let mut panel = panel.mark(Mark::Line(Stroke::Thin, vec![(1.0, 0.0), (1.0, count as f64)]));
    let names = [(BETTER, "shown to be better"), (WORSE, "shown to be worse"), (OPEN, "no difference shown")];
    for (look, name) in names {
        let own: Vec<&Shown> = shown.iter().filter(|one| one.look == look).collect();
        if own.is_empty() {
            continue;
        }
        let y = |one: &Shown| row_y(count, one.row);
        let range = |one: &&Shown| one.range.map(|(low, high)| HorizontalRange { y: y(one), low, high });
        let dot = |one: &&Shown| Dot {
            at: (one.ratio, y(one)),
            is_hollow: one.is_saturated,
            title: one.title.clone(),
        };
        panel = panel
            .dot(name, look)
            .mark(Mark::Ranges(Stroke::Of(look), own.iter().filter_map(range).collect()))
            .mark(Mark::Dots(look, own.iter().map(dot).collect()));
    }
    if let Some(one) = shown.iter().find(|one| one.is_saturated) {
        scene.note(SATURATED);
        panel = panel.hollow("saturated", one.look);
    }
    panel
}

/// Returns the axis of ratios: around 1 and all of them, with as much of their intervals as is legible.
fn axis(label: String, shown: &[Shown]) -> Axis {
    let ratios = || shown.iter().map(|one| one.ratio).chain([1.0]);
    let least = ratios().fold(f64::INFINITY, f64::min);
    let most = ratios().fold(f64::NEG_INFINITY, f64::max);
    let ends = || shown.iter().filter_map(|one| one.range);
    let low = ends().map(|(low, _)| low).fold(least, f64::min).max(least / REACH);
    let high = ends().map(|(_, high)| high).fold(most, f64::max).min(most * REACH);
    // At least a factor of four wide: on a narrower axis small differences look large.
    let widen = (4.0 / (high / low)).sqrt().max(ROOM);
    Axis::log(label, low / widen, high * widen)
}

/// Prints a ratio with two or three significant digits.
fn digits(ratio: f64) -> String {
    Format::PLAIN.print(ratio, decimals(ratio))
}

/// Prints an end of an interval, which is not read as 1 if it is another number.
fn end(ratio: f64) -> String {
    Format { none: Some(1.0), ..Format::PLAIN }.print_end(ratio, decimals(ratio))
}

/// Returns the decimals of a ratio; the limits are those that rounding reaches.
fn decimals(ratio: f64) -> usize {
    match ratio.abs() {
        large if large >= 99.95 => 0,
        large if large >= 9.995 => 1,
        small if small > 0.0 && small < 0.0995 => 3,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_two_or_three_digits() {
        let printed = [0.0, 0.0442, 0.0999, 0.567, 1.0, 9.994, 9.996, 15.66, 99.97, 157.7].map(digits);
        assert_eq!(printed, ["0.00", "0.044", "0.10", "0.57", "1.00", "9.99", "10.0", "15.7", "100", "158"]);
    }

    #[test]
    fn the_axis_shows_all_ratios_and_1_and_no_more_than_a_part_of_long_intervals() {
        let one = |ratio, low, high| Shown {
            row: 0,
            look: OPEN,
            ratio,
            range: Some((low, high)),
            is_saturated: false,
            title: String::new(),
        };
        let near = axis(String::new(), &[one(1.02, 1.01, 1.03)]).scale;
        assert!(near.from() < 0.6 && near.to() > 1.9, "small differences stay small: {near:?}");
        let far = axis(String::new(), &[one(2.0, 0.0, 1e9)]).scale;
        assert!(far.from() > 0.02 && far.to() < 100.0, "{far:?}");
    }
}
