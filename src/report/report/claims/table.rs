//! Claims as a table.

use super::{Checked, TableCell};
use crate::report::tables::experiment;
use batchlab_engine::table::{Cell, Table, TableColumn, TableRow};
use batchlab_study::experiment::Frame;

/// Returns the kind of the intervals of measured numbers, if there are any: intervals of tables are of another kind.
pub fn intervals(checked: &[Checked]) -> Option<String> {
    let parts = checked.iter().flat_map(|claim| &claim.parts);
    let mut measured =
        parts.filter_map(|part| part.measured).filter(|of| of.interval.is_some() && of.draws.is_none());
    measured.next().map(|_| {
        "intervals of measured numbers by bootstrap over units (BCa), which of few units is narrower than Student's t of tables".into()
    })
}

/// Returns a table of claims: the statement, the verdict and the reason of each.
pub fn table(checked: &[Checked], frame: &Frame) -> Table {
    let has_survival = checked.iter().any(|claim| claim.survival.is_some());
    let has_parts = checked.iter().any(|claim| claim.part_of.is_some());
    let has_cells = checked.iter().any(|claim| claim.cell.is_some());
    let mut keys = vec!["claim", "source", "verdict"];
    keys.extend(has_survival.then_some("readings"));
    keys.push("reasons");
    keys.extend(has_parts.then_some(["name", "part_of"]).into_iter().flatten());
    keys.extend(has_cells.then_some("cell"));
    let row = |claim: &Checked| {
        let mut cells = vec![
            Cell::Text(claim.says.clone()),
            claim.source.clone().map_or(Cell::Empty, Cell::Text),
            Cell::Text(claim.words()),
        ];
        let survival = claim.survival.as_ref();
        let words = survival.map(|of| Cell::Text(format!("{} of {}", of.holds(), of.readings.len())));
        cells.extend(has_survival.then(|| words.unwrap_or(Cell::Empty)));
        cells.push(Cell::Text(claim.reasons().join("; ")));
        let text = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
        if has_parts {
            cells.extend([Cell::Text(claim.name.clone()), text(claim.part_of.clone())]);
        }
        cells.extend(has_cells.then(|| text(claim.cell.as_ref().map(TableCell::words))));
        TableRow { cells, group: None }
    };
    let definition = |is_there: bool, key: &str, what: &str| is_there.then(|| (key.to_owned(), what.into()));
    let definitions = [
        definition(has_survival, "readings", "readings under which the claim holds, of how many"),
        definition(
            has_parts,
            "part of",
            "the statement below which the claim stands; it does not count by itself",
        ),
        definition(has_cells, "cell", "the cell of the paper's table that has the number"),
    ];
    Table {
        title: "Claims".into(),
        caption: [experiment(frame)].into_iter().chain(intervals(checked).map(Into::into)).collect(),
        columns: keys.into_iter().map(TableColumn::text).collect(),
        rows: checked.iter().map(row).collect(),
        definitions: definitions.into_iter().flatten().collect(),
        ..Table::default()
    }
}
