//! Several logs in one table: the table of workloads of a paper.

use batchlab_traces::sorted::SortedMap;

use super::Info;
use super::columns::{LogColumn, ValueKind};
use crate::replay::conditions::{TOOL, short_name};
use crate::table::{Align, Cell, Paper, Table, TableColumn, TableRow};

pub const DEFAULT_COLUMNS: &str = "log,site,procs,jobs,users,start,months,load,utilization";

/// Returns the table of some logs, a row each; `columns` as [`LogColumn::select`] returns them.
pub fn logs_table(infos: &[Info], columns: &[&LogColumn]) -> Table {
    let names = short_names(infos);
    let row = |(info, name): (&Info, &String)| TableRow {
        cells: columns.iter().map(|column| cell(info, column, name)).collect(),
        group: None,
    };
    let rows: Vec<TableRow> = infos.iter().zip(&names).map(row).collect();
    let defined = columns.iter().filter(|column| column.key != "log");
    Table {
        title: "Workloads".into(),
        caption: vec![TOOL.into()],
        facts: vec![("tool".into(), Cell::Text(TOOL.into()))],
        columns: columns.iter().map(|column| heading(column)).collect(),
        notes: versions(infos, &names)
            .into_iter()
            .chain(unknown(columns, &rows, &names))
            .map(Into::into)
            .collect(),
        definitions: defined.map(|column| (column.heading.into(), column.definition.into())).collect(),
        rows,
        paper: Paper { label: "tab:logs".into(), ..Paper::default() },
        ..Table::default()
    }
}

fn heading(column: &LogColumn) -> TableColumn {
    let align = if column.kind == ValueKind::Text { Align::Left } else { Align::Right };
    TableColumn {
        heading: column.heading.into(),
        align,
        format: column.kind.format(),
        ..TableColumn::text(column.key)
    }
}

fn cell(info: &Info, column: &LogColumn, name: &str) -> Cell {
    if column.key == "log" { Cell::Text(name.into()) } else { (column.value)(info) }
}

/// Returns a short name for each log: site and machine, the beginning of the archive's names
/// (`KTH-SP2-1996-2.1-cln`), or as much more as distinguishes it from the others.
fn short_names(infos: &[Info]) -> Vec<String> {
    let forms: [fn(&Info) -> &str; 3] = [
        |info| abbreviation(short_name(&info.source.name)),
        |info| short_name(&info.source.name),
        |info| &info.source.name,
    ];
    let name = |info: &Info| {
        let alone =
            forms.iter().find(|form| infos.iter().filter(|other| form(other) == form(info)).count() == 1);
        alone.map_or(info.source.name.as_str(), |form| form(info)).to_owned()
    };
    infos.iter().map(name).collect()
}

/// Returns the part of a name before the year.
fn abbreviation(name: &str) -> &str {
    let is_year = |part: &str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut end = 0;
    for part in name.split('-') {
        if is_year(part) && end > 0 {
            return &name[..end - 1];
        }
        end += part.len() + 1;
    }
    name
}

fn versions(infos: &[Info], names: &[String]) -> Vec<String> {
    let version = |(info, name): (&Info, &String)| {
        let hash = info.source.sha256.get(..12).map(|start| format!("sha256 {start}"));
        let file = Some(short_name(&info.source.name)).filter(|file| file != name).map(String::from);
        format!("{name}: {}", file.into_iter().chain(hash).collect::<Vec<_>>().join(", "))
    };
    infos.iter().zip(names).map(version).collect()
}

/// Returns notes on the empty cells; columns that are empty for the same logs share a sentence.
fn unknown(columns: &[&LogColumn], rows: &[TableRow], names: &[String]) -> Vec<String> {
    let mut by_logs: SortedMap<Vec<usize>, Vec<&str>> = SortedMap::new();
    for (at, column) in columns.iter().enumerate() {
        let logs: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].cells[at] == Cell::Empty).collect();
        by_logs.entry(logs).or_default().push(column.heading);
    }
    by_logs.remove(&Vec::new());
    let note = |(logs, columns): (Vec<usize>, Vec<&str>)| {
        let logs: Vec<&str> = logs.iter().map(|&log| names[log].as_str()).collect();
        format!("not recorded in {}: {}", logs.join(", "), columns.join(", "))
    };
    by_logs.into_iter().map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_archive_are_shortened_to_site_and_machine() {
        let shown = ["KTH-SP2-1996-2.1-cln", "RICC-2010-2", "lublin-128", "2010-x", "a"].map(abbreviation);
        assert_eq!(shown, ["KTH-SP2", "RICC", "lublin-128", "2010-x", "a"]);
    }
}
