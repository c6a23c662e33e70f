//! The folder's own page, as forges show it: verdict, tables, plots, findings, in Markdown.

use std::io::Write;

use super::{Conclusion, Declared};
use crate::experiment::folder::{Contents, Folder, FolderError};
use crate::study::pitfalls::Pitfall;

/// The file.
pub(super) const README: &str = "README.md";

/// Writes the page, with the tables that are in the folder.
///
/// # Errors
/// When a table cannot be read, or the page cannot be written.
pub fn put(
    folder: &Folder,
    contents: &Contents,
    declared: &Declared,
    conclusion: &Conclusion,
    met: &[Pitfall],
) -> Result<(), FolderError> {
    let manifest = &contents.manifest;
    let mut blocks = vec![format!("# {}", escape(&manifest.name)), command(contents), "## Verdict".into()];
    blocks.extend(verdict(conclusion));
    blocks.push("## Tables".into());
    for spec in &declared.tables {
        blocks.push(folder.text(&format!("tables/{}.md", spec.name))?);
    }
    if !declared.figures.is_empty() {
        blocks.push("## Plots".into());
    }
    blocks.extend(declared.figures.iter().map(|spec| format!("![{0}](plots/{0}.svg)", spec.name)));
    if !declared.claims.is_empty() {
        blocks.extend(["## Claims".into(), folder.text("tables/claims.md")?]);
    }
    blocks.push("## Findings".into());
    blocks.extend(met.iter().map(finding));
    if met.is_empty() {
        blocks.push("No pitfall was met.".into());
    }
    let text = blocks.iter().map(|block| block.trim_end()).collect::<Vec<_>>().join("\n\n");
    folder.put(README, |out| writeln!(out, "{text}"))
}

fn command(contents: &Contents) -> String {
    let name = &contents.manifest.name;
    format!(
        "Made by {} from `experiment.toml`, under the name `{name}.toml` beside its logs:\n\n```sh\nbatchlab run \
         {name}.toml\n```\n\nA single replay by its key, the first column of [results.csv](results.csv): `batchlab run \
         {name}.toml --key KEY`.",
        escape(&contents.manifest.tool)
    )
}

fn verdict(conclusion: &Conclusion) -> Vec<String> {
    let mut blocks = Vec::new();
    for paragraph in &conclusion.paragraphs {
        blocks.push(format!("**{}.** {}", escape(&paragraph.about), escape(&paragraph.sentences.join(" "))));
    }
    blocks.push(escape(&conclusion.basis.join(" ")));
    if !conclusion.limits.is_empty() {
        let limits: Vec<String> =
            conclusion.limits.iter().map(|limit| format!("- {}", escape(limit))).collect();
        blocks.push(limits.join("\n"));
    }
    blocks
}

/// Cases that are told of each pitfall.
const SHOWN: usize = 3;

fn finding(pitfall: &Pitfall) -> String {
    let cases = pitfall.cases.iter().take(SHOWN).map(|case| format!("- {}", escape(&case.to_string())));
    let mut lines: Vec<String> = cases.collect();
    if let Some(more) = pitfall.cases.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        lines.push(format!("- and {more} more in [findings.json](findings.json)"));
    }
    let spec = pitfall.spec;
    format!(
        "**{}** ({})\n\n{}\n\n{} {}",
        escape(spec.title),
        spec.code,
        lines.join("\n"),
        escape(spec.misleads),
        escape(spec.advice)
    )
}

/// Escapes what Markdown would read as markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '*' | '_' | '`' | '<' | '\\' | '[' | ']' | '#' | '|' => escaped.extend(['\\', character]),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(character),
        }
    }
    escaped
}
