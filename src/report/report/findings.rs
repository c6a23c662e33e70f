//! Pitfalls found in the results.

use std::io::Write;

use batchlab_support::registry::Policies;

use super::{Declared, ReportError};
use batchlab_study::experiment::Frame;
use batchlab_study::experiment::folder::{Folder, FolderError};
use batchlab_study::study::pitfalls::{self, Evidence, MeanAcross, Pitfall, WorkloadSetting};

/// File that records how the workloads were prepared, which cannot be derived from the results.
pub(super) const SETTINGS: &str = "settings.json";

/// Writes how the workloads were prepared.
pub fn put_settings(folder: &Folder, settings: &[WorkloadSetting]) -> Result<(), FolderError> {
    folder.put(SETTINGS, |out| {
        serde_json::to_writer_pretty(&mut *out, settings)?;
        out.write_all(b"\n")
    })
}

/// Copies the record of how workloads were prepared from one folder to another.
pub fn copy_settings(from: &Folder, to: &Folder) -> Result<(), FolderError> {
    let text = from.text(SETTINGS)?;
    to.put(SETTINGS, |out| out.write_all(text.as_bytes()))
}

/// Looks for pitfalls.
pub fn find(
    folder: &Folder,
    frame: &Frame,
    declared: &Declared,
    policies: &Policies,
) -> Result<Vec<Pitfall>, ReportError> {
    let settings: Vec<WorkloadSetting> =
        serde_json::from_str(&folder.text(SETTINGS)?).map_err(|error| folder.broken(SETTINGS, &error))?;
    let tables = declared.tables.iter().filter(|table| table.geometric);
    let means = tables.map(|table| MeanAcross {
        table: table.name.clone(),
        workloads: table.workloads.len(),
        is_geometric: true,
    });
    let means: Vec<MeanAcross> = means.collect();
    Ok(pitfalls::find(&Evidence { frame, policies, settings: &settings, means: &means }))
}
