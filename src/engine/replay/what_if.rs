//! The table of a what-if: a log before and after changes, with the range over shaken copies of the log.

use batchlab_traces::Time;
use batchlab_traces::number::grouped;

use super::conditions::Conditions;
use super::rows::{ResultRow, definitions};
use crate::metrics::{Class, Metric};
use crate::stats::shaking;
use crate::table::number::{Format, TimeUnit};
use crate::table::{Better, Cell, Fact, Table, TableColumn, TableRow};

/// The results of one side: of the log, and of its shaken copies.
#[derive(Clone, Debug)]
pub struct ShakenRow {
    pub row: ResultRow,
    /// The results of each copy; the n-th copies of all sides are the same jobs.
    pub copies: Vec<ResultRow>,
    /// The number of jobs that were replayed.
    pub jobs: usize,
}

/// What is known of one value: that of the log, and those of its copies.
type Values = (Option<f64>, Vec<Option<f64>>);

impl ShakenRow {
    fn values(&self, metric: usize, class: Option<&Class>) -> Values {
        let value = |row: &ResultRow| match class {
            None => row.values.get(metric).copied().flatten(),
            Some(class) => {
                let (_, values) = row.classes.iter().find(|(name, _)| *name == class.name)?;
                values.get(metric).copied().flatten()
            }
        };
        (value(&self.row), self.copies.iter().map(value).collect())
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    pub name: &'a str,
    pub conditions: &'a Conditions,
    pub results: &'a ShakenRow,
}

/// How the copies were made.
#[derive(Clone, Copy, Debug)]
pub struct Shaking {
    pub copies: u32,
    /// The farthest that a submission is moved.
    pub most: Time,
}

const CHANGE: &str = "value divided by the value before, less 1, in the log";
const SHAKEN: &str = "least and greatest change over the copies, each compared with the same copy before";

/// Returns the table of a what-if: for all jobs and for each class, a row before and a row after each change. Each metric
/// has the value, its relative change, and the range of the change over the copies; a change from 0 has none.
///
/// `conditions` are those before; programs get those that hold on both sides of every change.
pub fn what_if_table(
    conditions: &Conditions,
    (metrics, classes): (&[Metric], &[Class]),
    before: &ShakenRow,
    changes: &[Changed<'_>],
    shaking: Shaking,
) -> Table {
    let groups: Vec<Option<&Class>> = [None].into_iter().chain(classes.iter().map(Some)).collect();
    let mut rows = Vec::new();
    for class in &groups {
        let label = (!classes.is_empty()).then(|| class.map_or("all jobs", |class| &class.name).to_owned());
        let row = |name: &str, cells: Vec<Cell>| TableRow {
            cells: label.iter().cloned().chain([name.to_owned()]).map(Cell::Text).chain(cells).collect(),
            group: None,
        };
        let values = |results: &ShakenRow| -> Vec<Values> {
            (0..metrics.len()).map(|metric| results.values(metric, *class)).collect()
        };
        let old = values(before);
        let plain = |(value, _): &Values| [(*value).into(), Cell::Empty, Cell::Empty];
        rows.push(row("before", old.iter().flat_map(plain).collect()));
        for change in changes {
            let pairs = old.iter().zip(values(change.results));
            let cells =
                pairs.flat_map(|(old, new)| [new.0.into(), ratio(old.0, new.0).into(), range(old, &new)]);
            rows.push(row(change.name, cells.collect()));
        }
    }
    let labels = if classes.is_empty() { vec!["change"] } else { vec!["class", "change"] };
    let mut columns: Vec<TableColumn> = labels.iter().map(|label| TableColumn::text(*label)).collect();
    for metric in metrics {
        let at = columns.len();
        columns.extend(of_metric(metric, at));
    }
    let mut definitions = definitions(metrics);
    definitions
        .splice(0..0, classes.iter().map(|class| (class.name.clone(), class.definition.as_str().into())));
    definitions
        .extend([("change", CHANGE), ("shaken", SHAKEN)].map(|(name, what)| (name.into(), what.into())));
    let said = format!(
        "{} copies of the log, each submission moved by at most {} s in the same order",
        grouped(u64::from(shaking.copies)),
        shaking.most
    );
    Table {
        title: format!("What if: {} under {}", conditions.short_name(), before.row.label),
        caption: conditions.lines().into_iter().chain([said]).map(Into::into).collect(),
        facts: common(conditions, changes),
        columns,
        rows,
        notes: notes(metrics, before, changes).into_iter().map(Into::into).collect(),
        definitions,
        merged: usize::from(!classes.is_empty()),
        ..Table::default()
    }
}

fn common(before: &Conditions, changes: &[Changed<'_>]) -> Vec<Fact> {
    let after: Vec<Vec<Fact>> = changes.iter().map(|change| change.conditions.facts()).collect();
    let facts = before.facts().into_iter();
    facts.filter(|fact| after.iter().all(|facts| facts.contains(fact))).collect()
}

fn of_metric(metric: &Metric, at: usize) -> [TableColumn; 3] {
    let percent =
        Format { unit: "%", scale: 100.0, significant: 3, most_decimals: 1, signed: true, ..Format::PLAIN };
    let key = metric.key();
    let value =
        TableColumn::number(key.clone(), Format::of(metric.unit(), TimeUnit::Seconds), metric.spec.better);
    let under = |heading: &str, column: TableColumn| TableColumn {
        groups: vec![value.heading.clone()],
        heading: heading.into(),
        ..column
    };
    let change = TableColumn::number(format!("{key}_change"), percent, Better::Neither);
    let shaken = TableColumn::interval(format!("{key}_shaken"), percent, at + 1);
    [under("value", value.clone()), under("change", change), under("shaken", shaken)]
}

/// Returns a relative change; none from 0.
fn ratio(old: Option<f64>, new: Option<f64>) -> Option<f64> {
    let (old, new) = (old?, new?);
    Some(new / old - 1.0).filter(|change| change.is_finite())
}

/// Returns the range of the relative change over the copies, if each copy has one.
fn range(old: &Values, new: &Values) -> Cell {
    let changes: Option<Vec<f64>> = old.1.iter().zip(&new.1).map(|(old, new)| ratio(*old, *new)).collect();
    let Some(changes) = changes.filter(|changes| !changes.is_empty()) else { return Cell::Empty };
    let least = changes.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = changes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Cell::Interval(least, greatest)
}

fn notes(metrics: &[Metric], before: &ShakenRow, changes: &[Changed<'_>]) -> Vec<String> {
    let mut notes = before.row.notes.clone();
    for change in changes {
        let new = change.results.row.notes.iter().filter(|note| !before.row.notes.contains(note));
        notes.extend(new.map(|note| format!("after {}: {note}", change.name)));
        let (old, new) = (before.jobs, change.results.jobs);
        if old != new {
            let [old, new] = [old, new].map(|jobs| grouped(jobs as u64));
            notes.push(format!(
                "after {}: {new} jobs are replayed, before {old}: the values are not of the same jobs",
                change.name
            ));
        }
        for (at, metric) in metrics.iter().enumerate() {
            if let Some(share) = flips(&before.values(at, None), &change.results.values(at, None)) {
                notes.push(format!(
                    "after {}: {} changes the other way in {:.0} % of the copies: details of the log decide",
                    change.name,
                    metric.key(),
                    100.0 * share
                ));
            }
        }
    }
    notes
}

/// Returns the share of copies in which a value changes against the direction of the means, if there are any.
fn flips(old: &Values, new: &Values) -> Option<f64> {
    let all = |values: &Values| values.1.iter().copied().collect::<Option<Vec<f64>>>();
    let summary = shaking::summary(&[all(old)?, all(new)?]).ok()?;
    summary.flips.first()?.share.filter(|share| *share > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(value: f64, copies: &[f64]) -> Values {
        (Some(value), copies.iter().copied().map(Some).collect())
    }

    #[test]
    fn each_copy_is_compared_with_the_same_copy() {
        let (old, new) = (values(100.0, &[100.0, 200.0]), values(50.0, &[40.0, 120.0]));
        assert_eq!(ratio(old.0, new.0), Some(-0.5));
        // 40 / 100 - 1 and 120 / 200 - 1, not 40 / 200 or 120 / 100.
        assert_eq!(range(&old, &new), Cell::Interval(0.4 - 1.0, 0.6 - 1.0));
        assert_eq!(flips(&old, &new), None);
    }

    #[test]
    fn a_change_from_nothing_has_no_ratio_and_no_range() {
        assert_eq!(ratio(Some(0.0), Some(3.0)), None);
        assert_eq!(range(&values(1.0, &[0.0, 1.0]), &values(1.0, &[1.0, 1.0])), Cell::Empty);
    }

    #[test]
    fn copies_that_change_the_other_way_are_counted() {
        let (old, new) = (values(10.0, &[10.0, 10.0, 10.0, 10.0]), values(8.0, &[7.0, 8.0, 11.0, 9.0]));
        assert_eq!(flips(&old, &new), Some(0.25));
    }
}
