//! The tables of a paper beside what was measured: rebuilt from the claims that name a cell of them.

use super::Part;
use super::statement::{PaperClaim, claims};
use crate::report::claims::{Checked, Draws, Measured, TableCell, Verdict, as_published};
use batchlab_engine::table::{Cell, Table, TableColumn, TableRow};

/// Returns the tables with rows and columns in the order in which they occur.
pub fn tables<'a>(parts: &'a [Part]) -> Vec<Table> {
    let with_cell = |(_, claim): PaperClaim<'a>| Some((claim.cell.as_ref()?, claim));
    let cells: Vec<(&TableCell, &Checked)> = claims(parts).into_iter().filter_map(with_cell).collect();
    let titles = distinct(cells.iter().map(|(cell, _)| cell.table.as_str()));
    let of_title = |title: &str| {
        let cells: Vec<(&TableCell, &Checked)> =
            cells.iter().filter(|(cell, _)| cell.table == title).copied().collect();
        table(title, &cells)
    };
    titles.into_iter().map(of_title).collect()
}

fn table(title: &str, cells: &[(&TableCell, &Checked)]) -> Table {
    let rows = distinct(cells.iter().map(|(cell, _)| cell.row.as_str()));
    let columns = distinct(cells.iter().map(|(cell, _)| cell.column.as_str()));
    let field = |row: &str, column: &str| {
        let here = cells.iter().filter(|(cell, _)| cell.row == row && cell.column == column);
        let words: Vec<String> = here.map(|(_, claim)| words(claim)).collect();
        if words.is_empty() { Cell::Empty } else { Cell::Text(words.join("; ")) }
    };
    let row = |row: &&str| {
        let fields = columns.iter().map(|column| field(row, column));
        TableRow {
            cells: std::iter::once(Cell::Text((*row).to_owned())).chain(fields).collect(),
            group: None,
        }
    };
    let heading = |key: &str| TableColumn { heading: key.into(), ..TableColumn::text(key) };
    Table {
        title: title.into(),
        caption: caption(cells).into_iter().map(Into::into).collect(),
        columns: std::iter::once("").chain(columns.iter().copied()).map(heading).collect(),
        rows: rows.iter().map(row).collect(),
        ..Table::default()
    }
}

/// Returns published and measured value, with a sign where the published one lies outside.
fn words(claim: &Checked) -> String {
    let published = claim.published.map(|number| claim.stated_words(number)).unwrap_or_default();
    let Some(measured) = claim.measured_words() else { return format!("{published} | not measured") };
    let first = claim.measured_parts().first().copied();
    let outside = first.filter(|part| part.verdict == Verdict::DoesNotHold).and_then(|part| part.measured);
    let sign = match outside.zip(claim.published) {
        Some((Measured { value, .. }, published)) if value > claim.to.unwrap_or(published) => "\u{25b2} ",
        Some(_) => "\u{25bc} ",
        None => "",
    };
    format!("{published} | {sign}{measured}")
}

/// Returns what the cells are: of how many draws, under which reading.
fn caption(cells: &[(&TableCell, &Checked)]) -> Vec<String> {
    let parts: Vec<_> =
        cells.iter().filter_map(|(_, claim)| claim.measured_parts().first().copied()).collect();
    let draws: Vec<Draws> = parts.iter().filter_map(|part| part.measured?.draws).collect();
    let has_means =
        parts.iter().any(|part| part.measured.is_some_and(|of| of.interval.is_some() && of.draws.is_none()));
    let brackets = match (draws.first(), has_means) {
        (Some(first), is_mixed) => {
            let level = as_published((first.level * 1e6).round() / 1e4);
            let lies = format!("{} {level} %", further(&draws));
            let mixed = if is_mixed { ", or the interval of the mean where no draws are judged" } else { "" };
            format!(" [{lies}{mixed}]; {}", units(&draws))
        }
        (None, true) => " [interval of the mean]".into(),
        (None, false) => String::new(),
    };
    let mut lines = vec![format!("Published | measured{brackets}.")];
    let has = |sign: &str| cells.iter().any(|(_, claim)| words(claim).contains(sign));
    if has("\u{25b2}") || has("\u{25bc}") {
        lines.push("\u{25b2} \u{25bc}: measured above or below a published value that lies outside.".into());
    }
    let readings = distinct(parts.iter().filter_map(|part| part.reading.as_deref()));
    if !readings.is_empty() {
        lines.push(format!(
            "Under the default reading ({}); another one is named where it has the published value.",
            readings.join(", ")
        ));
    }
    lines
}

/// Returns what lies in the brackets with which share.
fn further(draws: &[Draws]) -> String {
    let runs = draws.iter().map(|of| of.runs);
    match (runs.clone().min(), runs.max()) {
        (Some(1), Some(1)) => "where one draw lies with".into(),
        (Some(least), Some(most)) if least == most => format!("where the mean of {least} draws lies with"),
        _ => "where the mean of the published number of draws lies with".into(),
    }
}

/// Returns of how many units the values are.
fn units(draws: &[Draws]) -> String {
    let units = draws.iter().map(|of| of.units);
    match (units.clone().min(), units.max()) {
        (Some(least), Some(most)) if least < most => format!("means of {least} to {most} draws"),
        (Some(least), _) => format!("means of {least} draws"),
        _ => String::new(),
    }
}

/// Returns the names in the order in which they occur first.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known: Vec<&str> = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}
