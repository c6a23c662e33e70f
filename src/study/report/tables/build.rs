//! Makes a table from results.

use super::best::{bests, position};
use super::caption::{caption, definitions, facts, in_a_paper};
use super::cells::{CellContent, Drawing, PolicyPlace};
use super::column::CellPart;
use super::geometric::{Mean, mean_rows};
use super::layout::{CellSubject, Slot, TableLayout};
use super::notes::notes;
use super::{Axis, FamilyScope, Form, Names, TableSpec, saturated};
use crate::experiment::DesignPoint;
use crate::study::{Answer, ComparedNumber, Comparison, Contrast, Family, Question, Ranking, Study};
use batchlab_engine::table::{Cell, Decimals, Mark, Paper, Table, TableRow};
use batchlab_traces::sorted::{SortedMap, SortedSet};

/// A layout with what is known about each of its cells.
pub struct Filled<'a> {
    /// The layout.
    pub layout: TableLayout<'a>,
    /// The subject of each cell; `None` if nothing was replayed or measured.
    pub subjects: Vec<Vec<Option<CellSubject>>>,
    /// The contrasts with baselines, by what was asked.
    answers: SortedMap<Question, Answer>,
    /// The families in which the contrasts were tested.
    pub families: Vec<Family>,
}

/// Returns a table of results. O(cells), plus the estimates, contrasts and families that it needs.
pub fn table(spec: &TableSpec, study: &Study<'_>) -> Table {
    let names = Names::of(study.frame());
    let filled = Filled::new(TableLayout::new(spec, &names), study);
    let drawn = filled.draw(study);
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
        table.notes.extend(bests.notes);
    }
    if spec.form == Form::Wide {
        saturated::mark(&mut table, &filled, study);
    }
    let slots = filled.layout.slots();
    for (row, drawn) in drawn.into_iter().enumerate() {
        let labels = filled.labels(row);
        if spec.form == Form::Wide {
            mark_reasons(&mut table, labels.len(), row, &drawn, &slots);
        }
        let cells = labels.into_iter().chain(drawn.into_iter().map(|drawn| drawn.cell)).collect();
        table.rows.push(TableRow { cells, group: None });
    }
    if spec.form == Form::Wide {
        print_mixed(&mut table, &filled, &slots);
    }
    if spec.geometric {
        let Mean { rows, notes } = mean_rows(&filled, study);
        table.rows.extend(rows);
        table.notes.extend(notes);
    }
    table
}

impl<'a> Filled<'a> {
    pub fn new(layout: TableLayout<'a>, study: &Study<'_>) -> Filled<'a> {
        let is_known = |subject: &CellSubject| {
            subject.measure.is_some() && !study.frame().rows(&subject.design_point, subject.policy).is_empty()
        };
        let subjects = |row: &Vec<usize>| {
            layout.columns.iter().map(|column| Some(layout.subject(row, column)).filter(is_known)).collect()
        };
        let subjects = layout.rows.iter().map(subjects).collect();
        let mut filled = Filled { layout, subjects, answers: SortedMap::new(), families: Vec::new() };
        filled.layout_without_empty_rows();
        if filled.layout.spec.has_contrasts() {
            filled.compare(study);
        }
        filled
    }

    /// Drops rows of design points at which nothing was replayed.
    fn layout_without_empty_rows(&mut self) {
        let kept: Vec<bool> =
            self.subjects.iter().map(|subjects| subjects.iter().any(Option::is_some)).collect();
        let mut keep = kept.iter();
        self.layout.rows.retain(|_| keep.next().is_some_and(|kept| *kept));
        self.subjects.retain(|subjects| subjects.iter().any(Option::is_some));
    }

    /// Computes all contrasts of the table, family by family.
    fn compare(&mut self, study: &Study<'_>) {
        let asked: SortedSet<Question> =
            self.known().filter_map(|subject| self.layout.question(subject)).collect();
        let questions: Vec<Question> = asked.into_iter().collect();
        for family in self.families(&questions) {
            let asked: Vec<Question> = family.iter().map(|&at| questions[at].clone()).collect();
            let family = Family::of(study, &asked, self.layout.spec.quantity());
            self.answers.extend(asked.into_iter().zip(family.answers.iter().cloned()));
            self.families.push(family);
        }
    }

    /// Returns the contrast of a cell's subject with its baseline, if it was asked for.
    pub fn answer(&self, subject: &CellSubject) -> Option<&Answer> {
        self.answers.get(&self.layout.question(subject)?)
    }

    /// Returns the families of questions that are tested together, by position.
    pub fn families(&self, questions: &[Question]) -> Vec<Vec<usize>> {
        if self.layout.spec.is_each_alone() {
            return (0..questions.len()).map(|at| vec![at]).collect();
        }
        let mut families: SortedMap<(Option<usize>, Option<DesignPoint>), Vec<usize>> = SortedMap::new();
        for (at, question) in questions.iter().enumerate() {
            let key = match self.layout.spec.family {
                FamilyScope::Table => (None, None),
                FamilyScope::Measure => (Some(question.measure), None),
                FamilyScope::DesignPoint => {
                    (Some(question.measure), Some(question.baseline.design_point.clone()))
                }
            };
            families.entry(key).or_default().push(at);
        }
        families.into_values().collect()
    }

    /// Returns the comparisons of a contrast whose intervals the table prints.
    pub fn printed<'c>(&self, contrast: &'c Contrast) -> Vec<&'c Comparison> {
        let spec = self.layout.spec;
        let order = [ComparedNumber::Ratio, ComparedNumber::RatioOfMeans, ComparedNumber::Difference];
        let is_printed = |quantity: &ComparedNumber| {
            spec.cells.iter().any(|kind| kind.compares() == Some(*quantity) && spec.has_interval(kind))
        };
        let comparison = |quantity| match quantity {
            ComparedNumber::Ratio => contrast.as_ratio(),
            quantity => contrast.by(quantity),
        };
        order.into_iter().filter(is_printed).map(comparison).collect()
    }

    /// Returns the subjects of all cells.
    pub fn known(&self) -> impl Iterator<Item = &CellSubject> {
        self.subjects.iter().flatten().flatten()
    }

    /// Returns the design points and measures of the table, each once.
    pub fn compared_values(&self) -> SortedSet<(DesignPoint, usize)> {
        self.known().filter_map(|subject| Some((subject.design_point.clone(), subject.measure?))).collect()
    }

    /// Returns the row and column of the first part of each cell whose subject satisfies the predicate.
    pub fn places(&self, is_about: impl Fn(&CellSubject) -> bool) -> Vec<(usize, usize)> {
        let (labels, slots) = (self.layout.spec.rows.len(), self.layout.slots());
        let kind = self.layout.spec.cells[0].name;
        let first = |column: usize| {
            slots.iter().position(|slot| slot.column == column && slot.part.kind.name == kind)
        };
        let mut places = Vec::new();
        for (row, subjects) in self.subjects.iter().enumerate() {
            let about =
                subjects.iter().enumerate().filter(|(_, subject)| subject.as_ref().is_some_and(&is_about));
            places.extend(about.filter_map(|(column, _)| Some((row, labels + first(column)?))));
        }
        places
    }

    /// Returns the labels of a row.
    fn labels(&self, row: usize) -> Vec<Cell> {
        let layout = &self.layout;
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
    fn draw(&self, study: &Study<'_>) -> Vec<Vec<CellContent>> {
        let parts = self.layout.parts();
        let needs_place = parts.iter().any(|part| matches!(part.kind.name, "rank" | "first"));
        let cell = |(subject, column): (&Option<CellSubject>, &Vec<usize>)| {
            let parts = self.layout.parts_of(column);
            let Some((subject, measure)) =
                subject.as_ref().and_then(|subject| Some((subject, subject.measure?)))
            else {
                return vec![CellContent::EMPTY; parts.len()];
            };
            let pool = self.layout.spec.pool;
            let estimate = pool.estimate(study, &subject.design_point, subject.policy, measure);
            if estimate.value.is_none() {
                return vec![CellContent::EMPTY; parts.len()];
            }
            let answer = self.answer(subject);
            let place = if needs_place { self.place(study, subject, measure) } else { None };
            let drawing = Drawing { estimate: &estimate, answer, place };
            parts.iter().map(|part| draw(*part, &drawing)).collect()
        };
        let columns = &self.layout.columns;
        let row = |subjects: &Vec<Option<CellSubject>>| subjects.iter().zip(columns).flat_map(cell).collect();
        self.subjects.iter().map(row).collect()
    }

    fn place(&self, study: &Study<'_>, subject: &CellSubject, measure: usize) -> Option<PolicyPlace> {
        let policies = &self.layout.spec.policies;
        let at = policies.iter().position(|policy| *policy == subject.policy)?;
        let ranking = Ranking::of(study, &subject.design_point, policies, measure)?;
        Some(PolicyPlace { rank: ranking.ranks[at], first: ranking.first.map(|first| first[at]) })
    }
}

fn draw(part: CellPart, drawing: &Drawing<'_>) -> CellContent {
    match (part.is_interval, part.kind.interval) {
        (true, Some(interval)) => interval(drawing),
        (true, None) => CellContent::EMPTY,
        (false, _) => (part.kind.draw)(drawing),
    }
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
                let print = |number: f64| format.print(number, decimals);
                let cell = &mut table.rows[row].cells[labels + offset];
                *cell = match &*cell {
                    Cell::Number(number) => Cell::Text(print(*number)),
                    Cell::Interval(low, high) => Cell::Text(format!("[{}, {}]", print(*low), print(*high))),
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
