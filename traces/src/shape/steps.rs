mod apply;
mod read;

use super::{Context, ShapeError, Step, StepSpec};
use crate::{SourcePlace, Trace};

/// Steps, read and checked, to be applied in order.
pub struct Steps(Vec<Planned>);

struct Planned {
    spec: &'static StepSpec,
    /// Its parameters as set.
    detail: String,
    place: SourcePlace,
    /// Its position among the steps of its kind, from 1.
    ordinal: usize,
    step: Box<dyn Step>,
}

/// The result of shaping a trace.
pub struct Shaped {
    /// The logs, in order: one, unless a step splits.
    pub logs: Vec<ShapedLog>,
    /// The reports of the steps, in order; a step after a split has one report for each part.
    pub reports: Vec<ShapingReport>,
}

/// A resulting log.
pub struct ShapedLog {
    /// The numbers of its parts, such as `02` or `02-01`; empty if no step split.
    pub part: String,
    /// The log.
    pub trace: Trace,
}

#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapingReport {
    pub step: &'static str,
    pub detail: String,
    /// The part that it worked on; empty for a whole trace.
    pub part: String,
    pub count: u64,
    /// What happened to them, to follow the count.
    pub words: String,
    /// Further lines, such as the path of a search.
    pub trail: Vec<String>,
}

impl Steps {
    /// Reads a file of steps; `file` is its name, for errors.
    pub fn parse(text: &str, file: &str) -> Result<Steps, ShapeError> {
        read::steps(text, file).map(Steps)
    }

    /// Whether the result is more than one trace.
    pub fn splits(&self) -> bool {
        self.0.iter().any(|planned| planned.spec.name == super::split::SPEC.name)
    }

    /// Returns the names of the steps that may draw random numbers.
    pub fn drawing(&self) -> Vec<&'static str> {
        self.0.iter().filter(|planned| planned.spec.draws).map(|planned| planned.spec.name).collect()
    }

    /// Applies the steps in their order.
    ///
    /// The same trace, seed and context give the same logs. Every step is recorded in the provenance and as a
    /// `Note` of the header, with its parameters and its count.
    pub fn apply(&self, trace: Trace, context: &Context<'_>) -> Result<Shaped, ShapeError> {
        apply::steps(&self.0, trace, context)
    }
}

/// Writes "filter: 1,203 of 28,489 jobs left out (keep="procs > 1")", and the further lines, indented.
impl std::fmt::Display for ShapingReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ShapingReport { step, detail, part, count, words, trail } = self;
        let part = if part.is_empty() { String::new() } else { format!(" [{part}]") };
        let detail = if detail.is_empty() { String::new() } else { format!(" ({detail})") };
        write!(f, "{step}{part}: {} {words}{detail}", crate::number::grouped(*count))?;
        trail.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}
