//! A report as plain text, for a terminal.

use super::{Conclusion, NamedPlot, Report, ReportSection};
use crate::study::pitfalls::Pitfall;
use batchlab_engine::table::writers::terminal::SPEC as TERMINAL;
use batchlab_engine::table::writers::wrap::wrap;
use batchlab_engine::table::{Style, captions_once};

/// Returns the report as text; plots are only named.
pub fn text(report: &Report<'_>, style: &Style) -> String {
    let mut blocks = vec![report.contents.manifest.name.clone()];
    for section in &report.sections {
        blocks.push(format!("{}\n{}", section.heading(), "-".repeat(section.heading().len())));
        match section {
            ReportSection::Verdict(conclusion, _) => blocks.extend(verdict(conclusion, style.width)),
            ReportSection::Tables(_)
            | ReportSection::Crossings(_)
            | ReportSection::Who(_)
            | ReportSection::Readings(_) => {
                let tables = section.tables().iter().map(|table| table.for_readers.clone());
                blocks.extend(
                    captions_once(tables.collect()).iter().map(|table| (TERMINAL.write)(table, style)),
                );
            }
            ReportSection::Plots(plots) => {
                blocks.extend(plots.iter().map(|NamedPlot { name, figure, .. }| match figure {
                    Ok(_) => format!("plots/{name}.svg"),
                    Err(reason) => format!("no plot {name}: {reason}"),
                }));
            }
            ReportSection::Claims(claims, _) => blocks.extend(claims.iter().map(ToString::to_string)),
            ReportSection::Findings(met) if met.is_empty() => blocks.push("No pitfall was met.".into()),
            ReportSection::Findings(met) => blocks.extend(met.iter().map(Pitfall::to_string)),
        }
    }
    blocks.iter().map(|block| block.trim_end()).collect::<Vec<_>>().join("\n\n") + "\n"
}

fn verdict(conclusion: &Conclusion, width: usize) -> Vec<String> {
    let told = conclusion.paragraphs.iter().map(|of| format!("{}. {}", of.about, of.sentences.join(" ")));
    let limits = conclusion.limits.iter().map(|limit| format!("- {limit}"));
    let basis = (!conclusion.basis.is_empty()).then(|| conclusion.basis.join(" "));
    told.chain(basis).chain(limits).map(|block| wrap(&block, width, "").join("\n")).collect()
}
