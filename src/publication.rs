//! What is made of a folder of results: the tables, plots and claims that its experiment declares, and what is said of
//! them.
//!
//! Everything is read from the folder, nothing from the workloads: the same folder gives the same bytes on any machine.

mod claims;
mod declared;
mod findings;
mod multiverse;
mod readme;
mod report;
mod tables;
mod verdict;
mod who;

use std::io::Write;

pub use declared::Declared;
pub use findings::{copy_settings, put_settings};
pub use multiverse::{Multiverse, table as multiverse_table};
pub use report::Report;
pub use tables::{put as put_table, written as written_tables};
pub use verdict::{Conclusion, Paragraph, conclude, place};

use crate::analysis::Study;
use crate::claims::Checked;
use crate::experiment::folder::{Contents, Folder, FolderError};
use crate::experiment::{ExperimentError, Frame};
use crate::figure::draw;
use crate::pitfalls::Pitfall;
use crate::report::compare::Names;

/// Why nothing can be made of a folder.
#[derive(Debug, thiserror::Error)]
pub enum PublicationError {
    /// The experiment declares something that cannot be.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// There is nothing to draw.
    #[error("plot `{name}`: {what}")]
    Plot {
        /// The plot.
        name: String,
        /// Why.
        what: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// What was found on the way.
#[derive(Clone, Debug)]
pub struct Found {
    /// Pitfalls that were met.
    pub pitfalls: Vec<Pitfall>,
    /// Claims, each with what came of it.
    pub claims: Vec<Checked>,
}

/// Makes everything that the experiment of a folder declares, puts it there, and returns what was found.
///
/// # Errors
/// When the experiment declares what cannot be, or a file cannot be written.
pub fn publish(folder: &Folder, contents: &Contents) -> Result<Found, PublicationError> {
    let frame: Frame = contents.frame();
    let declared = Declared::read(&contents.experiment, "experiment.toml", &Names::of(&frame))?;
    let study = Study::new(&frame);
    for spec in &declared.tables {
        tables::put(folder, spec, &study)?;
    }
    for spec in &declared.crossings {
        tables::put_crossings(folder, spec, &study)?;
    }
    for spec in &declared.figures {
        let page = draw(spec, &study, &|key, detail| folder.detail(key, detail));
        let page = page.map_err(|what| PublicationError::Plot { name: spec.name.clone(), what })?;
        folder.put(&format!("plots/{}.svg", spec.name), |out| out.write_all(page.to_svg().as_bytes()))?;
    }
    who::put(folder, &frame)?;
    if let Some(multiverse) = &declared.multiverse {
        multiverse::put(folder, multiverse, &study)?;
    }
    let claims = claims::put(folder, &declared, &study)?;
    let pitfalls = findings::put(folder, &frame, &declared)?;
    readme::put(folder, contents, &declared, &conclude(&study, &pitfalls), &pitfalls)?;
    Ok(Found { pitfalls, claims })
}
