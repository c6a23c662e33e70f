//! The page of a paper: conclusions, what came out, tables and figures, and all claims as an appendix.

use batchlab_traces::foreign::SafeText;
use batchlab_traces::number::counted as number_of;

use super::cells::tables;
use super::named::ClaimId;
use super::statement::{PaperClaim, Statement, claims, counted, find, statements};
use super::{Outcome, Paper, PaperConclusion, Part};
use crate::report::page::{PaperBlock, PaperSection, page_of_paper};
use batchlab_engine::table::{Cell, Table, TableColumn, TableRow};

/// How a page was made.
#[derive(Clone, Debug)]
pub struct Made {
    pub command: String,
    /// Whether it was a quick run: its sizes decide nothing, and its figures are not kept.
    pub is_quick: bool,
}

/// What a quick run says.
const QUICK: &str =
    "A quick run: it shows that the experiments run, and its sizes are too small to decide most claims.";

pub fn markdown(paper: &Paper, parts: &[Part], made: &Made) -> SafeText {
    super::markdown::page(&paper.title, &paper.reference, &sections(paper, parts, made))
}

pub fn html(paper: &Paper, parts: &[Part], made: &Made) -> SafeText {
    page_of_paper(&paper.title, &paper.reference, &sections(paper, parts, made))
}

/// Returns the lines that a terminal shows: the answer to each conclusion, and how many statements have which outcome.
pub fn summary(paper: &Paper, parts: &[Part], made: &Made) -> Vec<String> {
    let line = |of: &PaperConclusion| format!("{}: {}", of.answer(parts, made), of.says);
    paper.conclusions.iter().map(line).chain([counted(parts)]).collect()
}

fn sections(paper: &Paper, parts: &[Part], made: &Made) -> Vec<PaperSection> {
    let section = |heading: &str, blocks: Vec<PaperBlock>| PaperSection { heading: heading.into(), blocks };
    let came_out =
        if made.is_quick { Vec::new() } else { vec![PaperBlock::Text(filled(&paper.found, parts))] };
    let checked = paper.checked.iter().map(|text| PaperBlock::Text(filled(text, parts)));
    let appendix = parts.iter().flat_map(|part| experiment(part, &statements(parts), made)).collect();
    let sections = [
        section("Conclusions", conclusions(paper, parts, made)),
        section("What came out", came_out),
        section("What the paper says", vec![PaperBlock::Text(paper.says.clone())]),
        section("The paper's tables", tables(parts).into_iter().map(PaperBlock::Numbers).collect()),
        section("Figures", parts.iter().flat_map(|part| figures(part, made)).collect()),
        section("How this was checked", checked.collect()),
        section("All claims", appendix),
        section("Command", vec![PaperBlock::Command(made.command.clone())]),
    ];
    sections.into_iter().filter(|section| !section.blocks.is_empty()).collect()
}

/// Returns the conclusions with their answers, and what came out in one line.
fn conclusions(paper: &Paper, parts: &[Part], made: &Made) -> Vec<PaperBlock> {
    let mut blocks = Vec::new();
    if made.is_quick {
        blocks.push(PaperBlock::Text(QUICK.into()));
    }
    if !paper.conclusions.is_empty() {
        blocks.push(PaperBlock::Words(answers(&paper.conclusions, parts, made)));
    }
    let in_words = paper.in_words.as_ref().filter(|_| !made.is_quick).map(|text| filled(text, parts));
    let line = in_words.into_iter().chain([counted(parts)]).collect::<Vec<_>>().join(" ");
    blocks.push(PaperBlock::Text(line));
    let in_full = |of: &PaperConclusion| Some((of.says.clone(), filled(of.in_full.as_ref()?, parts)));
    let in_full: Vec<(String, String)> = paper.conclusions.iter().filter_map(in_full).collect();
    if !in_full.is_empty() && !made.is_quick {
        blocks.push(PaperBlock::Folded("Conditions in full".into(), vec![PaperBlock::Items(in_full)]));
    }
    blocks
}

/// Returns the conclusions as a table; of a quick run without numbers and conditions, which are those of the full one.
fn answers(conclusions: &[PaperConclusion], parts: &[Part], made: &Made) -> Table {
    let of_full = |text: &Option<String>| text.as_ref().map(|text| filled(text, parts));
    let row = |of: &PaperConclusion| {
        let mut cells = vec![Some(of.says.clone()), Some(of.answer(parts, made))];
        if !made.is_quick {
            cells.extend([of_full(&of.number), of_full(&of.condition)]);
        }
        cells.push(of.source.clone());
        cells
    };
    let full: &[&str] = if made.is_quick { &[] } else { &["number", "under what"] };
    let keys = [&["conclusion", "answer"], full, &["source"]].concat();
    texts(&keys, conclusions.iter().map(row))
}

/// Returns a table of texts; columns without any text are left out.
fn texts(keys: &[&str], rows: impl Iterator<Item = Vec<Option<String>>>) -> Table {
    let rows: Vec<Vec<Option<String>>> = rows.collect();
    let is_shown: Vec<bool> = (0..keys.len()).map(|at| rows.iter().any(|row| row[at].is_some())).collect();
    let keys = keys.iter().zip(&is_shown).filter(|(_, shown)| **shown).map(|(key, _)| *key);
    let rows = rows.into_iter().map(|row| {
        let cells = row.into_iter().zip(&is_shown).filter(|(_, shown)| **shown);
        cells.map(|(cell, _)| cell).collect::<Vec<_>>()
    });
    let cell = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
    let row =
        |cells: Vec<Option<String>>| TableRow { cells: cells.into_iter().map(cell).collect(), group: None };
    Table {
        columns: keys.map(TableColumn::text).collect(),
        rows: rows.map(row).collect(),
        ..Table::default()
    }
}

fn figures(part: &Part, made: &Made) -> Vec<PaperBlock> {
    match &part.outcome {
        Outcome::Ran { figures } if !figures.is_empty() && !made.is_quick => {
            vec![PaperBlock::Heading(part.name.clone()), PaperBlock::Figures(figures.clone())]
        }
        _ => Vec::new(),
    }
}

/// Returns the statements of an experiment, with what stands below them, and its readings, folded.
fn experiment(part: &Part, statements: &[Statement<'_>], made: &Made) -> Vec<PaperBlock> {
    let own: Vec<&Statement<'_>> = statements.iter().filter(|of| of.experiment == part.name).collect();
    let mut blocks = vec![PaperBlock::Heading(part.name.clone())];
    match &part.outcome {
        Outcome::Left { why } => blocks.push(PaperBlock::Text(format!("Not run: {why}."))),
        Outcome::Ran { .. } if !made.is_quick => blocks.push(PaperBlock::Results(part.name.clone())),
        Outcome::Ran { .. } => {}
    }
    if !own.is_empty() {
        blocks.push(PaperBlock::Words(told(own.iter().map(|of| (of.experiment, of.claim)), &part.name)));
    }
    for statement in own.iter().filter(|of| !of.parts.is_empty()) {
        let summary =
            format!("{} of: {}", number_of(statement.parts.len() as u64, "part"), statement.claim.says);
        let table = told(statement.parts.iter().copied(), &part.name);
        blocks.push(PaperBlock::Folded(summary, vec![PaperBlock::Words(table)]));
    }
    if !part.readings.is_empty() {
        let summary = number_of(part.readings.len() as u64, "reading");
        let mut readings = part.readings.clone();
        readings[0].0.push_str(" (default)");
        blocks.push(PaperBlock::Folded(summary, vec![PaperBlock::Items(readings)]));
    }
    blocks
}

/// Returns claims as a table; those of other experiments name theirs.
fn told<'a>(claims: impl Iterator<Item = PaperClaim<'a>>, experiment: &str) -> Table {
    let claims: Vec<PaperClaim<'a>> = claims.collect();
    let asserts = claims.iter().any(|(_, claim)| claim.asserted.is_some());
    let row = |&(of, claim): &PaperClaim<'a>| {
        let from = if of == experiment { String::new() } else { format!(" ({of})") };
        let words = |number: f64| claim.stated_words(number);
        let asserted = asserts.then(|| claim.asserted.map(words));
        let numbers = [Some(claim.published.map(words)), asserted, Some(claim.measured_words())];
        [Some(format!("{}{from}", claim.says)), claim.source.clone()]
            .into_iter()
            .chain(numbers.into_iter().flatten())
            .chain([Some(claim.words()), Some(claim.first_reasons(1).join("; "))])
            .collect()
    };
    let asserted = asserts.then_some("asserted");
    let headings: Vec<&str> = ["claim", "source", "published"]
        .into_iter()
        .chain(asserted)
        .chain(["measured", "verdict", "why"])
        .collect();
    texts(&headings, claims.iter().map(row))
}

/// Replaces `{EXPERIMENT/CLAIM}`, and `{CLAIM}` of any experiment, by what was measured for the claim. Other text in braces,
/// which is of several words, stays as it is: [`Paper::check`] refuses a word that names no claim.
fn filled(text: &str, parts: &[Part]) -> String {
    let named = |name: &str| {
        let id = ClaimId::parse(name).and_then(|id| find(&id, parts));
        id.or_else(|| claims(parts).into_iter().find(|(_, claim)| claim.name == name).map(|(_, claim)| claim))
    };
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let found = after.split_once('}').and_then(|(word, behind)| {
            let (name, form) = ClaimId::in_braces(word);
            Some((named(name)?, form, behind))
        });
        match found {
            Some((claim, form, behind)) => {
                filled.push_str(&claim.in_a_text(form));
                rest = behind;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}
