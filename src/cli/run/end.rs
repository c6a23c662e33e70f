//! The end of an experiment: prints tables and claims to standard output, pitfalls to standard error.

use crate::cli::form::{print, print_tables};
use crate::cli::table::{style, tables_text};
use crate::cli::{Failure, tell, text};
use crate::experiment::Folder;
use crate::experiment::folder::Contents;
use crate::report::claims::Checked;
use crate::report::tables::Names;
use crate::report::{Declared, NamedTable, Report, ReportSection, publish, put_tables, withdraw};
use crate::study::Study;
use crate::table::WriterSpec;

/// Generates the report of a folder and prints it.
///
/// # Errors
/// If something cannot be generated, or a claim does not hold.
pub fn publish_and_tell(
    folder: &Folder,
    contents: &Contents,
    writer: &WriterSpec,
    quiet: bool,
) -> Result<(), Failure> {
    let frame = contents.frame();
    let study = Study::new(&frame);
    let report = Report::of(folder, contents, &study)?;
    publish(folder, &report)?;
    let shown = report
        .sections
        .iter()
        .filter(|section| matches!(section, ReportSection::Tables(_) | ReportSection::Crossings(_)));
    let tables: Vec<NamedTable> = shown.flat_map(ReportSection::tables).cloned().collect();
    print_tables(&tables_text(&tables, writer, |table| (writer.write)(table, &style())))?;
    tell::pitfalls(report.pitfalls(), quiet);
    claims(report.claims(), writer)
}

/// Writes and prints the tables of a folder with missing replays; each table says so. Removes everything else
/// generated from earlier results, because conclusions from a part would mislead.
///
/// # Errors
/// If a table cannot be generated.
pub fn tables_of_part(folder: &Folder, contents: &Contents, writer: &WriterSpec) -> Result<(), Failure> {
    let tables = put_part(folder, contents)?;
    if tables.is_empty() {
        return Ok(());
    }
    print_tables(&tables_text(&tables, writer, |table| (writer.write)(table, &style())))
}

/// Generates what there is to generate of a folder, and prints nothing: the report, or the tables of a part.
///
/// # Errors
/// If something cannot be generated.
pub fn publish_all(folder: &Folder, contents: &Contents) -> Result<(), Failure> {
    if !contents.missing().is_empty() {
        return put_part(folder, contents).map(drop);
    }
    let frame = contents.frame();
    let study = Study::new(&frame);
    Ok(publish(folder, &Report::of(folder, contents, &study)?)?)
}

/// Writes the tables of a folder with missing replays.
fn put_part(folder: &Folder, contents: &Contents) -> Result<Vec<NamedTable>, Failure> {
    withdraw(folder)?;
    if contents.known.is_empty() {
        return Ok(Vec::new());
    }
    let frame = contents.frame();
    let study = Study::new(&frame).missing(contents.missing().len(), contents.replays());
    let file = folder.path().join("experiment.toml").display().to_string();
    let declared = Declared::read(&contents.experiment, &file, &Names::of(&frame));
    let declared = declared.map_err(|error| Failure::Usage(error.to_string()))?;
    let tables: Vec<NamedTable> =
        declared.sources().filter_map(|source| source.make(folder, &declared, &study)).collect();
    put_tables(folder, &tables.iter().collect::<Vec<_>>())?;
    Ok(tables)
}

/// Prints the verdicts on claims.
///
/// # Errors
/// If a claim does not hold; a claim that cannot be checked is no failure.
fn claims(claims: &[Checked], writer: &WriterSpec) -> Result<(), Failure> {
    for (at, claim) in claims.iter().enumerate() {
        let line = format!("{claim}\n");
        // A program that reads the tables could not parse sentences.
        if writer.for_programs {
            tell::note(line.trim_end());
        } else {
            print(&if at == 0 { format!("\n{line}") } else { line })?;
        }
    }
    let failed = claims.iter().filter(|claim| claim.verdict.is_contradicted()).count() as u64;
    match failed {
        0 => Ok(()),
        1 => Err(Failure::Check(format!(
            "one of {} does not hold",
            text::counted(claims.len() as u64, "claim")
        ))),
        _ => Err(Failure::Check(format!(
            "{} of {} do not hold",
            text::count(failed),
            text::counted(claims.len() as u64, "claim")
        ))),
    }
}
