//! Merging several logs into one.

mod header;
mod rows;

use super::settings::values::Word;
use super::{
    Env, Settings, ShapeError, ShapedTrace, Step, StepError, StepOutput, StepSpec, StepText, choices,
    parameters,
};
use crate::header::{ColumnScope, ResourceDeclaration};
use crate::located::values::{OneOrMore, Text};
use crate::number::counted;
use crate::trace::Trace;

/// A column records the log that each job comes from, so that `filter` can recover each log.
pub(super) const SPEC: StepSpec =
    StepSpec::of::<Merge>("merge", "other logs merged into this one in the order of submission");

parameters! {
    struct Merge;
    with: Option<OneOrMore<Text>> = "none", "the name of a log, or a list of them",
        "the other logs, of any kind that can be read; this is needed";
    align: Align = "zero", "zero or calendar",
        "what is put at one instant: the zeros of the logs, or their calendars, the earliest start of which is the zero then";
    users: Numbers = "apart", "apart or same",
        "whether equal numbers of users, groups and executables in two logs mean two of them, by adding one more than \
         the largest number before, or one";
    queues: Numbers = "apart", "apart or same",
        "the same for queues and partitions";
    machine: Machines = "sum", "sum, max or first",
        "MaxProcs, MaxNodes and capacities of resources: added up, the largest, or this log's";
    numbers: JobNumbers = "renumber", "renumber or keep",
        "whether jobs are renumbered from 1; otherwise two jobs may have the same number";
    source: Option<Word> = "source", "a name, or none",
        "column that says which log a job comes from: 0 for this one, 1, 2, ... for the others; it is declared with \
         scope=job and demands nothing";
}

impl StepText for Merge {
    fn step(self, settings: &Settings<'_>) -> Result<Box<dyn Step>, ShapeError> {
        if self.with.is_none() {
            return Err(settings.missing("with, the name of another log"));
        }
        Ok(Box::new(self))
    }
}

choices! {
    /// The points in time that are aligned.
    Align: Zero | Calendar;
    /// The meaning of equal numbers in two logs.
    Numbers: Apart | Same;
    /// Whether jobs get new numbers.
    JobNumbers: Renumber | Keep;
    /// The machine of the merged logs.
    Machines: Sum | Max | First;
}

impl Step for Merge {
    fn apply(&self, work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let others = self.with.iter().flat_map(|with| &with.0).map(|name| env.log(&name.get_ref().0));
        let others: Vec<Trace> = others.collect::<Result<_, _>>()?;
        let before = work.len();
        let mut merged = rows::merged(self, &work, &others)?;
        let source = self.source.as_ref().map_or("source", |source| &source.0);
        if source != "none" {
            if merged.work.trace.resource(source).is_some() {
                return Err(StepError::Unfit(format!(
                    "there is a column `{source}` already; set another `source`"
                )));
            }
            let declaration = ResourceDeclaration::new(source, "", ColumnScope::Job);
            merged.work.trace.set_resource(declaration, merged.sources.iter().copied().collect());
        }
        if self.numbers == JobNumbers::Renumber {
            let sources = &merged.sources;
            merged.work.renumber(|row| sources[row as usize].value as u64);
        }
        for other in others {
            merged.work.trace.findings.extend(other.findings);
        }
        let added = (merged.work.len() - before) as u64;
        let words = format!("added to {}{}", counted(before, "job"), merged.remark);
        Ok(StepOutput::one(merged.work, added, words))
    }
}
