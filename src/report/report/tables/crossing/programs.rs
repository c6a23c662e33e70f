//! A table of crossings for programs, one crossing a row.

use super::super::Names;
use super::CrossingSpec;
use super::answer::Answer;
use super::readers::{facts, title};
use batchlab_engine::stats::crossing::Reached;
use batchlab_engine::table::{Better, Cell, Format, Table, TableColumn, TableRow};
use batchlab_study::study::Study;

/// Returns crossings as a table for programs. O(rows), plus the resampling of each.
pub fn crossings_for_programs(spec: &CrossingSpec, study: &Study<'_>) -> Table {
    let names = Names::of(study.frame());
    let parameters: Vec<usize> = (0..names.parameters.len()).filter(|at| *at != spec.along).collect();
    let mut columns = vec![TableColumn::text("workload")];
    columns.extend(parameters.iter().map(|&at| TableColumn::text(names.parameters[at].name.clone())));
    columns.extend(["policy", "metric", "along"].map(TableColumn::text));
    columns.push(number("bound"));
    columns.push(TableColumn::text("reached"));
    columns.extend(
        ["crossing", "crossing_low", "crossing_high", "utilization", "units", "left_out"].map(number),
    );
    columns.extend(["saturated", "no_interval"].map(TableColumn::text));
    let answers = Answer::all(spec, &names, study);
    Table {
        title: title(spec, &names),
        facts: facts(spec, study),
        columns,
        rows: answers.iter().map(|answer| row(spec, &names, study, &parameters, answer)).collect(),
        ..Table::default()
    }
}

fn number(key: &str) -> TableColumn {
    TableColumn::number(key, Format::PLAIN, Better::Neither)
}

fn row(
    spec: &CrossingSpec,
    names: &Names,
    study: &Study<'_>,
    parameters: &[usize],
    answer: &Answer,
) -> TableRow {
    let text = |text: &str| Cell::Text(text.into());
    let crossed = &answer.crossed;
    let (reached, at) = match crossed.reached {
        Ok(Reached::At(at)) => ("within", Some(at)),
        Ok(Reached::Below) => ("below", None),
        Ok(Reached::Above) => ("above", None),
        Err(_) => ("unknown", None),
    };
    let ends = crossed.ends.and_then(Result::ok);
    let reason = crossed.reached.err().or(crossed.ends.and_then(Result::err));
    let mut cells = vec![text(&names.workloads[answer.start.workload].0)];
    cells.extend(parameters.iter().map(|&at| text(study.frame().value(&answer.start, at))));
    cells.extend([
        text(&names.policies[answer.policy]),
        text(&spec.measure),
        text(&names.parameters[spec.along].name),
        Cell::Number(spec.bound),
        text(reached),
        Cell::from(at),
        Cell::from(ends.and_then(|ends| ends.low)),
        Cell::from(ends.and_then(|ends| ends.high)),
        Cell::from(crossed.utilization),
        Cell::Number(crossed.units as f64),
        Cell::Number(crossed.left_out as f64),
        text(&answer.saturated_words().join(" ")),
        reason.map_or(Cell::Empty, |reason| Cell::Text(reason.to_string())),
    ]);
    TableRow { cells, group: None }
}
