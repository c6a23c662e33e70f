//! A report as plain text, for a terminal.

use batchlab_traces::foreign::SafeText;

use super::claims::intervals;
use super::{Conclusion, NamedPlot, Report, ReportSection};
use batchlab_engine::table::writers::terminal::SPEC as TERMINAL;
use batchlab_engine::table::writers::wrap::wrap;
use batchlab_engine::table::{Style, captions_once};
use batchlab_study::study::pitfalls::Pitfall;

/// Returns the report as text; plots are only named.
pub fn text(report: &Report<'_>, style: &Style) -> SafeText {
    let mut blocks = vec![SafeText::of(&report.contents.manifest.name)];
    for section in &report.sections {
        blocks.push(SafeText::of(&format!("{}\n{}", section.heading(), "-".repeat(section.heading().len()))));
        let plain: Vec<String> = match section {
            ReportSection::Verdict(conclusion, _) => verdict(conclusion, style.width),
            ReportSection::Tables(_)
            | ReportSection::Crossings(_)
            | ReportSection::Who(_)
            | ReportSection::Readings(_) => {
                let tables = section.tables().iter().map(|table| table.for_readers.clone());
                blocks.extend(
                    captions_once(tables.collect()).iter().map(|table| (TERMINAL.write)(table, style)),
                );
                Vec::new()
            }
            ReportSection::Plots(plots) => {
                let line = |NamedPlot { name, figure, .. }: &NamedPlot| match figure {
                    Ok(_) => format!("plots/{name}.svg"),
                    Err(reason) => format!("no plot {name}: {reason}"),
                };
                plots.iter().map(line).collect()
            }
            ReportSection::Claims(claims, _) => {
                claims.iter().map(ToString::to_string).chain(intervals(claims)).collect()
            }
            ReportSection::Findings(met) if met.is_empty() => vec!["No pitfall was met.".into()],
            ReportSection::Findings(met) => met.iter().map(Pitfall::to_string).collect(),
        };
        blocks.extend(plain.iter().map(|block| SafeText::of(block)));
    }
    SafeText::blocks(&blocks)
}

fn verdict(conclusion: &Conclusion, width: usize) -> Vec<String> {
    let told = conclusion.paragraphs.iter().map(|of| format!("{}. {}", of.about, of.sentences.join(" ")));
    let limits = conclusion.limits.iter().map(|limit| format!("- {limit}"));
    let basis = (!conclusion.basis.is_empty()).then(|| conclusion.basis.join(" "));
    told.chain(basis).chain(limits).map(|block| wrap(&block, width, "").join("\n")).collect()
}
