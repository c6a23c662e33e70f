//! What is made of a folder of results: the tables, plots and claims that its experiment declares, and what is said of
//! them.
//!
//! Everything is read from the folder, nothing from the workloads: the same folder gives the same bytes on any machine.

pub mod citation;
mod claim_files;
pub mod claims;
mod declared;
mod findings;
mod multiverse;
pub mod page;
pub mod plots;
mod readme;
mod sections;
mod table_files;
pub mod tables;
mod verdict;
mod who;
mod whole;

use std::collections::BTreeSet;
use std::io::Write;

pub use declared::Declared;
pub use findings::{copy_settings, put_settings};
pub use multiverse::{Multiverse, table as multiverse_table};
pub use sections::SECTIONS;
pub use table_files::{put as put_table, put_crossings, write as write_table, written as written_tables};
pub use verdict::{Conclusion, Paragraph, conclude, place};
pub use whole::Report;

use crate::experiment::ExperimentError;
use crate::experiment::folder::{Contents, Folder, FolderError, PLOTS, TABLES, is_file_of};
use crate::report::claims::Checked;
use crate::report::plots::draw;
use crate::report::tables::Names;
use crate::study::Study;
use crate::study::pitfalls::Pitfall;
use crate::table::{Table, WRITERS};

/// Whether a file of this name is made of results.
pub fn is_made(name: &str) -> bool {
    match name.split_once('/') {
        None => [readme::README, claim_files::FOR_PROGRAMS, claim_files::FOR_READERS, findings::FOR_PROGRAMS]
            .into_iter()
            .chain([findings::FOR_READERS, findings::SETTINGS])
            .any(|known| known == name),
        Some((TABLES, name)) => WRITERS.iter().any(|writer| is_file_of(name, &format!(".{}", writer.ending))),
        Some((PLOTS, name)) => is_file_of(name, ".svg"),
        Some(_) => false,
    }
}

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

/// Returns the tables that every experiment has without declaring them, by name, where there is something to show: claims,
/// readings, who makes the means.
///
/// # Errors
/// When the experiment declares what cannot be.
pub fn undeclared_tables(
    folder: &Folder,
    contents: &Contents,
    study: &Study<'_>,
) -> Result<Vec<(&'static str, Table)>, PublicationError> {
    let declared = Declared::read(&contents.experiment, "experiment.toml", &Names::of(study.frame()))?;
    let checked = claim_files::check(&declared, study);
    let claims = (!checked.is_empty()).then(|| claims::table(&checked, study.frame()));
    let readings = declared.multiverse.as_ref().and_then(|of| multiverse::table(of, study));
    let all = [
        (claim_files::NAME, claims),
        (multiverse::NAME, readings),
        (who::NAME, who::made(folder, study.frame())),
    ];
    Ok(all.into_iter().filter_map(|(name, table)| Some((name, table?))).collect())
}

/// Makes everything that the experiment of a folder declares, puts it there, and returns what was found. Tables and plots
/// that it no longer declares go.
///
/// # Errors
/// When the experiment declares what cannot be, or a file cannot be written.
pub fn publish(folder: &Folder, contents: &Contents, study: &Study<'_>) -> Result<Found, PublicationError> {
    let frame = study.frame();
    let declared = Declared::read(&contents.experiment, "experiment.toml", &Names::of(frame))?;
    for spec in &declared.tables {
        table_files::put(folder, spec, study)?;
    }
    for spec in &declared.crossings {
        put_crossings(folder, spec, study)?;
    }
    for spec in &declared.figures {
        let page = draw(spec, study, &|key, detail| folder.detail(key, detail));
        let page = page.map_err(|what| PublicationError::Plot { name: spec.name.clone(), what })?;
        folder.put(&format!("{PLOTS}/{}.svg", spec.name), |out| out.write_all(page.to_svg().as_bytes()))?;
    }
    let has_who = who::put(folder, frame)?;
    let has_multiverse = match &declared.multiverse {
        Some(multiverse) => multiverse::put(folder, multiverse, study)?,
        None => false,
    };
    let claims = claim_files::put(folder, &declared, study)?;
    let pitfalls = findings::put(folder, frame, &declared)?;
    readme::put(folder, contents, &declared, &conclude(study, &pitfalls), &pitfalls)?;
    let made =
        [(has_who, who::NAME), (has_multiverse, multiverse::NAME), (!claims.is_empty(), claim_files::NAME)];
    let made = made.iter().filter(|(is_made, _)| *is_made).map(|(_, name)| *name);
    forget_others(folder, TABLES, declared.table_names().chain(made))?;
    forget_others(folder, PLOTS, declared.figures.iter().map(|spec| spec.name.as_str()))?;
    Ok(Found { pitfalls, claims })
}

/// Removes everything that was made of results.
///
/// # Errors
/// When a file cannot be removed.
pub fn withdraw(folder: &Folder) -> Result<(), FolderError> {
    let files = [readme::README, claim_files::FOR_PROGRAMS, claim_files::FOR_READERS, findings::FOR_PROGRAMS];
    files.into_iter().chain([findings::FOR_READERS]).try_for_each(|name| folder.remove(name))?;
    [TABLES, PLOTS].into_iter().try_for_each(|within| forget_others(folder, within, std::iter::empty()))
}

/// Removes the files of what is no longer declared; what is has its name before the ending.
fn forget_others<'a>(
    folder: &Folder,
    within: &str,
    declared: impl Iterator<Item = &'a str>,
) -> Result<(), FolderError> {
    let declared: BTreeSet<&str> = declared.collect();
    folder.keep_only(within, |name| name.rsplit_once('.').is_some_and(|(stem, _)| declared.contains(stem)))
}
