//! An experiment as one HTML page: verdict, tables, plots, findings, policies, provenance.
//!
//! The page needs no network and no script: styles and plots are embedded, and the script only sorts tables,
//! zooms plots and switches between light and dark. Its size is bounded: of many replays it lists only the
//! first.

mod claims;
mod findings;
mod policies;
mod provenance;
mod replays;
mod shown;
mod strip;
mod verdict;

use batchlab_traces::number::counted;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::report::{Report, ReportSection};

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");
/// Content security policy that forbids all fetching, whatever the page contains.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// A part of the page: its anchor, its heading, its content.
struct Part {
    anchor: &'static str,
    heading: &'static str,
    body: Markup,
}

/// Returns the page of an experiment: the same bytes for the same folder.
pub fn page(report: &Report<'_>) -> String {
    let parts = parts(report);
    let name = &report.contents.manifest.name;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (name) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    div {
                        h1 { (name) }
                        button id="theme" type="button" hidden { "Light / dark" }
                    }
                    p class="lead" { (lead(report)) }
                }
                nav aria-label="Parts of the page" {
                    div {
                        @for part in &parts { a href={ "#" (part.anchor) } { (part.heading) } }
                    }
                }
                main {
                    @for part in &parts {
                        section id=(part.anchor) {
                            h2 { (part.heading) }
                            (part.body)
                        }
                    }
                }
                footer { "Made by " (report.contents.manifest.tool) "." }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string() + "\n"
}

fn parts(report: &Report<'_>) -> Vec<Part> {
    let of_section = |section: &ReportSection| Part {
        anchor: section.key(),
        heading: section.heading(),
        body: match section {
            ReportSection::Verdict(conclusion) => verdict::body(conclusion),
            ReportSection::Tables(_)
            | ReportSection::Crossings(_)
            | ReportSection::Who(_)
            | ReportSection::Readings(_) => shown::tables(section.tables()),
            ReportSection::Plots(plots) => shown::plots(plots),
            ReportSection::Claims(claims, _) => claims::body(claims),
            ReportSection::Findings(pitfalls) => findings::body(pitfalls),
        },
    };
    let part = |anchor, heading, body| Part { anchor, heading, body };
    let mut parts: Vec<Part> = report.sections.iter().map(of_section).collect();
    parts.extend([
        part("policies", "Policies", policies::body(report)),
        part("experiment", "Experiment", html! { pre { code { (report.contents.experiment) } } }),
        part("provenance", "Provenance", provenance::body(report)),
        part("replays", "Replays", replays::body(report)),
    ]);
    parts
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
