//! Checks the consistency of a mapping.

use super::super::mapping::{At, MappedColumn, Per, TextForm};
use super::super::target::{Comparand, DurationTarget, InstantTarget, To};
use super::Compiler;
use batchlab_traces::located::LocatedError;

impl Compiler<'_> {
    /// Refuses mappings that contradict themselves or do not describe jobs. Each column is described at its place in `begins`.
    pub(super) fn check(&self, columns: &[MappedColumn], begins: &[usize]) -> Result<(), LocatedError> {
        let instants = [InstantTarget::Submit, InstantTarget::Start, InstantTarget::End].map(To::Instant);
        if !instants.iter().any(|to| self.is_used(to)) {
            return Err(self.toml.error(0, "no column goes to submit, start or end"));
        }
        self.twice(columns, begins)?;
        self.same(&To::Instant(InstantTarget::Start), &To::Length(DurationTarget::Wait), "check wait")?;
        for (column, &at) in columns.iter().zip(begins) {
            let error = |what: String| Err(self.toml.error(at, what));
            if let (At::Place(place), Some(most)) = (&column.at, self.layout.exactly) {
                let last = place + column.span;
                if last > most {
                    return error(format!("column `{}` is at {last}, of {most} columns", column.label));
                }
            }
            for target in &column.targets {
                if matches!(target.form, TextForm::Memory(_, Per::Node)) && !self.knows_nodes() {
                    return error("memory per node needs a column that goes to nodes or node_spec".into());
                }
                if target.times.iter().any(|at| matches!(at, At::Name(_)) && !self.layout.heading) {
                    return error("`times` can name columns only if heading = true; give places".into());
                }
                let (wait, run) = (self.is_used(&instants[1]), self.is_used(&instants[2]));
                let known = match target.to {
                    To::Check(Comparand::Wait) => wait,
                    To::Check(Comparand::Run) => run || self.is_used(&To::Length(DurationTarget::Run)),
                    _ => true,
                };
                if !known {
                    return error(format!("nothing to compare the {} with", target.to));
                }
            }
        }
        Ok(())
    }

    fn twice(&self, columns: &[MappedColumn], begins: &[usize]) -> Result<(), LocatedError> {
        for (at, column) in columns.iter().enumerate() {
            if let Some(before) = columns[..at].iter().position(|other| other.at == column.at) {
                let line = self.toml.place(begins[before]).line;
                let what = format!(
                    "column `{}` is described here and on line {line}; use `also` for a second destination",
                    column.label
                );
                return Err(self.toml.error(begins[at], what));
            }
        }
        Ok(())
    }

    /// Refuses two destinations with the same meaning.
    fn same(&self, one: &To, other: &To, check: &str) -> Result<(), LocatedError> {
        let place = |wanted: &To| self.used.iter().find(|(to, _)| to == wanted).map(|(_, span)| span.clone());
        let (Some(one_at), Some(other_at)) = (place(one), place(other)) else { return Ok(()) };
        let line = self.line(&one_at);
        let what = format!("{other} is given here and by {one} on line {line}; make it `{check}`");
        Err(self.error(&other_at, what))
    }
}
