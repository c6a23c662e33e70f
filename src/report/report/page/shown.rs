//! Tables and plots.

use batchlab_traces::number::counted;
use maud::{Markup, PreEscaped, html};

use crate::report::{Figure, NamedPlot, NamedTable};
use batchlab_engine::plot::{FigureSize, PageLayout};
use batchlab_engine::table::writers::html::markup;
use batchlab_engine::table::{Style, Table};

/// The most rows of a table that is not folded: of results, and of what stands behind them.
pub const MANY_ROWS: usize = 60;
pub const FEW_ROWS: usize = 16;

/// Returns tables, each followed by its conditions; those of more than `most` rows are folded.
pub fn tables(tables: &[NamedTable], most: usize) -> Markup {
    html! {
        @for named in tables {
            @let table = &named.for_readers;
            div id=(table_anchor(named)) {
                @if table.rows.len() > most {
                    details {
                        summary { (title(named)) " (" (counted(table.rows.len() as u64, "row")) ")" }
                        (one(table))
                    }
                } @else { (one(table)) }
            }
        }
    }
}

/// Returns the anchors and titles of tables, for the table of contents.
pub fn items(tables: &[NamedTable]) -> Vec<(String, String)> {
    tables.iter().map(|named| (table_anchor(named), title(named).to_owned())).collect()
}

fn table_anchor(named: &NamedTable) -> String {
    format!("table-{}", named.name)
}

fn title(named: &NamedTable) -> &str {
    let title = named.for_readers.title.as_str();
    if title.is_empty() { &named.name } else { title }
}

/// Returns a table with its footnotes, followed by its notes and conditions, folded.
fn one(table: &Table) -> Markup {
    let definitions = table.definitions.iter().map(|(name, what)| format!("{name}: {}", what.text));
    let notes = table.notes.iter().map(ToString::to_string);
    let lines: Vec<String> = notes.chain(definitions).chain(table.conditions()).collect();
    let (caption, notes, definitions) = Default::default();
    let bare = Table { caption, notes, definitions, ..table.clone() };
    html! {
        (markup(&bare, &Style::default()))
        @if !lines.is_empty() {
            details class="conditions" {
                summary { "Notes and conditions" }
                ul { @for line in &lines { li { (line) } } }
            }
        }
    }
}

/// Returns a table with a title of its own and its footnotes folded too, for pages with many tables.
pub fn folded(table: &Table, title: &str) -> Markup {
    let signed = table.signed_footnotes().map(|(sign, note)| format!("{sign} {note}").into());
    let notes = signed.chain(table.notes.iter().cloned()).collect();
    one(&Table { title: title.into(), notes, signs: table.signs(), footnotes: Vec::new(), ..table.clone() })
}

/// Returns plots, each in its own view.
pub fn plots(plots: &[&NamedPlot]) -> Markup {
    html! {
        div class="plots" {
            @for plot in plots { (figure(plot)) }
        }
    }
}

/// Returns a plot, or the reason why it could not be drawn.
pub fn figure(plot: &NamedPlot) -> Markup {
    html! {
        @match &plot.figure {
            Ok(figure) => figure id=(anchor(plot)) class=[(width(&figure.svg) > WIDE).then_some("wide")] {
                (one_plot(&plot.name, figure))
            }
            Err(reason) => p id=(anchor(plot)) { "No plot " code { (plot.name) } ": " (reason) "." }
        }
    }
}

pub fn anchor(plot: &NamedPlot) -> String {
    format!("plot-{}", plot.name)
}

/// Returns the forest plot of the verdict, drawn for wide windows and for phones.
pub fn forest(plot: &NamedPlot) -> Markup {
    let figure = match &plot.figure {
        Ok(figure) => figure,
        Err(reason) => return html! { p { "No forest plot: " (reason) "." } },
    };
    let narrow = figure.page.to_svg_for(PageLayout::figure(FigureSize::Column));
    html! {
        figure class="forest" id=(anchor(plot)) {
            div class="wide" { (PreEscaped(&figure.svg)) }
            div class="narrow" { (PreEscaped(narrow)) }
            (caption(figure))
        }
    }
}

fn one_plot(name: &str, figure: &Figure) -> Markup {
    let svg = &figure.svg;
    html! {
        div class="view" aria-label={ "Plot " (name) } style={ "--width:" (width(svg)) "px" } { (PreEscaped(svg)) }
        (caption(figure))
    }
}

/// Returns the title of a figure, and its notes and conditions, folded.
fn caption(figure: &Figure) -> Markup {
    let caption = figure.caption();
    let Some((title, conditions)) = caption.split_first() else { return Markup::default() };
    html! {
        figcaption {
            (title)
            @if !conditions.is_empty() {
                details {
                    summary { "Notes and conditions" }
                    ul { @for line in conditions { li { (line) } } }
                }
            }
        }
    }
}

/// Width of plots, in pixels, from which a plot takes a row of the page.
const WIDE: f64 = 500.0;

/// Returns the width of a plot in pixels, as its SVG declares it.
fn width(svg: &str) -> f64 {
    let width = svg.split_once(" width=\"").and_then(|(_, rest)| rest.split_once('"'));
    width.and_then(|(width, _)| width.parse().ok()).unwrap_or(800.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_engine::table::{Cell, TableColumn, TableRow};

    fn of_rows(count: usize) -> NamedTable {
        let row = |at: usize| TableRow { cells: vec![Cell::Text(format!("row {at}"))], group: None };
        let table = Table {
            title: "Many <rows>".into(),
            columns: vec![TableColumn::text("name")],
            rows: (0..count).map(row).collect(),
            footnotes: vec!["a sign".into()],
            notes: vec!["a note".into()],
            ..Table::default()
        };
        NamedTable::new("many", table, None)
    }

    #[test]
    fn long_tables_are_folded_and_notes_always() {
        let shown = |rows: usize| tables(&[of_rows(rows)], 16).into_string();
        assert!(shown(17).starts_with(
            "<div id=\"table-many\"><details><summary>Many &lt;rows&gt; (17 rows)</summary><figure"
        ));
        let short = shown(16);
        assert!(short.starts_with("<div id=\"table-many\"><figure"), "{short}");
        let (below, folded) =
            (short.find("a sign").unwrap(), short.find("<details class=\"conditions\">").unwrap());
        assert!(below < folded && folded < short.find("a note").unwrap(), "{short}");
    }
}
