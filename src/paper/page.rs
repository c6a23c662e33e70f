//! The page of a paper, in Markdown and HTML.

use std::collections::BTreeMap;

use super::{Outcome, Paper, Part};
use crate::replay::conditions::TOOL;
use crate::report::claims::{Checked, Measured, Verdict, figures};
use crate::report::page::{PaperSection, page_of_paper};
use crate::table::writers::markdown::{SPEC as MARKDOWN, escape, escape_line};
use crate::table::{Cell, Style, Table, TableColumn, TableRow};

/// How a page was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// The command.
    pub command: String,
    /// Whether it was a quick run: its sizes decide nothing, and its figures are not kept.
    pub is_quick: bool,
}

/// What a quick run says.
const QUICK: &str =
    "A quick run: it shows that the experiments run, and its sizes are too small to decide most claims.";

/// The outcomes of claims, in the order in which they are counted.
const OUTCOMES: [&str; 8] = [
    "hold",
    "hold under some readings",
    "as published on a substitute",
    "not as published on a substitute",
    "do not hold (cause found)",
    "do not hold (no cause found)",
    "are open",
    "cannot be checked",
];

/// Returns the number of claims with each outcome that occurs.
pub fn tally(parts: &[Part]) -> Vec<(&'static str, usize)> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for part in parts {
        match &part.outcome {
            Outcome::Ran { claims, .. } => {
                for claim in claims {
                    *counts.entry(outcome(claim)).or_default() += 1;
                }
            }
            Outcome::Left { claims, .. } => *counts.entry(OUTCOMES.len() - 1).or_default() += claims.len(),
        }
    }
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(at, count)| (OUTCOMES[at], count)).collect()
}

fn outcome(claim: &Checked) -> usize {
    let has_cause = claim.cause.as_ref().is_some_and(|cause| cause.found);
    match (claim.verdict, claim.substitute.is_some()) {
        (Verdict::Holds | Verdict::HoldsUnderSome, true) => 2,
        (Verdict::DoesNotHold, true) => 3,
        (Verdict::Holds, _) => 0,
        (Verdict::HoldsUnderSome, _) => 1,
        (Verdict::DoesNotHold, _) if has_cause => 4,
        (Verdict::DoesNotHold, _) => 5,
        (Verdict::Open, _) => 6,
        (Verdict::CannotBeChecked, _) => 7,
    }
}

/// Returns the page of a paper in Markdown.
pub fn markdown(paper: &Paper, parts: &[Part], made: &Made) -> String {
    let mut blocks = vec![
        format!("# {}", escape(&paper.title)),
        paragraphs(&paper.reference),
        "## What the paper says".into(),
        paragraphs(&paper.says),
        "## What came out".into(),
        paragraphs(&found(paper, parts, made)),
        counted(parts),
        format!("Made by {TOOL} with:\n\n```sh\n{}\n```", made.command),
    ];
    for part in parts {
        blocks.push(format!("## {}", escape(&part.name)));
        match &part.outcome {
            Outcome::Ran { claims, plots, .. } => {
                let link = format!("[The results of this experiment]({}/README.md).", part.name);
                blocks.extend((!made.is_quick).then_some(link));
                if !claims.is_empty() {
                    blocks.push((MARKDOWN.write)(&table(claims), &Style::default()));
                }
                let image = |plot: &String| format!("![{plot}]({}/plots/{plot}.svg)", part.name);
                blocks.extend(plots.iter().filter(|_| !made.is_quick).map(image));
            }
            Outcome::Left { why, claims } => {
                blocks.push(format!("Not run: {}.", escape(why)));
                let line = |claim: &super::StatedClaim| {
                    format!("- cannot be checked: {} ({})", escape(&claim.says), escape(&claim.source))
                };
                blocks.push(claims.iter().map(line).collect::<Vec<_>>().join("\n"));
            }
        }
        if !part.readings.is_empty() {
            let line =
                |(name, because): &(String, String)| format!("- {}: {}", escape_line(name), escape(because));
            let lines: Vec<String> = part.readings.iter().map(line).collect();
            blocks.push(format!("Readings:\n\n{}", lines.join("\n")));
        }
    }
    blocks.retain(|block| !block.trim().is_empty());
    blocks.iter().map(|block| block.trim_end()).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// Returns the text of someone else as paragraphs of Markdown: its lines, without markup.
fn paragraphs(text: &str) -> String {
    text.lines().map(escape_line).collect::<Vec<_>>().join("\n")
}

/// Returns the page of a paper in HTML.
pub fn html(paper: &Paper, parts: &[Part], made: &Made) -> String {
    let section = |heading: &str, text: &str| PaperSection {
        heading: heading.into(),
        paragraphs: text.split("\n\n").map(str::to_owned).collect(),
        items: Vec::new(),
        body: String::new(),
    };
    let mut sections = vec![
        section("What the paper says", &paper.says),
        section("What came out", &format!("{}\n\n{}", found(paper, parts, made), counted(parts))),
    ];
    for part in parts {
        let own = section(&part.name, "");
        sections.push(match &part.outcome {
            Outcome::Ran { body, .. } => PaperSection { paragraphs: Vec::new(), body: body.clone(), ..own },
            Outcome::Left { why, claims } => PaperSection {
                paragraphs: vec![format!("Not run: {why}.")],
                items: claims.iter().map(|claim| (claim.says.clone(), "cannot be checked".into())).collect(),
                ..own
            },
        });
    }
    let items: Vec<(String, String)> = parts.iter().flat_map(|part| part.readings.clone()).collect();
    if !items.is_empty() {
        sections.push(PaperSection { items, ..section("Readings", "What the paper leaves open.") });
    }
    sections.push(section("Command", &made.command));
    page_of_paper(&paper.title, &paper.reference, &sections)
}

/// Returns what came out, in words.
fn found(paper: &Paper, parts: &[Part], made: &Made) -> String {
    if made.is_quick { QUICK.into() } else { filled(&paper.found, parts) }
}

/// Returns how many claims have which outcome, as a sentence.
fn counted(parts: &[Part]) -> String {
    let counts = tally(parts);
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    let words: Vec<String> = counts.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    format!("Of {all} claims {}.", words.join(", "))
}

/// Returns the claims of an experiment as a table.
fn table(claims: &[Checked]) -> Table {
    let text = |of: Option<String>| of.map_or(Cell::Empty, Cell::Text);
    let row = |claim: &Checked| {
        let reasons = claim.first_reasons(1);
        TableRow {
            cells: vec![
                Cell::Text(claim.says.clone()),
                text(claim.source.clone()),
                text(claim.published.map(|value| figures(&[value])[0].clone())),
                text(measured(claim).map(shown)),
                Cell::Text(claim.words()),
                Cell::Text(reasons.join("; ")),
            ],
            group: None,
        }
    };
    let columns = ["claim", "source", "published", "measured", "verdict", "why"];
    Table {
        columns: columns.map(TableColumn::text).to_vec(),
        rows: claims.iter().map(row).collect(),
        ..Table::default()
    }
}

/// Returns what was measured for a claim at the first of its places.
fn measured(claim: &Checked) -> Option<Measured> {
    claim.parts.iter().find_map(|part| part.measured)
}

fn shown(measured: Measured) -> String {
    match measured.interval {
        Some([low, high]) => {
            let numbers = figures(&[measured.value, low, high]);
            format!("{} [{}, {}]", numbers[0], numbers[1], numbers[2])
        }
        None => figures(&[measured.value])[0].clone(),
    }
}

/// Replaces `{CLAIM}` by what was measured for the claim; a claim that has no number stays as it is.
fn filled(text: &str, parts: &[Part]) -> String {
    let mut text = text.to_owned();
    for part in parts {
        let Outcome::Ran { claims, .. } = &part.outcome else { continue };
        for claim in claims {
            let Some(measured) = measured(claim) else { continue };
            text = text.replace(&format!("{{{}}}", claim.name), &figures(&[measured.value])[0]);
        }
    }
    text
}
