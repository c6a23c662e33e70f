//! A report as files of its folder: tables in every form, plots, claims, findings, and the page in Markdown.

use std::io::{self, Write};

use super::claims::intervals;
use super::declared::NOTES;
use super::findings::SETTINGS;
use super::{NamedTable, Report, ReportSection};
use batchlab_engine::plot::{Picture, pdf};
use batchlab_engine::table::writers::latex;
use batchlab_engine::table::{Style, Table, WRITERS};
use batchlab_study::experiment::folder::{Folder, FolderError, PLOTS, TABLES, is_file_of};
use batchlab_traces::foreign::SafeText;
use batchlab_traces::sorted::SortedSet;

const README: &str = "README.md";
const CLAIMS: [&str; 2] = ["claims.json", "claims.txt"];
const PLOT_ENDINGS: [&str; 3] = [".svg", ".pdf", ".png"];
const FINDINGS: [&str; 2] = ["findings.json", "findings.txt"];

/// Whether a file of this name is generated from results.
pub fn is_made(name: &str) -> bool {
    match name.split_once('/') {
        None => [README, SETTINGS].iter().chain(&CLAIMS).chain(&FINDINGS).any(|known| *known == name),
        Some((TABLES, name)) => WRITERS.iter().any(|writer| is_file_of(name, &format!(".{}", writer.ending))),
        Some((PLOTS, name)) => PLOT_ENDINGS.iter().any(|ending| is_file_of(name, ending)),
        Some(_) => false,
    }
}

/// Writes a report into its folder. Removes tables, plots and claims that the experiment no longer declares.
pub fn publish(folder: &Folder, report: &Report<'_>) -> Result<(), FolderError> {
    let (mut tables, mut plots, mut has_claims) = (SortedSet::new(), SortedSet::new(), false);
    let made: Vec<&NamedTable> = report.sections.iter().flat_map(ReportSection::tables).collect();
    put_tables(folder, &made)?;
    tables.extend(made.iter().map(|table| table.name.as_str()).chain([NOTES]));
    for plot in report.sections.iter().flat_map(ReportSection::plots) {
        let Ok(figure) = &plot.figure else { continue };
        let pdf = pdf(&figure.svg).map_err(io::Error::other);
        let file = |ending: &str| format!("{PLOTS}/{}{ending}", plot.name);
        folder.put(&file(PLOT_ENDINGS[0]), |out| out.write_all(figure.svg.as_bytes()))?;
        folder.put(&file(PLOT_ENDINGS[1]), |out| out.write_all(&pdf?))?;
        // Made on request, and so of earlier results here.
        folder.remove(&file(PLOT_ENDINGS[2]))?;
        plots.insert(plot.name.as_str());
    }
    for section in &report.sections {
        match section {
            ReportSection::Verdict(..)
            | ReportSection::Tables(_)
            | ReportSection::Crossings(_)
            | ReportSection::Who(_)
            | ReportSection::Readings(_)
            | ReportSection::Plots(_) => {}
            ReportSection::Claims(claims, _) => {
                has_claims = true;
                put_json(folder, CLAIMS[0], claims)?;
                let lines = claims
                    .iter()
                    .map(ToString::to_string)
                    .chain(intervals(claims).map(|kind| format!("* {kind}")));
                folder.put_text(CLAIMS[1], &told(&lines.collect::<Vec<_>>(), "\n"))?;
            }
            ReportSection::Findings(met) => {
                put_json(folder, FINDINGS[0], met)?;
                folder.put_text(FINDINGS[1], &told(met, "\n\n"))?;
            }
        }
    }
    if !has_claims {
        CLAIMS.iter().try_for_each(|file| folder.remove(file))?;
    }
    folder.put_text(README, &super::markdown::markdown(report))?;
    keep_only(folder, TABLES, &tables)?;
    keep_only(folder, PLOTS, &plots)
}

/// Writes the plots of a report into its folder as PNG too, if the program has the feature `png`.
pub fn publish_png(folder: &Folder, report: &Report<'_>) -> Result<(), FolderError> {
    for plot in report.sections.iter().flat_map(ReportSection::plots) {
        let Ok(figure) = &plot.figure else { continue };
        let name = format!("{PLOTS}/{}{}", plot.name, PLOT_ENDINGS[2]);
        let png = Picture::of(&name).and_then(|picture| picture.bytes(&figure.svg)).map_err(io::Error::other);
        folder.put(&name, |out| out.write_all(&png?))?;
    }
    Ok(())
}

/// Removes all files generated from results.
pub fn withdraw(folder: &Folder) -> Result<(), FolderError> {
    [README].iter().chain(&CLAIMS).chain(&FINDINGS).try_for_each(|name| folder.remove(name))?;
    [TABLES, PLOTS].into_iter().try_for_each(|within| keep_only(folder, within, &SortedSet::new()))
}

/// Writes tables in every form, and the file of the conditions and notes that tables do not have below them. Removes this file if
/// no table keeps them there.
pub fn put_tables(folder: &Folder, tables: &[&NamedTable]) -> Result<(), FolderError> {
    for table in tables {
        for writer in WRITERS {
            let text = (writer.write)(table.table_for(writer), &Style::default());
            folder.put_text(&format!("{TABLES}/{}.{}", table.name, writer.ending), &text)?;
        }
    }
    let for_readers: Vec<Table> = tables.iter().map(|table| table.for_readers.clone()).collect();
    let text = latex::notes_of(&for_readers);
    let file = format!("{TABLES}/{NOTES}.tex");
    if text.is_empty() { folder.remove(&file) } else { folder.put_text(&file, &text) }
}

fn put_json<T: serde::Serialize>(folder: &Folder, file: &str, what: &[T]) -> Result<(), FolderError> {
    let text = serde_json::to_string_pretty(what).map_err(|error| folder.io(file, error.into()))?;
    folder.put_text(file, &SafeText::of_json(&(text + "\n")))
}

/// Returns sentences, each with its end.
fn told<T: ToString>(of: &[T], end: &str) -> SafeText {
    SafeText::of(&of.iter().map(|one| one.to_string() + end).collect::<String>())
}

/// Removes the files whose name before the ending is not in `names`.
fn keep_only(folder: &Folder, within: &str, names: &SortedSet<&str>) -> Result<(), FolderError> {
    folder.keep_only(within, |file| file.rsplit_once('.').is_some_and(|(stem, _)| names.contains(stem)))
}
