//! Tables that an experiment, or another file, declares: those of values, and those of crossings.

use super::Failure;
use crate::analysis::Study;
use crate::experiment::{ExperimentError, Sheet};
use crate::report::compare::{CrossingSpec, Names, TableSpec, crossings, crossings_for_programs, table};
use crate::report::{Table, WriterSpec};

/// A table that is declared.
pub enum Shown {
    /// Values.
    Values(Box<TableSpec>),
    /// Where metrics reach bounds.
    Crossings(CrossingSpec),
}

/// What is shown where no table is declared.
const ALL: &str = "[[table]]\nname = \"results\"\n";

impl Shown {
    /// Reads all tables of a file; where it declares none, everything is one.
    pub fn read_all(text: &str, file: &str, names: &Names) -> Result<Vec<Shown>, Failure> {
        let usage = |error: ExperimentError| Failure::Usage(error.to_string());
        let declared = Shown::declared(text, file, names).map_err(usage)?;
        if declared.is_empty() { Shown::declared(ALL, file, names).map_err(usage) } else { Ok(declared) }
    }

    fn declared(text: &str, file: &str, names: &Names) -> Result<Vec<Shown>, ExperimentError> {
        let sheet = Sheet::new(text, file);
        let parsed = sheet.parse()?;
        let whole = sheet.whole(&parsed);
        let tables = TableSpec::read_all(&whole, names)?;
        let mut shown: Vec<Shown> = tables.into_iter().map(|spec| Shown::Values(Box::new(spec))).collect();
        for section in whole.sections("crossing", "[[crossing]]")? {
            shown.push(Shown::Crossings(CrossingSpec::read(&section, names)?));
        }
        Ok(shown)
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        match self {
            Shown::Values(spec) => &spec.name,
            Shown::Crossings(spec) => &spec.name,
        }
    }

    /// Returns the table in the form that a writer is for: readers or programs.
    pub fn table(&self, names: &Names, study: &Study<'_>, writer: &WriterSpec) -> Table {
        match (self, is_for_programs(writer)) {
            (Shown::Values(spec), false) => table(spec, study),
            (Shown::Values(spec), true) => table(&spec.for_programs(names), study),
            (Shown::Crossings(spec), false) => crossings(spec, study),
            (Shown::Crossings(spec), true) => crossings_for_programs(spec, study),
        }
    }
}

/// Whether programs read what a writer writes.
pub fn is_for_programs(writer: &WriterSpec) -> bool {
    matches!(writer.name, "csv" | "json")
}
