//! Tables and plots.

use maud::{Markup, PreEscaped, html};

use crate::report::{Figure, NamedPlot, NamedTable};
use crate::table::sign;
use crate::table::writers::html::markup;
use crate::table::{Style, Table};

/// Returns tables, each followed by its conditions.
pub fn tables(tables: &[NamedTable]) -> Markup {
    html! { @for table in tables { (one(&table.for_readers)) } }
}

/// Returns a table followed by its conditions, which do not widen it.
fn one(table: &Table) -> Markup {
    let conditions = &table.caption;
    let bare = Table { caption: Vec::new(), ..table.clone() };
    html! {
        (markup(&bare, &Style::default()))
        @if !conditions.is_empty() {
            details class="conditions" {
                summary { "Notes and conditions" }
                ul { @for line in conditions.iter().filter(|line| !line.is_empty()) { li { (line) } } }
            }
        }
    }
}

/// Returns a table with its caption and notes collapsed, for pages with many tables.
pub fn folded(table: &Table, title: &str) -> Markup {
    let signs = table.footnotes.iter().enumerate().map(|(at, note)| format!("{} {note}", sign(at)));
    let definitions = table.definitions.iter().map(|(name, what)| format!("{name}: {what}"));
    let caption =
        table.notes.iter().cloned().chain(signs).chain(definitions).chain(table.caption.clone()).collect();
    let (notes, footnotes, definitions) = Default::default();
    one(&Table { title: title.into(), caption, notes, footnotes, definitions, ..table.clone() })
}

/// Returns plots, each in its own view.
pub fn plots(plots: &[NamedPlot]) -> Markup {
    html! {
        @for NamedPlot { name, figure } in plots {
            @match figure {
                Ok(figure) => figure id={ "plot-" (name) } { (one_plot(name, figure)) }
                Err(reason) => p id={ "plot-" (name) } { "No plot " code { (name) } ": " (reason) "." }
            }
        }
    }
}

fn one_plot(name: &str, figure: &Figure) -> Markup {
    let svg = &figure.svg;
    let caption = figure.caption();
    html! {
        div class="view" aria-label={ "Plot " (name) } style={ "--width:" (width(svg)) "px" } { (PreEscaped(svg)) }
        @if let Some((title, conditions)) = caption.split_first() {
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
}

/// Returns the width of a plot in pixels, as its SVG declares it.
fn width(svg: &str) -> f64 {
    let width = svg.split_once(" width=\"").and_then(|(_, rest)| rest.split_once('"'));
    width.and_then(|(width, _)| width.parse().ok()).unwrap_or(800.0)
}
