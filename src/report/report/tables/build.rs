//! Makes a table from results.

use super::best::{bests, position};
use super::caption::{caption, definitions, facts, in_a_paper};
use super::cells::{CellContent, Drawing, PolicyPlace};
use super::column::CellPart;
use super::filled::Filled;
use super::geometric::{Mean, mean_rows};
use super::layout::{CellSubject, Slot, TableLayout};
use super::notes::notes;
use super::rejected::with_rejected;
use super::{Axis, Form, Names, TableSpec, saturated, too_wide};
use batchlab_engine::table::{Cell, Clause, Decimals, Mark, Paper, Table, TableRow};
use batchlab_study::study::{Answer, ComparedNumber, Ranking, Study};

const OF_MEANS: &str =
    "ratio of means: a unit has a value that is not above 0, of which there is no geometric mean";

/// Returns a table of results. O(cells), plus the estimates, contrasts and families that it needs.
pub fn table(spec: &TableSpec, study: &Study<'_>) -> Table {
    let spec = &*with_rejected(spec, study);
    let names = Names::of(study.frame());
    let filled = Filled::new(TableLayout::new(spec, &names), study);
    let drawn = draw(&filled, study);
    let mut table = Table {
        title: spec.title.clone().unwrap_or_else(|| spec.name.clone()),
        caption: caption(&filled, study),
        facts: facts(&filled, study),
        columns: filled.layout.table_columns(),
        notes: notes(&filled, study),
        definitions: definitions(&filled),
        merged: if spec.form == Form::Wide { spec.rows.len().saturating_sub(1) } else { 0 },
        paper: Paper {
            caption: spec.caption.clone().unwrap_or_else(|| in_a_paper(&filled, study)),
            is_latex: spec.caption.is_some(),
            label: String::new(),
            float: spec.float,
            width: spec.width,
            conditions: spec.conditions,
        },
        ..Table::default()
    };
    if spec.best {
        let bests = bests(&filled, study);
        table.marks = bests.marks;
        table.footnotes = bests.footnotes;
        table.notes.extend(bests.notes.into_iter().map(|note| Clause::prose(note).into()));
    }
    if spec.form == Form::Wide {
        saturated::mark(&mut table, &filled, study);
        mark_means(&mut table, &filled);
    }
    let slots = filled.layout.slots();
    for (row, drawn) in drawn.into_iter().enumerate() {
        let labels = labels(&filled, row);
        if spec.form == Form::Wide {
            mark_reasons(&mut table, labels.len(), row, &drawn, &slots);
        }
        let cells = labels.into_iter().chain(drawn.into_iter().map(|drawn| drawn.cell)).collect();
        table.rows.push(TableRow { cells, group: None });
    }
    if spec.form == Form::Wide {
        too_wide::mark(&mut table, &filled, study);
        print_mixed(&mut table, &filled, &slots);
    }
    if spec.geometric {
        let Mean { rows, notes } = mean_rows(&filled, study);
        table.rows.extend(rows);
        table.notes.extend(notes.into_iter().map(|note| Clause::prose(note).into()));
    }
    table
}

fn labels(filled: &Filled<'_>, row: usize) -> Vec<Cell> {
    let layout = &filled.layout;
    let label = |(axis, at): (&Axis, &usize)| match (axis, layout.spec.form) {
        (Axis::Metric, Form::Wide) => {
            let unit = layout.format(*at, &super::CELLS[0]).unit;
            let words = layout.spoken(*axis, *at);
            Cell::Text(if unit.is_empty() { words } else { format!("{words} ({unit})") })
        }
        (_, Form::Wide) => Cell::Text(layout.spoken(*axis, *at)),
        (_, Form::Long) => Cell::Text(layout.label(*axis, *at)),
    };
    layout.spec.rows.iter().zip(&layout.rows[row]).map(label).collect()
}

/// Returns the contents of all cells, row by row, part by part.
fn draw(filled: &Filled<'_>, study: &Study<'_>) -> Vec<Vec<CellContent>> {
    let parts = filled.layout.parts();
    let needs_place = parts.iter().any(|part| matches!(part.kind.name, "rank" | "first"));
    let cell = |(subject, column): (&Option<CellSubject>, &Vec<usize>)| {
        let parts = filled.layout.parts_of(column);
        let Some((subject, measure)) = subject.as_ref().and_then(|subject| Some((subject, subject.measure?)))
        else {
            return vec![CellContent::EMPTY; parts.len()];
        };
        let pool = filled.layout.spec.pool;
        let estimate = pool.estimate(study, &subject.design_point, subject.policy, measure);
        if estimate.value.is_none() {
            return vec![CellContent::EMPTY; parts.len()];
        }
        let answer = filled.answer(subject);
        let place = if needs_place { place(filled, study, subject, measure) } else { None };
        let drawing = Drawing { estimate: &estimate, answer, place };
        parts.iter().map(|part| draw_part(*part, &drawing)).collect()
    };
    let columns = &filled.layout.columns;
    let row = |subjects: &Vec<Option<CellSubject>>| subjects.iter().zip(columns).flat_map(cell).collect();
    filled.subjects.iter().map(row).collect()
}

fn place(
    filled: &Filled<'_>,
    study: &Study<'_>,
    subject: &CellSubject,
    measure: usize,
) -> Option<PolicyPlace> {
    let policies = &filled.layout.spec.policies;
    let at = policies.iter().position(|policy| *policy == subject.policy)?;
    let ranking = Ranking::of(study, &subject.design_point, policies, measure)?;
    Some(PolicyPlace { rank: ranking.ranks[at], first: ranking.first.map(|first| first[at]) })
}

fn draw_part(part: CellPart, drawing: &Drawing<'_>) -> CellContent {
    match (part.is_interval, part.kind.interval) {
        (true, Some(interval)) => interval(drawing),
        (true, None) => CellContent::EMPTY,
        (false, _) => (part.kind.draw)(drawing),
    }
}

/// Adds footnotes to ratios that are those of means, as a value of a unit has no logarithm, in columns of geometric means.
fn mark_means(table: &mut Table, filled: &Filled<'_>) {
    let labels = filled.layout.spec.rows.len();
    let is_geometric =
        |slot: &Slot| slot.part.kind.compares() == Some(ComparedNumber::Ratio) && !slot.part.is_interval;
    for (at, slot) in filled.layout.slots().iter().enumerate().filter(|(_, slot)| is_geometric(slot)) {
        for (row, subjects) in filled.subjects.iter().enumerate() {
            let answer = subjects[slot.column].as_ref().and_then(|subject| filled.answer(subject));
            if answer.is_some_and(is_of_means) {
                let tested = if filled.layout.spec.shows(&["p", "p_raw", "verdict"]) {
                    "; the difference is tested"
                } else {
                    ""
                };
                let footnote = position(&mut table.footnotes, format!("{OF_MEANS}{tested}"));
                table.marks.entry((row, labels + at)).or_default().footnotes.push(footnote);
            }
        }
    }
}

/// Whether the ratio of a contrast is that of means, where there is no geometric mean.
pub(super) fn is_of_means(answer: &Answer) -> bool {
    answer.contrast.ratio.value.is_none() && answer.contrast.ratio_of_means.value.is_some()
}

/// Adds footnotes that explain missing intervals and tests.
fn mark_reasons(table: &mut Table, labels: usize, row: usize, drawn: &[CellContent], slots: &[Slot]) {
    for (at, drawn) in drawn.iter().enumerate() {
        let Some(reason) = drawn.reason else { continue };
        let part = slots[at].part;
        let what = if part.is_interval { "no interval" } else { "not tested" };
        let footnote = position(&mut table.footnotes, format!("{what}: {reason}"));
        let mark: &mut Mark = table.marks.entry((row, labels + at)).or_default();
        mark.footnotes.push(footnote);
    }
}

/// Prints the numbers of columns shared by several metrics: each with the unit and decimals of its metric.
fn print_mixed(table: &mut Table, filled: &Filled<'_>, slots: &[Slot]) {
    let layout = &filled.layout;
    if layout.spec.columns.contains(&Axis::Metric) {
        return;
    }
    let labels = layout.spec.rows.len();
    // Intervals come first: they take the decimals of the numbers beside them, which must not be text yet.
    let is_mixed = |slot: &Slot| layout.common_format(slot.part.kind).is_none();
    for (offset, Slot { column, part }) in slots.iter().enumerate().rev().filter(|(_, slot)| is_mixed(slot)) {
        let estimate = if part.is_interval { offset - 1 } else { offset };
        for metric in 0..layout.spec.metrics.len() {
            let is_of = |row: &usize| {
                filled.subjects[*row][*column].as_ref().is_some_and(|subject| subject.metric == metric)
            };
            let rows: Vec<usize> = (0..filled.subjects.len()).filter(is_of).collect();
            let format = layout.format(metric, part.kind);
            let numbers = rows.iter().flat_map(|&row| ends(&table.rows[row].cells[labels + estimate]));
            let column = Decimals::of_column(format, &numbers.collect::<Vec<_>>());
            for row in rows {
                let decimals = column.of(Some(&table.rows[row].cells[labels + estimate]));
                let end = |number: f64| format.print_end(number, decimals);
                let cell = &mut table.rows[row].cells[labels + offset];
                *cell = match &*cell {
                    Cell::Number(number) => Cell::Text(format.print(*number, decimals)),
                    Cell::Interval(low, high) => Cell::Text(format!("[{}, {}]", end(*low), end(*high))),
                    other => other.clone(),
                };
            }
        }
    }
}

fn ends(cell: &Cell) -> Vec<f64> {
    match cell {
        Cell::Number(number) => vec![*number],
        Cell::Interval(low, high) => vec![*low, *high],
        Cell::Text(_) | Cell::Empty => Vec::new(),
    }
}
