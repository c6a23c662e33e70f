//! What is made of a folder of results: the tables and plots that its experiment declares, and what is said of them.
//!
//! Everything is read from the folder, nothing from the workloads: the same folder gives the same bytes on any machine.

mod declared;
mod tables;

pub use declared::Declared;

use crate::analysis::Study;
use crate::experiment::folder::{Contents, Folder, FolderError};
use crate::experiment::{ExperimentError, Frame};
use crate::report::compare::Names;

/// Why nothing can be made of a folder.
#[derive(Debug, thiserror::Error)]
pub enum PublicationError {
    /// The experiment declares something that cannot be.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Makes everything that the experiment of a folder declares, and puts it there.
///
/// # Errors
/// When the experiment declares what cannot be, or a file cannot be written.
pub fn publish(folder: &Folder, contents: &Contents) -> Result<(), PublicationError> {
    let frame: Frame = contents.frame();
    let declared = Declared::read(&contents.experiment, "experiment.toml", &Names::of(&frame))?;
    let study = Study::new(&frame);
    for spec in &declared.tables {
        tables::put(folder, spec, &study)?;
    }
    Ok(())
}
