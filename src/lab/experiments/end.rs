//! The end of an experiment: what is written into its folder.

use crate::Registry;
use crate::experiment::Folder;
use crate::experiment::folder::Contents;
use crate::lab::Failure;
use crate::report::tables::Names;
use crate::report::{Declared, NamedTable, Report, publish, put_tables, withdraw};
use crate::study::Study;

/// Generates what there is to generate of a folder: the report, or the tables of a part.
pub fn publish_all(registry: &Registry, folder: &Folder, contents: &Contents) -> Result<(), Failure> {
    if !contents.missing().is_empty() {
        return put_part(folder, contents).map(drop);
    }
    let frame = contents.frame();
    let study = Study::new(&frame);
    Ok(publish(folder, &Report::of(folder, contents, &study, registry.policies())?)?)
}

/// Writes the tables of a folder with missing replays.
pub fn put_part(folder: &Folder, contents: &Contents) -> Result<Vec<NamedTable>, Failure> {
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
