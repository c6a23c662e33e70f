//! Rows of geometric means over workloads.

use super::best::{percent, position};
use super::cells::percent::change;
use super::column::CellPart;
use super::filled::Filled;
use super::layout::CellSubject;
use super::{Axis, CellKind};
use batchlab_engine::table::{Cell, Format, TableRow};
use batchlab_study::study::{Across, ComparedNumber, Question, Study};
use batchlab_traces::sorted::SortedSet;

/// The rows, and notes about them.
#[derive(Debug, Default)]
pub struct Mean {
    /// The rows, which follow all other rows.
    pub rows: Vec<TableRow>,
    pub notes: Vec<String>,
}

/// Format of ratios in a column that has another unit.
const RATIO: Format = Format { significant: 4, most_decimals: 3, none: Some(1.0), ..Format::PLAIN };

/// Returns a row for each combination of the row axes other than the workload. O(cells), plus the contrasts.
pub fn mean_rows(filled: &Filled<'_>, study: &Study<'_>) -> Mean {
    let mut mean = Mean::default();
    for members in groups(filled) {
        let mut cells = labels(filled, members[0]);
        for column in 0..filled.layout.columns.len() {
            let subjects: Vec<&CellSubject> =
                members.iter().filter_map(|&row| filled.subjects[row][column].as_ref()).collect();
            let questions: Vec<Question> =
                subjects.iter().filter_map(|subject| filled.layout.question(subject)).collect();
            // Its measure, if it has one, was compared with nothing: it is the baseline.
            let is_baseline = questions.is_empty() && !subjects.is_empty();
            for part in filled.layout.parts_of(&filled.layout.columns[column]) {
                let first = subjects.first().filter(|_| !questions.is_empty());
                let Some((subject, quantity)) = first.zip(quantity(part.kind)) else {
                    let is_one = is_baseline && part.kind.is_value() && !part.is_interval;
                    cells.push(if is_one { Cell::Text("\u{d7} 1".into()) } else { Cell::Empty });
                    continue;
                };
                let across = Across::of(study, &questions, quantity);
                note(&mut mean.notes, filled, study, (subject, &across, quantity));
                cells.push(cell(part, &across));
            }
        }
        mean.rows.push(TableRow { cells, group: None });
    }
    mean
}

/// Returns groups of rows that differ in the workload only, by position, in the order of their first rows.
fn groups(filled: &Filled<'_>) -> Vec<Vec<usize>> {
    let without = |row: usize| {
        let at = filled.layout.rows[row].iter().zip(&filled.layout.spec.rows);
        at.filter(|(_, axis)| **axis != Axis::Workload).map(|(at, _)| *at).collect::<Vec<usize>>()
    };
    let mut seen: SortedSet<Vec<usize>> = SortedSet::new();
    let rows = 0..filled.layout.rows.len();
    let first: Vec<usize> = rows.clone().filter(|&row| seen.insert(without(row))).collect();
    let alike = |first: &usize| rows.clone().filter(|&row| without(row) == without(*first)).collect();
    first.iter().map(alike).collect()
}

fn labels(filled: &Filled<'_>, row: usize) -> Vec<Cell> {
    let layout = &filled.layout;
    let label = |(axis, at): (&Axis, &usize)| match axis {
        Axis::Workload => Cell::Text("geometric mean".into()),
        _ => Cell::Text(layout.spoken(*axis, *at)),
    };
    layout.spec.rows.iter().zip(&layout.rows[row]).map(label).collect()
}

/// Returns which ratio a kind of cell is the geometric mean of: below values that of means, which they show.
fn quantity(kind: &CellKind) -> Option<ComparedNumber> {
    match kind.name {
        "value" => Some(ComparedNumber::RatioOfMeans),
        _ => kind.compares().filter(|quantity| *quantity != ComparedNumber::Difference),
    }
}

fn cell(part: CellPart, across: &Across) -> Cell {
    let ends = across.interval.as_ref().ok().map(|of| (of.low, of.high));
    let interval =
        |of: fn(f64) -> f64| ends.map_or(Cell::Empty, |(low, high)| Cell::Interval(of(low), of(high)));
    let print = |ratio: f64| RATIO.print(ratio, RATIO.most_decimals);
    let end = |ratio: f64| RATIO.print_end(ratio, RATIO.most_decimals);
    match (part.kind.name, part.is_interval) {
        ("value", false) => {
            across.mean.map_or(Cell::Empty, |mean| Cell::Text(format!("\u{d7} {}", print(mean))))
        }
        ("value", true) => {
            ends.map_or(Cell::Empty, |(low, high)| Cell::Text(format!("[{}, {}]", end(low), end(high))))
        }
        ("ratio" | "ratio_of_means", false) => across.mean.into(),
        ("ratio" | "ratio_of_means", true) => interval(|ratio| ratio),
        ("percent" | "percent_of_means", false) => across.mean.map(change).into(),
        ("percent" | "percent_of_means", true) => interval(change),
        _ => Cell::Empty,
    }
}

fn note(
    notes: &mut Vec<String>,
    filled: &Filled<'_>,
    study: &Study<'_>,
    (subject, across, quantity): (&CellSubject, &Across, ComparedNumber),
) {
    let (layout, frame) = (&filled.layout, study.frame());
    let baseline =
        layout.spec.baselines.get(subject.baseline).map_or_else(String::new, |of| of.label(layout.names));
    let what = if quantity == ComparedNumber::Ratio { "ratios" } else { "ratios of means" };
    position(notes, format!("geometric mean: over workloads, of the {what} to {baseline}"));
    if across.left_out > 0 {
        let all = across.design_points + across.left_out;
        let policy = &frame.policies[subject.policy].label;
        let policy = layout.spec.called(policy).unwrap_or(policy);
        let metric = layout.spoken(Axis::Metric, subject.metric);
        position(
            notes,
            format!(
                "geometric mean of {policy}: {metric} has a ratio above 0 at {} of {all} workloads",
                across.design_points
            ),
        );
    }
    if let (true, Ok(interval)) = (layout.spec.intervals, &across.interval) {
        let (level, method) = (percent(frame.level), interval.method.words());
        let words = "as if these workloads were drawn from some population of them";
        position(notes, format!("interval of a geometric mean: at {level} % by {method}, {words}"));
    }
}
