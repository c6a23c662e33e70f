//! Tables that are not laid out by rows and columns: their conditions, and the labels of their rows.

use super::caption::{experiment, replaced, unit_words};
use super::notes::{part, with_head};
use super::{Axis, Names, TableSpec, rejected};
use batchlab_engine::metrics::spoken;
use batchlab_engine::replay::conditions::TOOL;
use batchlab_engine::stats::Interval;
use batchlab_engine::table::{Better, Cell, Clause, Format, Paper, Sentence, Table, TableColumn};
use batchlab_study::experiment::{DesignPoint, condition_lines};
use batchlab_study::study::{Reason, Study};

/// A place in a table: a design point, with a policy and a metric if its rows have them.
#[derive(Clone, Debug)]
pub(super) struct RowPlace {
    pub point: DesignPoint,
    pub policy: Option<usize>,
    pub metric: Option<usize>,
}

/// A table whose rows begin with the names of what there are several of.
pub(super) struct Labelled<'a> {
    spec: &'a TableSpec,
    study: &'a Study<'a>,
    axes: Vec<Axis>,
    pub table: Table,
}

impl<'a> Labelled<'a> {
    /// Returns the table without rows, with its conditions; `axes` are those of its labels besides workload and parameters.
    pub fn new(spec: &'a TableSpec, study: &'a Study<'a>, title: &str, axes: &[Axis]) -> Labelled<'a> {
        let (frame, names) = (study.frame(), Names::of(study.frame()));
        let is_shown = |axis: &Axis| match axis {
            Axis::Workload | Axis::Parameter(_) | Axis::Metric => spec.count(*axis) > 1,
            _ => axes.contains(axis),
        };
        let all = Axis::all(&names).into_iter();
        let axes: Vec<Axis> =
            all.filter(|axis| is_shown(axis) && (axes.contains(axis) || is_point(*axis))).collect();
        let columns = axes.iter().map(|axis| {
            let name = axis.name(&names);
            TableColumn { heading: spec.called(name).unwrap_or(name).to_owned(), ..TableColumn::text(name) }
        });
        let text = |text: &str| Cell::Text(text.to_owned());
        let facts = [("experiment", text(&frame.name)), ("seed", text(&frame.seed.to_string()))];
        let facts = facts.into_iter().chain([("level", Cell::Number(frame.level)), ("tool", text(TOOL))]);
        let title = spec.title.clone().unwrap_or_else(|| title.to_owned());
        let table = Table {
            caption: caption(spec, study),
            facts: facts
                .map(|(name, cell)| (name.to_owned(), cell))
                .chain(replaced(frame, &spec.workloads))
                .collect(),
            columns: columns.collect(),
            notes: part(study).into_iter().chain(rejected::notes(spec, study)).collect(),
            merged: axes.len().saturating_sub(1),
            paper: Paper {
                caption: spec.caption.clone().unwrap_or_else(|| format!("{}.", title.trim_end_matches('.'))),
                is_latex: spec.caption.is_some(),
                label: String::new(),
                float: spec.float,
                width: spec.width,
                conditions: spec.conditions,
            },
            title,
            ..Table::default()
        };
        Labelled { spec, study, axes, table }
    }

    /// Adds the column of a number, and of its interval.
    pub fn number(&mut self, key: &str, format: Format, better: Better, heading: Option<String>) {
        let format = Format { significant: self.spec.digits.unwrap_or(format.significant), ..format };
        let (like, number) = (self.table.columns.len(), TableColumn::number(key, format, better));
        let heading = heading.unwrap_or_else(|| number.heading.clone());
        let key = format!("{key}_interval");
        let interval = TableColumn { heading: "interval".into(), ..TableColumn::interval(key, format, like) };
        self.table.columns.extend([TableColumn { heading, ..number }, interval]);
    }

    pub fn labels(&self, place: &RowPlace) -> Vec<Cell> {
        let frame = self.study.frame();
        let name = |axis: &Axis| match axis {
            Axis::Workload => frame.workloads[place.point.workload].name.clone(),
            Axis::Parameter(at) => frame.value(&place.point, *at).to_owned(),
            Axis::Metric => place.metric.map_or_else(String::new, |at| self.spec.metrics[at].clone()),
            _ => place.policy.map_or_else(String::new, |policy| frame.policies[policy].label.clone()),
        };
        let cell = |axis: &Axis| {
            let name = name(axis);
            let words = || if *axis == Axis::Metric { spoken::of(&name) } else { name.clone() };
            Cell::Text(self.spec.called(&name).map_or_else(words, str::to_owned))
        };
        self.axes.iter().map(cell).collect()
    }

    /// Adds a definition of a column.
    pub fn define(&mut self, name: &str, what: impl Into<Clause>) {
        self.table.definitions.push((name.into(), what.into()));
    }

    /// Adds a note, once.
    pub fn note(&mut self, note: impl Into<Sentence>) {
        let note = note.into();
        if !self.table.notes.contains(&note) {
            self.table.notes.push(note);
        }
    }

    /// Returns the cell of an interval; an empty one and a note if its workload has none.
    pub fn interval(&mut self, point: &DesignPoint, interval: &Result<Interval, Reason>) -> Cell {
        match interval {
            Ok(interval) => {
                if interval.is_too_wide() {
                    let name = &self.study.frame().workloads[point.workload].name;
                    let words = "an end of an interval is above ten times the value: too wide to use";
                    self.note(format!("{name}: {words}"));
                }
                Cell::Interval(interval.low, interval.high)
            }
            Err(reason) => {
                let name = &self.study.frame().workloads[point.workload].name;
                self.note(with_head(Clause::prose(format!("no interval of {name}")), reason.to_string()));
                Cell::Empty
            }
        }
    }
}

fn is_point(axis: Axis) -> bool {
    matches!(axis, Axis::Workload | Axis::Parameter(_))
}

/// Returns the design points that a table shows.
pub(super) fn design_points(spec: &TableSpec, study: &Study<'_>) -> Vec<DesignPoint> {
    let is_there = |point: &DesignPoint| study.frame().design_points().contains(point);
    DesignPoint::all(&spec.workloads, &spec.values).into_iter().filter(is_there).collect()
}

fn caption(spec: &TableSpec, study: &Study<'_>) -> Vec<Sentence> {
    let (frame, points) = (study.frame(), design_points(spec, study));
    let units = |workload: usize| {
        let of = points.iter().filter(|point| point.workload == workload);
        let policies = || spec.policies.iter();
        let rows = of.flat_map(|point| policies().map(move |&policy| frame.rows(point, policy)));
        rows.map(|rows| rows.iter().filter(|row| row.unit.is_some()).count()).max().unwrap_or(0)
    };
    let of_workload = |&workload: &usize| {
        let facts = &frame.workloads[workload];
        let units = unit_words(facts, &units(workload).to_string());
        let parts = [units].into_iter().chain(frame.conditions(workload, &points, None)).collect();
        (facts.name.as_str(), parts)
    };
    let mut lines = condition_lines(&spec.workloads.iter().map(of_workload).collect::<Vec<_>>());
    lines.push(experiment(frame));
    lines
}
