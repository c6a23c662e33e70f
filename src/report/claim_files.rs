//! Claims as files.

use std::io::{self, Write};

use super::Declared;

use crate::experiment::folder::{Folder, FolderError};
use crate::report::claims::{Checked, table};
use crate::report::table_files;
use crate::study::Study;

/// Name of the table's files.
pub(super) const NAME: &str = "claims";
pub(super) const FOR_PROGRAMS: &str = "claims.json";
pub(super) const FOR_READERS: &str = "claims.txt";

/// Checks all claims and writes what came of them, for readers and for programs; without claims nothing stays.
///
/// # Errors
/// When a file cannot be written.
pub fn put(folder: &Folder, declared: &Declared, study: &Study<'_>) -> Result<Vec<Checked>, FolderError> {
    let checked = check(declared, study);
    if checked.is_empty() {
        return [FOR_PROGRAMS, FOR_READERS].iter().try_for_each(|file| folder.remove(file)).map(|()| checked);
    }
    folder.put(FOR_PROGRAMS, |out| {
        serde_json::to_writer_pretty(&mut *out, &checked).map_err(io::Error::from)?;
        out.write_all(b"\n")
    })?;
    folder.put(FOR_READERS, |out| checked.iter().try_for_each(|claim| writeln!(out, "{claim}")))?;
    table_files::write(folder, NAME, &table(&checked, study.frame()), None)?;
    Ok(checked)
}

/// Checks all claims.
pub fn check(declared: &Declared, study: &Study<'_>) -> Vec<Checked> {
    let multiverse = declared.multiverse.as_ref().map(|multiverse| multiverse.parameter);
    declared.claims.iter().map(|claim| claim.check(study, multiverse)).collect()
}
