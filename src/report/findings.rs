//! Pitfalls that the results have met, as files.

use std::io::{self, Write};

use super::{Declared, PublicationError};
use crate::experiment::Frame;
use crate::experiment::folder::{Folder, FolderError};
use crate::study::pitfalls::{self, Evidence, MeanAcross, Pitfall, WorkloadSetting};

/// How the workloads were prepared: what cannot be found out from the results.
pub(super) const SETTINGS: &str = "settings.json";
/// Pitfalls, for programs and for readers.
pub(super) const FOR_PROGRAMS: &str = "findings.json";
pub(super) const FOR_READERS: &str = "findings.txt";

/// Writes how workloads were prepared.
///
/// # Errors
/// When the file cannot be written.
pub fn put_settings(folder: &Folder, settings: &[WorkloadSetting]) -> Result<(), FolderError> {
    folder.put(SETTINGS, |out| {
        serde_json::to_writer_pretty(&mut *out, settings)?;
        out.write_all(b"\n")
    })
}

/// Copies how workloads were prepared from one folder to another.
///
/// # Errors
/// When the file cannot be read or written.
pub fn copy_settings(from: &Folder, to: &Folder) -> Result<(), FolderError> {
    let text = from.text(SETTINGS)?;
    to.put(SETTINGS, |out| out.write_all(text.as_bytes()))
}

/// Looks for pitfalls.
///
/// # Errors
/// When the file about the workloads cannot be read.
pub fn find(folder: &Folder, frame: &Frame, declared: &Declared) -> Result<Vec<Pitfall>, PublicationError> {
    let settings: Vec<WorkloadSetting> =
        serde_json::from_str(&folder.text(SETTINGS)?).map_err(|error| FolderError::Broken {
            file: folder.path().join(SETTINGS).display().to_string(),
            what: error.to_string(),
        })?;
    let tables = declared.tables.iter().filter(|table| table.geometric);
    let means = tables.map(|table| MeanAcross {
        table: table.name.clone(),
        workloads: table.workloads.len(),
        is_geometric: true,
    });
    let means: Vec<MeanAcross> = means.collect();
    Ok(pitfalls::find(&Evidence { frame, settings: &settings, means: &means }))
}

/// Looks for pitfalls and writes those that are met, for readers and for programs.
///
/// # Errors
/// When a file cannot be read or written.
pub fn put(folder: &Folder, frame: &Frame, declared: &Declared) -> Result<Vec<Pitfall>, PublicationError> {
    let met = find(folder, frame, declared)?;
    folder.put(FOR_PROGRAMS, |out| {
        serde_json::to_writer_pretty(&mut *out, &met).map_err(io::Error::from)?;
        out.write_all(b"\n")
    })?;
    folder.put(FOR_READERS, |out| met.iter().try_for_each(|pitfall| writeln!(out, "{pitfall}\n")))?;
    Ok(met)
}
