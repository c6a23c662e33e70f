//! A table of a report: one form for readers, and one for programs with a row for each value.

use super::tables::{
    CrossingSpec, Names, TableKind, TableSpec, crossings, crossings_for_programs, pareto, table, users,
};
use super::{Declared, claims, multiverse, who};
use batchlab_engine::table::{Conditions, Table, WriterSpec};
use batchlab_study::experiment::Folder;
use batchlab_study::study::Study;

/// A table with the name of its files.
#[derive(Clone, Debug)]
pub struct NamedTable {
    pub name: String,
    /// The table for readers.
    pub for_readers: Table,
    /// The table for programs, if it differs.
    pub for_programs: Option<Table>,
}

/// The source of a table, known before the table is made.
#[derive(Clone, Debug)]
pub enum TableSource<'a> {
    /// Values that the experiment declares.
    Values(&'a TableSpec),
    /// Crossings that the experiment declares.
    Crossings(&'a CrossingSpec),
    /// The users, weeks and jobs that make the means.
    Who,
    /// The verdicts on the claims.
    Claims,
    /// The number of readings that each conclusion survives.
    Readings,
}

impl TableSource<'_> {
    pub fn name(&self) -> &str {
        match self {
            TableSource::Values(spec) => &spec.name,
            TableSource::Crossings(spec) => &spec.name,
            TableSource::Who => who::NAME,
            TableSource::Claims => claims::NAME,
            TableSource::Readings => multiverse::NAME,
        }
    }

    /// Makes the table; `None` if there is nothing to show.
    pub fn make(&self, folder: &Folder, declared: &Declared, study: &Study<'_>) -> Option<NamedTable> {
        let frame = study.frame();
        let (for_readers, for_programs) = match self {
            TableSource::Values(spec) if spec.kind.is_of_users() => (users(spec, study, folder), None),
            TableSource::Values(spec) if spec.kind == TableKind::Pareto => (pareto(spec, study), None),
            TableSource::Values(spec) => {
                (table(spec, study), Some(table(&spec.for_programs(&Names::of(frame)), study)))
            }
            TableSource::Crossings(spec) => {
                (crossings(spec, study), Some(crossings_for_programs(spec, study)))
            }
            TableSource::Who => (with_notes_in_file(who::table(folder, frame)?), None),
            TableSource::Claims if declared.claims.is_empty() => return None,
            TableSource::Claims => (with_notes_in_file(claims::table(&declared.check(study), frame)), None),
            TableSource::Readings => (with_notes_in_file(declared.multiverse.as_ref()?.table(study)?), None),
        };
        Some(NamedTable::new(self.name(), for_readers, for_programs))
    }
}

/// Returns a table that no declaration lays out, with its conditions where declared tables have theirs.
fn with_notes_in_file(mut table: Table) -> Table {
    table.paper.conditions = Conditions::File;
    table
}

impl NamedTable {
    /// Names a table; its label in LaTeX is `tab:` and the name.
    pub fn new(name: &str, mut for_readers: Table, for_programs: Option<Table>) -> NamedTable {
        for_readers.paper.label = format!("tab:{name}");
        NamedTable { name: name.to_owned(), for_readers, for_programs }
    }

    /// Returns the table that a writer should write: for readers or for programs.
    pub fn table_for(&self, writer: &WriterSpec) -> &Table {
        self.for_programs.as_ref().filter(|_| writer.for_programs).unwrap_or(&self.for_readers)
    }
}
