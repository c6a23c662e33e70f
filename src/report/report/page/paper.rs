//! A paper as one HTML page: its conclusions, what came out, its tables and figures, and all claims.

use batchlab_traces::foreign::SafeText;
use maud::{Markup, PreEscaped, html};

use super::{frame, shown};
use crate::report::NamedPlot;
use batchlab_engine::replay::conditions::TOOL;
use batchlab_engine::table::writers::html::markup;
use batchlab_engine::table::{Cell, Style, Table};

/// A section of the page.
#[derive(Clone, Debug)]
pub struct PaperSection {
    pub heading: String,
    pub blocks: Vec<PaperBlock>,
}

/// What stands in a section.
#[derive(Clone, Debug)]
pub enum PaperBlock {
    /// A heading within the section.
    Heading(String),
    /// Paragraphs, with a blank line between them.
    Text(String),
    Command(String),
    /// A table whose cells are sentences; verdicts and answers have a colour.
    Words(Table),
    /// A table of short cells.
    Numbers(Table),
    /// A list of names, each with its text.
    Items(Vec<(String, String)>),
    /// The figures of an experiment.
    Figures(Vec<PaperFigure>),
    /// The folder with the results of an experiment, which is beside the page in Markdown.
    Results(String),
    /// Blocks below a line that unfolds them.
    Folded(String, Vec<PaperBlock>),
}

/// A figure of an experiment.
#[derive(Clone, Debug)]
pub struct PaperFigure {
    /// The experiment, whose folder of results has the file.
    pub experiment: String,
    pub name: String,
    pub caption: String,
    pub html: String,
}

impl PaperFigure {
    /// Returns the figure of a plot; `None` if nothing was drawn.
    pub fn of(experiment: &str, plot: &NamedPlot) -> Option<PaperFigure> {
        let figure = plot.figure.as_ref().ok()?;
        Some(PaperFigure {
            experiment: experiment.into(),
            name: plot.name.clone(),
            caption: figure.caption().into_iter().next().unwrap_or_default(),
            html: shown::figure(plot).into_string(),
        })
    }
}

pub fn page_of_paper(title: &str, reference: &str, sections: &[PaperSection]) -> SafeText {
    let anchors: Vec<String> = (1..=sections.len()).map(|at| format!("part-{at}")).collect();
    let body = html! {
        @for (section, anchor) in sections.iter().zip(&anchors) {
            section id=(anchor) {
                h2 { (section.heading) }
                @for block in &section.blocks { (one(block)) }
            }
        }
    };
    let heads: Vec<(&str, &str)> =
        anchors.iter().zip(sections).map(|(anchor, of)| (anchor.as_str(), of.heading.as_str())).collect();
    frame(title, reference, &heads, &body, TOOL)
}

fn one(block: &PaperBlock) -> Markup {
    html! {
        @match block {
            PaperBlock::Heading(text) => h3 { (text) },
            PaperBlock::Text(text) => @for paragraph in text.split("\n\n") { p class="prose" { (paragraph) } },
            PaperBlock::Command(command) => pre { code { (command) } },
            PaperBlock::Words(table) => (words(table)),
            PaperBlock::Numbers(table) => (numbers(table)),
            PaperBlock::Items(items) => ul { @for (item, text) in items { li { b { (item) } ": " (text) } } },
            PaperBlock::Figures(figures) => div class="plots" {
                @for figure in figures { (PreEscaped(&figure.html)) }
            },
            PaperBlock::Results(_) => {},
            PaperBlock::Folded(summary, blocks) => details {
                summary { (summary) }
                @for block in blocks { (one(block)) }
            },
        }
    }
}

/// Returns a table of short cells, with its caption below it.
fn numbers(table: &Table) -> Markup {
    let bare = Table { caption: Vec::new(), ..table.clone() };
    html! {
        (markup(&bare, &Style::default()))
        p class="below soft" { (table.conditions().join(" ")) }
    }
}

/// The columns whose cells have a colour.
const COLOURED: [&str; 2] = ["answer", "verdict"];

/// Returns a table of sentences; on a narrow screen its rows stand one below the other.
fn words(table: &Table) -> Markup {
    let texts = table.rows.iter().map(|row| row.cells.iter().map(text).collect::<Vec<&str>>());
    html! {
        table class="words-table" {
            thead { tr { @for column in &table.columns { th scope="col" { (column.heading) } } } }
            tbody {
                @for row in texts {
                    tr {
                        @for (column, cell) in table.columns.iter().zip(row) {
                            @if COLOURED.contains(&column.key.as_str()) {
                                @let (word, more) = cell.split_once(", ").unwrap_or((cell, ""));
                                td class=(colour(word)) { span class="badge" { (word) } (more) }
                            } @else if !cell.is_empty() {
                                td data-heading=(column.heading) { (cell) }
                            } @else { td class="empty" {} }
                        }
                    }
                }
            }
        }
    }
}

fn text(cell: &Cell) -> &str {
    match cell {
        Cell::Text(text) => text,
        _ => "",
    }
}

/// Returns the class of a verdict or an answer.
fn colour(words: &str) -> &'static str {
    match words {
        "yes" | "holds" | "substitute: as published" => "yes",
        "no" | "does not hold" | "substitute: not as published" => "no",
        _ => "open",
    }
}
