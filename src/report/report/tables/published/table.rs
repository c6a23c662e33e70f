//! The table of published and measured numbers.

use super::{Published, PublishedRow};
use crate::report::tables::best::percent;
use crate::report::tables::{Form, Names, experiment};
use batchlab_engine::metrics::spoken;
use batchlab_engine::table::{Better, Cell, Format, Sentence, Table, TableColumn, TableRow, TimeUnit};
use batchlab_study::study::Study;

/// Returns published numbers beside measured ones: the difference in per cent of the published number, and
/// whether the published number lies in the measured interval. O(rows), plus the estimates.
///
/// The long form, for programs, has numbers in the units of the metrics.
pub fn compared(published: &Published, study: &Study<'_>, time: TimeUnit, form: Form) -> Table {
    let names = Names::of(study.frame());
    let swept: Vec<usize> =
        (0..names.parameters.len()).filter(|&at| names.parameters[at].values.len() > 1).collect();
    let mut columns = vec![TableColumn::text("workload")];
    columns.extend(swept.iter().map(|&at| TableColumn::text(&names.parameters[at].name)));
    columns.extend(["policy", "metric"].map(TableColumn::text));
    let numbers = columns.len();
    let change =
        Format { unit: "%", scale: 100.0, significant: 3, most_decimals: 1, signed: true, ..Format::PLAIN };
    columns.push(TableColumn::number("published", Format::PLAIN, Better::Neither));
    columns.push(TableColumn::interval("published_interval", Format::PLAIN, numbers));
    columns.push(TableColumn::number("measured", Format::PLAIN, Better::Neither));
    columns.push(TableColumn::interval("measured_interval", Format::PLAIN, numbers + 2));
    columns[numbers + 1].heading = "published interval".into();
    columns[numbers + 3].heading = "measured interval".into();
    columns.push(TableColumn::number("difference", change, Better::Neither));
    columns.extend(["within", "source"].map(TableColumn::text));
    let entry = |row: &PublishedRow| entry(row, study, &names, &swept, (form == Form::Wide).then_some(time));
    Table {
        title: "Published and measured".into(),
        caption: caption(study),
        columns,
        rows: published.rows.iter().map(entry).map(|cells| TableRow { cells, group: None }).collect(),
        definitions: vec![
            ("difference".into(), "measured less published, in per cent of what was published".into()),
            ("within".into(), "whether what was published lies in the measured interval".into()),
        ],
        ..Table::default()
    }
}

fn caption(study: &Study<'_>) -> Vec<Sentence> {
    let frame = study.frame();
    vec![format!("measured intervals at {} % over units", percent(frame.level)).into(), experiment(frame)]
}

fn entry(
    row: &PublishedRow,
    study: &Study<'_>,
    names: &Names,
    swept: &[usize],
    time: Option<TimeUnit>,
) -> Vec<Cell> {
    let measure = &names.measures[row.measure];
    let estimate = study.estimate(&row.design_point, row.policy, row.measure);
    let interval = estimate.interval.as_ref().ok();
    // The column holds several metrics: for readers each number is printed in its unit, with its own
    // decimals.
    let format = time.map(|time| {
        let format = Format::of(measure.unit, time);
        (format, format.decimals([row.value].into_iter().chain(estimate.value)))
    });
    let number = |value: f64| match format {
        Some((format, decimals)) => Cell::Text(format.print(value, decimals)),
        None => Cell::Number(value),
    };
    let ends = |(low, high): (f64, f64)| match format {
        Some((format, decimals)) => {
            Cell::Text(format!("[{}, {}]", format.print(low, decimals), format.print(high, decimals)))
        }
        None => Cell::Interval(low, high),
    };
    let metric = match format {
        Some((Format { unit: "", .. }, _)) => spoken::of(&measure.key),
        Some((Format { unit, .. }, _)) => format!("{} ({unit})", spoken::of(&measure.key)),
        None => measure.key.clone(),
    };
    let value = |&at: &usize| Cell::Text(names.parameters[at].values[row.design_point.point[at]].clone());
    let difference = estimate.value.filter(|_| row.value != 0.0).map(|value| value / row.value - 1.0);
    let within = interval.map(|interval| if interval.contains(row.value) { "yes" } else { "no" });
    let text = |text: &str| Cell::Text(text.to_owned());
    let mut cells = vec![text(&names.workloads[row.design_point.workload].0)];
    cells.extend(swept.iter().map(value));
    cells.extend([
        text(&names.policies[row.policy]),
        Cell::Text(metric),
        number(row.value),
        row.interval.map_or(Cell::Empty, ends),
        estimate.value.map_or(Cell::Empty, number),
        interval.map_or(Cell::Empty, |of| ends((of.low, of.high))),
        difference.into(),
        within.map_or(Cell::Empty, text),
        if row.source.is_empty() { Cell::Empty } else { text(&row.source) },
    ]);
    cells
}
