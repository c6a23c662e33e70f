//! Tables as files, in every form.

use std::io::Write;

use crate::analysis::Study;
use crate::experiment::folder::{Folder, FolderError};
use crate::report::compare::{Names, TableSpec, table};
use crate::report::{Style, Table, WRITERS};

/// Where tables are put.
const FOLDER: &str = "tables";

/// Writes a table in every form: for readers as declared, for programs a row for each value.
///
/// # Errors
/// When a file cannot be written.
pub fn put(folder: &Folder, spec: &TableSpec, study: &Study<'_>) -> Result<(), FolderError> {
    let for_programs = table(&spec.for_programs(&Names::of(study.frame())), study);
    write(folder, &spec.name, &table(spec, study), Some(&for_programs))
}

/// Writes a table in every form; for programs another one, where there is one.
///
/// # Errors
/// When a file cannot be written.
pub fn write(
    folder: &Folder,
    name: &str,
    for_readers: &Table,
    for_programs: Option<&Table>,
) -> Result<(), FolderError> {
    for writer in WRITERS {
        let is_for_programs = matches!(writer.name, "csv" | "json");
        let table = for_programs.filter(|_| is_for_programs).unwrap_or(for_readers);
        let text = (writer.write)(table, &Style::default());
        let file = format!("{FOLDER}/{}.{}", name, writer.ending);
        folder.put(&file, |out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}
