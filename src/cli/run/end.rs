//! The end of an experiment: prints tables and claims to standard output, pitfalls to standard error.

use crate::Registry;
use crate::cli::table::{style, tables_text};
use crate::cli::terminal::form::{print, put};
use crate::cli::terminal::{tell, text};
use crate::experiment::Folder;
use crate::experiment::folder::Contents;
use crate::lab::Failure;
use crate::lab::experiments::end::put_part;
use crate::report::claims::{Checked, intervals};
use crate::report::{NamedTable, Report, ReportSection, publish};
use crate::study::Study;
use crate::table::WriterSpec;

/// Generates the report of a folder and prints it.
pub fn publish_and_tell(
    registry: &Registry,
    folder: &Folder,
    contents: &Contents,
    writer: &WriterSpec,
    quiet: bool,
) -> Result<(), Failure> {
    let frame = contents.frame();
    let study = Study::new(&frame);
    let report = Report::of(folder, contents, &study, registry.policies())?;
    publish(folder, &report)?;
    let shown = report
        .sections
        .iter()
        .filter(|section| matches!(section, ReportSection::Tables(_) | ReportSection::Crossings(_)));
    let tables: Vec<NamedTable> = shown.flat_map(ReportSection::tables).cloned().collect();
    put(&tables_text(&tables, writer, |table| (writer.write)(table, &style())))?;
    tell::pitfalls(report.pitfalls(), quiet);
    claims(report.claims(), writer)
}

/// Writes and prints the tables of a folder with missing replays; each table says so. Removes everything else
/// generated from earlier results, because conclusions from a part would mislead.
pub fn tables_of_part(folder: &Folder, contents: &Contents, writer: &WriterSpec) -> Result<(), Failure> {
    let tables = put_part(folder, contents)?;
    if tables.is_empty() {
        return Ok(());
    }
    put(&tables_text(&tables, writer, |table| (writer.write)(table, &style())))
}

/// Prints the verdicts on claims. A claim that cannot be checked is no failure.
fn claims(claims: &[Checked], writer: &WriterSpec) -> Result<(), Failure> {
    let lines = claims.iter().map(|claim| format!("{claim}\n"));
    for (at, line) in lines.chain(intervals(claims).map(|kind| format!("* {kind}\n"))).enumerate() {
        // A program that reads the tables could not parse sentences.
        if writer.for_programs {
            tell::note(line.trim_end());
        } else {
            print(&if at == 0 { format!("\n{line}") } else { line })?;
        }
    }
    let failed = claims.iter().filter(|claim| claim.verdict.is_contradicted()).count() as u64;
    let all = text::counted(claims.len() as u64, "claim");
    match failed {
        0 => Ok(()),
        1 => Err(Failure::Check(format!("one of {all} does not hold"))),
        _ => Err(Failure::Check(format!("{} of {all} do not hold", text::count(failed)))),
    }
}
