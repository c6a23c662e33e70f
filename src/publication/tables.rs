//! Tables as files, in every form.

use std::io::Write;

use crate::analysis::Study;
use crate::experiment::folder::{Folder, FolderError};
use crate::report::compare::{CrossingSpec, Names, TableSpec, crossings, crossings_for_programs, table};
use crate::report::{Style, Table, WRITERS};

/// Where tables are put.
const FOLDER: &str = "tables";

/// Writes a table in every form: for readers as declared, for programs a row for each value.
///
/// # Errors
/// When a file cannot be written.
pub fn put(folder: &Folder, spec: &TableSpec, study: &Study<'_>) -> Result<(), FolderError> {
    let for_programs = table(&spec.for_programs(&Names::of(study.frame())), study);
    write(folder, &spec.name, &table(spec, study), &for_programs)
}

/// Writes crossings in every form, a row for each.
///
/// # Errors
/// When a file cannot be written.
pub fn put_crossings(folder: &Folder, spec: &CrossingSpec, study: &Study<'_>) -> Result<(), FolderError> {
    write(folder, &spec.name, &crossings(spec, study), &crossings_for_programs(spec, study))
}

fn write(folder: &Folder, name: &str, readers: &Table, programs: &Table) -> Result<(), FolderError> {
    for writer in WRITERS {
        let table = if matches!(writer.name, "csv" | "json") { programs } else { readers };
        let text = (writer.write)(table, &Style::default());
        let file = format!("{FOLDER}/{name}.{}", writer.ending);
        folder.put(&file, |out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}
