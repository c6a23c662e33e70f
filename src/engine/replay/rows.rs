//! The table of a replay: a row for each policy, plus the log's own schedule and the lower bounds.

use batchlab_traces::JobId;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::number::grouped;

use super::conditions::Conditions;
use super::notes::{DIFFERENT_JOBS, jobs, killed, left_out, turned_away};
use crate::metrics::family::{counts, slowdown};
use crate::metrics::{Class, Measurement, Metric, MetricPart, Scope, Statistic};
use crate::outcome::{Fate, Outcome};
use crate::table::number::{Format, TimeUnit};
use crate::table::{Cell, Clause, Table, TableColumn, TableRow};

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    Policy,
    Recorded,
    /// Proven lower bounds.
    Bound,
}

#[derive(Clone, Debug)]
pub struct ResultRow {
    /// Canonical spec of the policy, or `log`, or `lower bound`.
    pub label: String,
    /// Its subject.
    pub kind: RowKind,
    /// One value per metric.
    pub values: Vec<Option<f64>>,
    /// One value per metric for each class.
    pub classes: Vec<(String, Vec<Option<f64>>)>,
    /// The number of jobs that the policy rejected, of all and of each class; empty for bounds.
    pub rejected: Vec<usize>,
    pub notes: Vec<String>,
}

impl ResultRow {
    pub fn measure(
        label: impl Into<String>,
        kind: RowKind,
        measurement: &Measurement<'_>,
        metrics: &[Metric],
        classes: &[Class],
    ) -> ResultRow {
        let mut rejected = vec![measurement.rejected().len()];
        let mut by_class = Vec::new();
        for class in classes {
            let of = measurement.of_class(class);
            rejected.push(of.rejected().len());
            by_class.push((class.name.clone(), values(metrics, &of)));
        }
        let label = label.into();
        ResultRow {
            values: values(metrics, measurement),
            classes: by_class,
            rejected,
            notes: notes(&label, measurement, metrics),
            label,
            kind,
        }
    }

    #[must_use]
    pub fn select(&self, metrics: &[usize]) -> ResultRow {
        let some = |values: &[Option<f64>]| metrics.iter().map(|&at| values[at]).collect();
        ResultRow {
            values: some(&self.values),
            classes: self.classes.iter().map(|(class, values)| (class.clone(), some(values))).collect(),
            ..self.clone()
        }
    }

    /// Returns the row of the lower bounds, from [`crate::metrics::lower_bounds`].
    pub fn bounds(values: Vec<Option<f64>>) -> ResultRow {
        let note = "lower bound: what no schedule that runs every job to its end can beat";
        ResultRow {
            label: "lower bound".into(),
            kind: RowKind::Bound,
            values,
            classes: Vec::new(),
            rejected: Vec::new(),
            notes: vec![note.into()],
        }
    }
}

/// Adds a last column with the number of rejected jobs, which count in no mean, if a policy rejected any; where the numbers
/// differ, a note says that the means are of different jobs.
pub fn tell_rejected(metrics: &mut Vec<Metric>, rows: &mut [&mut ResultRow]) {
    let counts: Vec<usize> = rows.iter().filter_map(|row| row.rejected.first().copied()).collect();
    if counts.iter().all(|&count| count == 0) {
        return;
    }
    if counts.iter().any(|count| *count != counts[0]) {
        rows[0].notes.push(DIFFERENT_JOBS.into());
    }
    if metrics.iter().any(|metric| std::ptr::eq(metric.spec, &raw const counts::REJECTED)) {
        return;
    }
    metrics.push(Metric { spec: &counts::REJECTED, part: MetricPart::Whole });
    for row in rows {
        let mut counts = row.rejected.iter().map(|&count| Some(count as f64));
        row.values.push(counts.next().flatten());
        row.classes.iter_mut().zip(counts).for_each(|((_, values), count)| values.push(count));
    }
}

/// Returns the values of metrics, which are computed family by family, so that the values of one quantity at a time are in memory.
fn values(metrics: &[Metric], of: &Measurement<'_>) -> Vec<Option<f64>> {
    let is_like = |one: usize, other: usize| std::ptr::eq(metrics[one].spec, metrics[other].spec);
    let mut order: Vec<usize> = (0..metrics.len()).collect();
    order.arrange_by_key(|&metric| (0..metric).find(|&first| is_like(first, metric)).unwrap_or(metric));
    let mut values = vec![None; metrics.len()];
    for family in order.chunk_by(|&one, &other| is_like(one, other)) {
        for &metric in family {
            values[metric] = metrics[metric].value(of);
        }
        of.forget_samples();
    }
    values
}

/// Returns the table of a replay, a row per policy.
pub fn replay_table(
    conditions: &Conditions,
    metrics: &[Metric],
    rows: &[ResultRow],
    time: TimeUnit,
) -> Table {
    let row = |row: &ResultRow| cells(vec![row.label.clone()], &row.values, row.kind, 0);
    Table {
        title: format!("Replay of {}", conditions.short_name()),
        columns: columns(&["policy"], metrics, time),
        rows: rows.iter().map(row).collect(),
        ..words(conditions, metrics, rows)
    }
}

/// Returns the table of a replay by classes of jobs, a row for each class and policy. Metrics of the whole
/// replay are left out, as they are undefined for a class.
pub fn class_table(
    conditions: &Conditions,
    metrics: &[Metric],
    rows: &[ResultRow],
    classes: &[Class],
    time: TimeUnit,
) -> Table {
    let of_jobs = |metric: &&Metric| metric.spec.scope == Scope::Jobs;
    let kept: Vec<Metric> = metrics.iter().filter(of_jobs).cloned().collect();
    let rows: Vec<ResultRow> = rows.iter().filter(|row| !row.classes.is_empty()).cloned().collect();
    let mut by_class = Vec::new();
    for (group, class) in classes.iter().enumerate() {
        for row in &rows {
            let Some((_, values)) = row.classes.iter().find(|(name, _)| *name == class.name) else {
                continue;
            };
            let values = metrics.iter().zip(values).filter(|(metric, _)| of_jobs(metric));
            let values: Vec<Option<f64>> = values.map(|(_, value)| *value).collect();
            by_class.push(cells(vec![class.name.clone(), row.label.clone()], &values, row.kind, group));
        }
    }
    let mut words = words(conditions, &kept, &rows);
    let defined = classes.iter().map(|class| (class.name.clone(), class.definition.as_str().into()));
    words.definitions.splice(0..0, defined);
    Table {
        title: format!("Replay of {} by classes of jobs", conditions.short_name()),
        columns: columns(&["class", "policy"], &kept, time),
        rows: by_class,
        ..words
    }
}

/// Returns the texts of a table, without title, columns and rows.
fn words(conditions: &Conditions, metrics: &[Metric], rows: &[ResultRow]) -> Table {
    let mut notes: Vec<String> = Vec::new();
    for note in rows.iter().flat_map(|row| &row.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    Table {
        caption: conditions.lines().into_iter().map(Into::into).collect(),
        facts: conditions.facts(),
        notes: notes.into_iter().map(Into::into).collect(),
        definitions: definitions(metrics),
        ..Table::default()
    }
}

fn columns(texts: &[&str], metrics: &[Metric], time: TimeUnit) -> Vec<TableColumn> {
    let number = |metric: &Metric| {
        TableColumn::number(metric.key(), Format::of(metric.unit(), time), metric.spec.better)
    };
    texts.iter().map(|&key| TableColumn::text(key)).chain(metrics.iter().map(number)).collect()
}

fn cells(texts: Vec<String>, values: &[Option<f64>], kind: RowKind, group: usize) -> TableRow {
    let texts = texts.into_iter().map(Cell::Text);
    TableRow {
        cells: texts.chain(values.iter().map(|&value| value.into())).collect(),
        group: (kind == RowKind::Policy).then_some(group),
    }
}

pub(super) fn definitions(metrics: &[Metric]) -> Vec<(String, Clause)> {
    let mut definitions: Vec<(String, Clause)> = Vec::new();
    let mut define = |name: &str, what: &str| {
        if !definitions.iter().any(|(known, _)| known == name) {
            definitions.push((name.into(), what.into()));
        }
    };
    for metric in metrics {
        match &metric.part {
            MetricPart::Own(own) => define(&own.name, &own.definition()),
            _ => define(metric.spec.name, metric.spec.definition),
        }
    }
    for metric in metrics {
        match metric.part {
            MetricPart::Statistic(Statistic::Mean | Statistic::Max) => {}
            MetricPart::Statistic(statistic) => define(statistic.name(), statistic.words()),
            _ => {}
        }
    }
    definitions
}

fn notes(label: &str, measurement: &Measurement<'_>, metrics: &[Metric]) -> Vec<String> {
    let mut notes = Vec::new();
    if metrics.iter().any(|metric| std::ptr::eq(metric.spec, &raw const slowdown::SLOWDOWN)) {
        notes.extend(left_out(measurement.sample(&slowdown::QUANTITY).left_out()));
    }
    for metric in metrics {
        let MetricPart::Own(own) = &metric.part else { continue };
        let left_out = own.left_out(measurement);
        if left_out > 0 {
            notes.push(format!("{label}: {} leaves out {} without a finite value", own.name, jobs(left_out)));
        }
    }
    let is_killed = |job: &&JobId| measurement.outcome().fate(**job) == Fate::Killed;
    notes.extend(killed(label, measurement.jobs().iter().filter(is_killed).count()));
    let (workload, outcome) = (measurement.workload(), measurement.outcome());
    let rejected = workload.jobs().filter(|&job| outcome.fate(job) == Fate::Rejected).count();
    notes.extend(turned_away(label, rejected, workload.len(), &outcome.rejected));
    let cancelled = workload.jobs().filter(|&job| outcome.fate(job) == Fate::Cancelled);
    notes.extend(cancelled_words(label, outcome, &cancelled.collect::<Vec<_>>()));
    notes.extend(unfinished(label, measurement));
    let ended = measurement.replayed().filter(|job| measurement.outcome().fate(job.job).has_ended());
    let (measured, replayed) = (measurement.jobs().len(), ended.count());
    if measured < replayed {
        notes.push(if measurement.options().same_jobs_under_all_policies() {
            format!("measured: {measured} of {}", jobs(replayed))
        } else {
            format!("{label}: measured {measured} of {}, the schedule decides which jobs", jobs(replayed))
        });
    }
    notes
}

/// Returns the number of jobs that users cancelled.
fn cancelled_words(label: &str, outcome: &Outcome, cancelled: &[JobId]) -> Option<String> {
    let started = cancelled.iter().filter(|&&job| outcome.started(job).is_some()).count();
    let (count, started) = (jobs(cancelled.len()), grouped(started as u64));
    (!cancelled.is_empty()).then(|| {
        format!("{label}: {count} that users cancel, {started} of them started before: not measured")
    })
}

/// Returns the number of jobs that had not ended when the replay was stopped.
fn unfinished(label: &str, measurement: &Measurement<'_>) -> Option<String> {
    let (workload, outcome) = (measurement.workload(), measurement.outcome());
    let all: Vec<JobId> = workload.jobs().filter(|&job| outcome.fate(job) == Fate::Unfinished).collect();
    let submitted: Vec<JobId> = all.iter().copied().filter(|&job| outcome.took_part(job)).collect();
    let waiting = submitted.iter().filter(|&&job| outcome.start(job) == outcome.end(job)).count();
    let stop = submitted.first().map_or(measurement.window().last_end, |&job| outcome.end(job));
    let (submitted, later) = (submitted.len(), all.len() - submitted.len());
    let mut words = vec![format!("{label}: stopped at {stop} s")];
    if submitted > 0 {
        let (count, of, waiting) = (grouped(submitted as u64), jobs(workload.len()), grouped(waiting as u64));
        words.push(format!("{count} of {of} had not ended, {waiting} of them not started: not measured"));
    }
    if later > 0 {
        words.push(format!("{} would have come later", jobs(later)));
    }
    (!all.is_empty()).then(|| words.join("; "))
}
