//! An experiment as one HTML page: verdict, tables, plots, findings, policies, provenance.
//!
//! The verdict comes first: a forest plot, and at most five sentences for each workload. Everything long is
//! folded, and left out in print unless the reader has opened it. The page needs no network and no script: styles
//! and plots are embedded, and the script only sorts and filters tables, zooms plots and switches between light
//! and dark. Its size is bounded: of many replays it lists only the first.

mod claims;
mod contents;
mod findings;
mod paper;
mod policies;
mod provenance;
mod replays;
mod shown;
mod strip;
mod verdict;

pub use paper::{PaperBlock, PaperFigure, PaperSection, page_of_paper};

use batchlab_traces::foreign::SafeText;
use batchlab_traces::number::counted;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::{NamedPlot, Report, ReportSection};
use batchlab_engine::plot::patterns;

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");
/// Content security policy that forbids all fetching, whatever the page contains.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// A part of the page.
struct Part {
    anchor: &'static str,
    heading: &'static str,
    /// What it holds, for the table of contents: anchor and title.
    items: Vec<(String, String)>,
    /// Whether all of it is folded; it is left out in print.
    is_folded: bool,
    body: Markup,
}

/// Returns the page of an experiment: the same bytes for the same folder.
pub fn page(report: &Report<'_>) -> SafeText {
    let parts = parts(report);
    let name = &report.contents.manifest.name;
    let body = html! {
        @for (at, part) in parts.iter().enumerate() {
            section id=(part.anchor) class=[part.is_folded.then_some("folded")] {
                h2 { (part.heading) }
                (part.body)
                @if at == 0 { (contents::contents(&parts)) }
            }
        }
    };
    let anchors: Vec<(&str, &str)> = parts.iter().map(|part| (part.anchor, part.heading)).collect();
    frame(name, &lead(report), &anchors, &body, &report.contents.manifest.tool)
}

/// Returns a whole page around its body: `anchors` are the parts that its head leads to, with their headings.
fn frame(title: &str, lead: &str, anchors: &[(&str, &str)], body: &Markup, tool: &str) -> SafeText {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                // Browsers ignore the patterns of figures that are hidden: these come first and serve all.
                svg class="plot patterns" aria-hidden="true" { (PreEscaped(patterns())) }
                header {
                    div {
                        h1 { (title) }
                        button id="theme" type="button" hidden { "Light / dark" }
                    }
                    p class="lead" { (lead) }
                }
                nav aria-label="Parts of the page" {
                    div {
                        @for (anchor, heading) in anchors { a href={ "#" (anchor) } { (heading) } }
                    }
                }
                main { (body) }
                footer { "Made by " (tool) "." }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    SafeText::of(&(page.into_string() + "\n"))
}

fn parts(report: &Report<'_>) -> Vec<Part> {
    let mut parts: Vec<Part> = report.sections.iter().flat_map(of_section).collect();
    let part =
        |anchor, heading, is_folded, body| Part { anchor, heading, items: Vec::new(), is_folded, body };
    let experiment = html! {
        details {
            summary { "The file of the experiment" }
            pre { code { (report.contents.experiment.replace("\r\n", "\n")) } }
        }
    };
    parts.extend([
        part("policies", "Policies", true, policies::body(report)),
        part("experiment", "Experiment", true, experiment),
        part("provenance", "Provenance", false, provenance::body(report)),
        part("replays", "Replays", true, replays::body(report)),
    ]);
    parts
}

/// Returns the parts of a section: one, or two if it has plots of results and of schedules.
fn of_section(section: &ReportSection) -> Vec<Part> {
    let part = |body| Part {
        anchor: section.key(),
        heading: section.heading(),
        items: shown::items(section.tables()),
        is_folded: false,
        body,
    };
    match section {
        ReportSection::Verdict(conclusion, figure) => vec![part(verdict::body(conclusion, figure.as_ref()))],
        ReportSection::Tables(tables) | ReportSection::Crossings(tables) => {
            vec![part(shown::tables(tables, shown::MANY_ROWS))]
        }
        ReportSection::Who(table) | ReportSection::Readings(table) => {
            let body = shown::tables(std::slice::from_ref(table), shown::FEW_ROWS);
            let is_folded = table.for_readers.rows.len() > shown::FEW_ROWS;
            vec![Part { items: Vec::new(), is_folded, ..part(body) }]
        }
        ReportSection::Plots(plots) => {
            let (schedules, results): (Vec<&NamedPlot>, Vec<&NamedPlot>) =
                plots.iter().partition(|plot| plot.is_schedule);
            let of = |anchor, heading, plots: &[&NamedPlot]| {
                let items = plots.iter().map(|plot| (shown::anchor(plot), plot.name.clone())).collect();
                let body = shown::plots(plots);
                (!plots.is_empty()).then_some(Part { anchor, heading, items, is_folded: false, body })
            };
            let both =
                [of(section.key(), section.heading(), &results), of("schedules", "Schedules", &schedules)];
            both.into_iter().flatten().collect()
        }
        ReportSection::Claims(claims, _) => vec![Part { items: Vec::new(), ..part(claims::body(claims)) }],
        ReportSection::Findings(pitfalls) => vec![part(findings::body(pitfalls))],
    }
}

fn lead(report: &Report<'_>) -> String {
    let frame = report.study.frame();
    let points: usize = frame.parameters.iter().map(|of| of.values.len()).product();
    let policies = match frame.policies.len() {
        1 => "1 policy".to_owned(),
        several => format!("{several} policies"),
    };
    let mut words = vec![counted(frame.workloads.len() as u64, "workload")];
    words.extend((points > 1).then(|| counted(points as u64, "point")));
    words.push(policies);
    format!("{}: {}", words.join(" \u{d7} "), counted(report.contents.replays() as u64, "replay"))
}
