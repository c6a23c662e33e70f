//! The definition of a step.

use super::context::Env;
use super::error::{ShapeError, StepError};
use super::settings::Settings;
use super::work::ShapedTrace;
use crate::citation::Citation;

/// A step: its name, source and parameters, and the function that creates it from a table of the file.
#[derive(Clone, Copy, Debug)]
pub struct StepSpec {
    /// Its name, the `kind` in files.
    pub name: &'static str,
    /// What it does, in one sentence without a full stop.
    pub summary: &'static str,
    /// The publication that it follows, or that defines its convention.
    pub cite: Citation,
    /// Whether some of its settings draw at random; the seed is then recorded.
    pub draws: bool,
    /// Its parameters.
    pub params: &'static [Param],
    /// Creates the step from its settings.
    pub(super) build: fn(&Settings<'_>) -> Result<Box<dyn Step>, ShapeError>,
}

/// A parameter of a step.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// Its value if it is not set, or `none`.
    pub default: &'static str,
    /// The values it accepts, in words.
    pub takes: &'static str,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
}

/// A step with its parameters, ready to be applied.
pub(super) trait Step: Send + Sync {
    /// Shapes a trace.
    fn apply(&self, work: ShapedTrace, env: &Env<'_>) -> Result<StepOutput, StepError>;
}

/// The result of a step.
pub(super) struct StepOutput {
    /// The resulting traces: one, unless the step splits.
    pub parts: Vec<TracePart>,
    /// Whether it split the trace; its parts are then numbered, even a single one.
    pub splits: bool,
    /// The number of jobs it touched.
    pub count: u64,
    /// What happened to them, to follow the count: "of 28,489 jobs left out".
    pub words: String,
    /// Further lines, such as the path of a search.
    pub trail: Vec<String>,
}

/// A resulting trace, with its number among the parts, from 1.
pub(super) struct TracePart {
    pub number: usize,
    pub work: ShapedTrace,
}

impl StepOutput {
    /// Returns the change of a step that yields one trace.
    pub fn one(work: ShapedTrace, count: u64, words: impl Into<String>) -> StepOutput {
        StepOutput {
            parts: vec![TracePart { number: 1, work }],
            splits: false,
            count,
            words: words.into(),
            trail: Vec::new(),
        }
    }
}
