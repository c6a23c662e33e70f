//! Tables as files, in every form.

use std::io::Write;
use std::path::Path;

use crate::experiment::folder::{Folder, FolderError, TABLES as FOLDER};
use crate::report::tables::{CrossingSpec, Names, TableSpec, crossings, crossings_for_programs, table};
use crate::study::Study;
use crate::table::{Style, Table, WRITERS};

/// Writes a table in every form: for readers as declared, for programs a row for each value.
///
/// # Errors
/// When a file cannot be written.
pub fn put(folder: &Folder, spec: &TableSpec, study: &Study<'_>) -> Result<(), FolderError> {
    let for_programs = table(&spec.for_programs(&Names::of(study.frame())), study);
    write(folder, &spec.name, &table(spec, study), Some(&for_programs))
}

/// Writes crossings in every form, a row for each.
///
/// # Errors
/// When a file cannot be written.
pub fn put_crossings(folder: &Folder, spec: &CrossingSpec, study: &Study<'_>) -> Result<(), FolderError> {
    write(folder, &spec.name, &crossings(spec, study), Some(&crossings_for_programs(spec, study)))
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
        let file = format!("{FOLDER}/{name}.{}", writer.ending);
        folder.put(&file, |out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// Returns the text of all tables of a folder, in a form that breaks no line: their captions say how they were made.
///
/// # Errors
/// When one cannot be read.
pub fn written(folder: &Folder) -> Result<String, FolderError> {
    let names = folder.names(FOLDER)?;
    let texts = names.iter().filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "md"));
    texts.map(|name| folder.text(&format!("{FOLDER}/{name}"))).collect()
}
