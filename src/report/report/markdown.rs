//! A report in Markdown: the README of the results folder, as code forges show it.

use batchlab_traces::foreign::SafeText;

use super::citation::options;
use super::{Conclusion, NamedPlot, Paragraph, Report, ReportSection};
use batchlab_engine::table::Style;
use batchlab_engine::table::writers::markdown::{SPEC as MARKDOWN, escape, escape_line};
use batchlab_study::experiment::folder::Contents;
use batchlab_study::study::pitfalls::Pitfall;

/// Returns the report in Markdown; plots are links to files in the same folder.
pub fn markdown(report: &Report<'_>) -> SafeText {
    let mut blocks = vec![format!("# {}", escape(&report.contents.manifest.name)), command(report.contents)];
    for section in &report.sections {
        blocks.push(format!("## {}", section.heading()));
        match section {
            ReportSection::Verdict(conclusion, figure) => {
                blocks.extend(figure.iter().filter_map(image));
                blocks.extend(verdict(conclusion));
            }
            ReportSection::Tables(_)
            | ReportSection::Crossings(_)
            | ReportSection::Who(_)
            | ReportSection::Claims(..)
            | ReportSection::Readings(_) => {
                let style = Style::default();
                blocks.extend(
                    section.tables().iter().map(|table| (MARKDOWN.write)(&table.for_readers, &style).into()),
                );
            }
            ReportSection::Plots(plots) => {
                blocks.extend(plots.iter().flat_map(plot));
            }
            ReportSection::Findings(met) if met.is_empty() => blocks.push("No pitfall was met.".into()),
            ReportSection::Findings(met) => blocks.extend(met.iter().map(finding)),
        }
    }
    SafeText::of(&(blocks.iter().map(|block| block.trim_end()).collect::<Vec<_>>().join("\n\n") + "\n"))
}

/// Returns a plot with the text below it, or the reason why there is none.
fn plot(plot: &NamedPlot) -> Vec<String> {
    let name = &plot.name;
    match &plot.figure {
        Ok(figure) => {
            // The conditions stand below the tables.
            let below = figure.caption();
            image(plot).into_iter().chain(below.iter().take(2).map(|line| escape_line(line))).collect()
        }
        Err(reason) => vec![format!("No plot `{name}`: {}.", escape(reason))],
    }
}

fn image(plot: &NamedPlot) -> Option<String> {
    let name = &plot.name;
    plot.figure.is_ok().then(|| format!("![{name}](plots/{name}.svg)"))
}

fn command(contents: &Contents) -> String {
    let (name, options) = (&contents.manifest.name, options(contents));
    format!(
        "Made by {} from `experiment.toml`, under the name `{name}.toml` beside its logs:\n\n```sh\nbatchlab run \
         {name}.toml{options}\n```\n\nA single replay by its key, the first column of [results.csv](results.csv): `batchlab run \
         {name}.toml{options} --key KEY`.",
        escape(&contents.manifest.tool)
    )
}

fn verdict(conclusion: &Conclusion) -> Vec<String> {
    let paragraph =
        |of: &Paragraph| format!("**{}.** {}", escape(&of.about), escape(&of.sentences.join(" ")));
    let mut blocks: Vec<String> = conclusion.paragraphs.iter().map(paragraph).collect();
    if !conclusion.limits.is_empty() {
        let limits: Vec<String> =
            conclusion.limits.iter().map(|limit| format!("- {}", escape_line(limit))).collect();
        blocks.push(limits.join("\n"));
    }
    if !conclusion.details.is_empty() {
        blocks.push("<details><summary>All comparisons, and how they were made</summary>".into());
        blocks.push(escape_line(&conclusion.basis.join(" ")));
        blocks.extend(conclusion.details.iter().map(paragraph));
        blocks.push("</details>".into());
    }
    blocks
}

/// The most cases that are listed for each pitfall.
const SHOWN: usize = 3;

fn finding(pitfall: &Pitfall) -> String {
    let shown = pitfall.shown(SHOWN);
    let cases = pitfall.cases.iter().take(shown).map(|case| format!("- {}", escape_line(&case.to_string())));
    let mut lines: Vec<String> = cases.collect();
    if let Some(more) = pitfall.cases.len().checked_sub(shown).filter(|&more| more > 0) {
        lines.push(format!("- and {more} more in [findings.json](findings.json)"));
    }
    let spec = pitfall.spec;
    format!(
        "**{}** ({})\n\n{}\n\n{} {}",
        escape(spec.title),
        spec.code,
        lines.join("\n"),
        escape_line(spec.misleads),
        escape(spec.advice)
    )
}
