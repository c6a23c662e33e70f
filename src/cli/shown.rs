//! Tables that an experiment, or another file, declares: those of values, and those of crossings.

use std::collections::BTreeSet;

use super::Failure;
use crate::experiment::Folder;
use crate::report::tables::{CrossingSpec, Names, TableSpec, crossings, crossings_for_programs, table};
use crate::report::{Declared, put_crossings, put_table, write_table};
use crate::study::Study;
use crate::table::{Table, WriterSpec};

/// A table that is declared.
pub enum Shown {
    /// Values.
    Values(Box<TableSpec>),
    /// Where metrics reach bounds.
    Crossings(CrossingSpec),
    /// A table that the experiment has without declaring it.
    Undeclared(&'static str, Box<Table>),
}

impl Shown {
    /// Reads all tables of a file; where it declares none, everything is one.
    pub fn read_all(text: &str, file: &str, names: &Names) -> Result<Vec<Shown>, Failure> {
        let declared = Declared::read(text, file, names);
        let Declared { tables, crossings, .. } =
            declared.map_err(|error| Failure::Usage(error.to_string()))?;
        let tables = tables.into_iter().map(|spec| Shown::Values(Box::new(spec)));
        Ok(tables.chain(crossings.into_iter().map(Shown::Crossings)).collect())
    }

    /// Returns tables as text, as `write` writes one. On a terminal each line of a caption stands once.
    pub fn all(
        shown: &[Shown],
        study: &Study<'_>,
        writer: &WriterSpec,
        write: impl Fn(&Table) -> String,
    ) -> String {
        let names = Names::of(study.frame());
        let mut told = BTreeSet::new();
        let text = |shown: &Shown| {
            let mut table = shown.table(&names, study, writer);
            if writer.name == "table" {
                let lines = table.caption.len();
                table.caption.retain(|line| told.insert(line.clone()));
                if table.caption.len() < lines {
                    table.caption.push("else as above".into());
                }
            }
            write(&table)
        };
        shown.iter().map(text).collect::<Vec<_>>().join("\n")
    }

    /// Writes it in every form into the folder of the tables.
    pub fn put(&self, folder: &Folder, study: &Study<'_>) -> Result<(), Failure> {
        Ok(match self {
            Shown::Values(spec) => put_table(folder, spec, study),
            Shown::Crossings(spec) => put_crossings(folder, spec, study),
            Shown::Undeclared(name, table) => write_table(folder, name, table, None),
        }?)
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        match self {
            Shown::Values(spec) => &spec.name,
            Shown::Crossings(spec) => &spec.name,
            Shown::Undeclared(name, _) => name,
        }
    }

    /// Returns the table in the form that a writer is for: readers or programs.
    pub fn table(&self, names: &Names, study: &Study<'_>, writer: &WriterSpec) -> Table {
        match (self, is_for_programs(writer)) {
            (Shown::Values(spec), false) => table(spec, study),
            (Shown::Values(spec), true) => table(&spec.for_programs(names), study),
            (Shown::Crossings(spec), false) => crossings(spec, study),
            (Shown::Crossings(spec), true) => crossings_for_programs(spec, study),
            (Shown::Undeclared(_, table), _) => Table::clone(table),
        }
    }
}

/// Whether programs read what a writer writes.
pub fn is_for_programs(writer: &WriterSpec) -> bool {
    matches!(writer.name, "csv" | "json")
}
