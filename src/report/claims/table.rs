//! Claims as a table.

use super::Checked;
use crate::experiment::Frame;
use crate::replay::conditions::TOOL;
use crate::table::{Cell, Table, TableColumn, TableRow};

/// Returns a table of claims: the statement, the verdict and the reason of each.
pub fn table(checked: &[Checked], frame: &Frame) -> Table {
    let has_survival = checked.iter().any(|claim| claim.survival.is_some());
    let mut keys = vec!["claim", "source", "verdict"];
    keys.extend(has_survival.then_some("readings"));
    keys.push("reasons");
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
        TableRow { cells, group: None }
    };
    let readings = ("readings".to_owned(), "readings under which the claim holds, of how many".to_owned());
    Table {
        title: "Claims".into(),
        caption: vec![format!("experiment {}, seed {}; {TOOL}", frame.name, frame.seed)],
        columns: keys.into_iter().map(TableColumn::text).collect(),
        rows: checked.iter().map(row).collect(),
        definitions: has_survival.then_some(readings).into_iter().collect(),
        ..Table::default()
    }
}
