//! Merging several logs into one.

mod header;
mod rows;

use super::context::Env;
use super::error::StepError;
use super::spec::{Param, Step, StepOutput, StepSpec};
use super::work::ShapedTrace;
use crate::citation::Citation;
use crate::header::{ColumnScope, ResourceDeclaration};
use crate::number::counted;
use crate::trace::Trace;

/// The step.
///
/// A column records the log that each job comes from, so that `filter` can recover each log.
pub(super) const SPEC: StepSpec = StepSpec {
    name: "merge",
    summary: "other logs merged into this one in the order of submission",
    cite: Citation::of("batchlab's own", &[]),
    draws: false,
    params: &[
        Param {
            name: "with",
            default: "none",
            takes: "the name of a log, or a list of them",
            help: "the other logs, of any kind that can be read; this is needed",
        },
        Param {
            name: "align",
            default: "zero",
            takes: "zero or calendar",
            help: "what is put at one instant: the zeros of the logs, or their calendars, the earliest start of \
                   which is the zero then",
        },
        Param {
            name: "users",
            default: "apart",
            takes: "apart or same",
            help: "whether equal numbers of users, groups and executables in two logs mean two of them, by adding \
                   one more than the largest number before, or one",
        },
        Param {
            name: "queues",
            default: "apart",
            takes: "apart or same",
            help: "the same for queues and partitions",
        },
        Param {
            name: "machine",
            default: "sum",
            takes: "sum, max or first",
            help: "MaxProcs, MaxNodes and capacities of resources: added up, the largest, or this log's",
        },
        Param {
            name: "numbers",
            default: "renumber",
            takes: "renumber or keep",
            help: "whether jobs are renumbered from 1; otherwise two jobs may have the same number",
        },
        Param {
            name: "source",
            default: "source",
            takes: "a name, or none",
            help: "column that says which log a job comes from: 0 for this one, 1, 2, ... for the others; it is \
                   declared with scope=job and demands nothing",
        },
    ],
    build: |settings| {
        let with = settings.texts("with")?;
        if with.is_empty() {
            return Err(settings.missing("with, the name of another log"));
        }
        let align = [("zero", Align::Zero), ("calendar", Align::Calendar)];
        let numbers = [("apart", Numbers::Apart), ("same", Numbers::Same)];
        let machines = [("sum", Machines::Sum), ("max", Machines::Max), ("first", Machines::First)];
        let source = settings.text("source")?.unwrap_or_else(|| "source".into());
        if source.contains(char::is_whitespace) || source.contains('=') {
            return Err(settings.wrong("source", "one word"));
        }
        Ok(Box::new(Merge {
            with,
            align: settings.word("align", &align)?.unwrap_or(Align::Zero),
            users: settings.word("users", &numbers)?.unwrap_or(Numbers::Apart),
            queues: settings.word("queues", &numbers)?.unwrap_or(Numbers::Apart),
            machine: settings.word("machine", &machines)?.unwrap_or(Machines::Sum),
            renumber: settings.word("numbers", &[("renumber", true), ("keep", false)])?.unwrap_or(true),
            source: Some(source).filter(|name| name != "none"),
        }))
    },
};

struct Merge {
    with: Vec<String>,
    align: Align,
    users: Numbers,
    queues: Numbers,
    machine: Machines,
    renumber: bool,
    source: Option<String>,
}

/// The points in time that are aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Align {
    Zero,
    Calendar,
}

/// The meaning of equal numbers in two logs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Apart,
    Same,
}

/// The machine of the merged logs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Machines {
    Sum,
    Max,
    First,
}

impl Step for Merge {
    fn apply(&self, work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError> {
        let others: Vec<Trace> = self.with.iter().map(|name| env.log(name)).collect::<Result<_, _>>()?;
        let before = work.len();
        let mut merged = rows::merged(self, &work, &others)?;
        if let Some(name) = &self.source {
            let known = merged.work.trace.resource(name).is_some();
            if known {
                return Err(StepError::Unfit(format!(
                    "there is a column `{name}` already; set another `source`"
                )));
            }
            let declaration = ResourceDeclaration {
                name: name.clone(),
                unit: String::new(),
                capacity: None,
                scope: ColumnScope::Job,
            };
            merged.work.trace.set_resource(declaration, merged.sources.iter().copied().collect());
        }
        if self.renumber {
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
