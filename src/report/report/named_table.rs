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
            TableSource::Who => (undeclared(who::table(folder, frame)?, declared), None),
            TableSource::Claims if declared.claims.is_empty() => return None,
            TableSource::Claims => (undeclared(claims::table(&declared.check(study), frame), declared), None),
            TableSource::Readings => {
                (undeclared(declared.multiverse.as_ref()?.table(study)?, declared), None)
            }
        };
        Some(NamedTable::new(self.name(), for_readers, for_programs))
    }
}

/// Returns a table that no declaration lays out, with the size and the place of conditions that declared tables have.
fn undeclared(mut table: Table, declared: &Declared) -> Table {
    table.paper.conditions = Conditions::File;
    table.paper.width = declared.size;
    table
}

impl NamedTable {
    /// Names a table; its label in LaTeX is `tab:` and the name.
    pub fn new(name: &str, mut for_readers: Table, for_programs: Option<Table>) -> NamedTable {
        for_readers.paper.label = format!("tab:{name}");
        NamedTable { name: name.to_owned(), for_readers, for_programs }
    }

    /// Gives the tables of an experiment the same sign for the same footnote.
    pub fn share_signs<'a>(tables: impl IntoIterator<Item = &'a mut NamedTable>) {
        Table::share_signs(tables.into_iter().map(|table| &mut table.for_readers));
    }

    /// Returns the table that a writer should write: for readers or for programs.
    pub fn table_for(&self, writer: &WriterSpec) -> &Table {
        self.for_programs.as_ref().filter(|_| writer.for_programs).unwrap_or(&self.for_readers)
    }
}
