//! A paper as one HTML page: what it says, what came out, and the claims and figures of its experiments.

use maud::{Markup, PreEscaped, html};

use super::{claims, frame, shown};
use crate::replay::conditions::TOOL;
use crate::report::{NamedPlot, Report, ReportSection};

/// A section of the page.
#[derive(Clone, Debug)]
pub struct PaperSection {
    /// Its heading.
    pub heading: String,
    /// Its paragraphs.
    pub paragraphs: Vec<String>,
    /// Items listed below them, each with its text.
    pub items: Vec<(String, String)>,
    /// HTML made by [`part_of_paper`]; empty if there is none.
    pub body: String,
}

/// Returns claims and figures of an experiment as HTML, for a section of the page.
pub fn part_of_paper(report: &Report<'_>) -> String {
    let drawn = |plots: &[NamedPlot]| -> Markup {
        let drawn: Vec<&NamedPlot> = plots.iter().filter(|plot| plot.figure.is_ok()).collect();
        shown::plots(&drawn)
    };
    let body = html! {
        @for section in &report.sections {
            @match section {
                ReportSection::Claims(of, _) => { (claims::body(of)) }
                ReportSection::Plots(plots) => { (drawn(plots)) }
                _ => {}
            }
        }
    };
    body.into_string()
}

/// Returns the page.
pub fn page_of_paper(title: &str, reference: &str, sections: &[PaperSection]) -> String {
    let anchors: Vec<String> = (1..=sections.len()).map(|at| format!("part-{at}")).collect();
    let body = html! {
        @for (section, anchor) in sections.iter().zip(&anchors) {
            section id=(anchor) {
                h2 { (section.heading) }
                @for paragraph in &section.paragraphs { p { (paragraph) } }
                (PreEscaped(&section.body))
                @if !section.items.is_empty() {
                    ul { @for (item, said) in &section.items { li { b { (item) } ": " (said) } } }
                }
            }
        }
    };
    let heads: Vec<(&str, &str)> =
        anchors.iter().zip(sections).map(|(anchor, of)| (anchor.as_str(), of.heading.as_str())).collect();
    frame(title, reference, &heads, &body, TOOL)
}
