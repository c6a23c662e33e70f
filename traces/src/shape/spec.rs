//! What a step is.

use super::context::Env;
use super::error::{ShapeError, StepError};
use super::settings::Settings;
use super::work::Work;

/// A step: its name, its source, its parameters, and how it is made from a table of the file.
#[derive(Clone, Copy, Debug)]
pub struct StepSpec {
    /// The `kind` it is asked for by.
    pub name: &'static str,
    /// What it does, in one sentence without a full stop.
    pub summary: &'static str,
    /// The publication that it follows, or whose convention it is.
    pub cite: &'static str,
    /// Whether some of its settings draw at random: the seed is recorded then.
    pub draws: bool,
    /// Its parameters.
    pub params: &'static [Param],
    /// Makes the step from what was set.
    pub(super) build: fn(&Settings<'_>) -> Result<Box<dyn Step>, ShapeError>,
}

/// A parameter of a step.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// The value it has when it is not set, or `none`.
    pub default: &'static str,
    /// What values it takes, in words.
    pub takes: &'static str,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
}

/// A step with its parameters, ready to be applied.
pub(super) trait Step: Send + Sync {
    /// Shapes a trace.
    fn apply(&self, work: Work, env: &Env<'_>) -> Result<Change, StepError>;
}

/// What a step made of a trace.
pub(super) struct Change {
    /// The traces that came of it: one, unless it splits.
    pub parts: Vec<Part>,
    /// Whether it split the trace: its parts are numbered then, even a single one.
    pub splits: bool,
    /// How many jobs it touched.
    pub count: u64,
    /// What happened to them, to follow the count: "of 28,489 jobs left out".
    pub words: String,
    /// Further lines, such as the path of a search.
    pub trail: Vec<String>,
}

/// A trace that came of a step, with its number among its siblings, from 1.
pub(super) struct Part {
    pub number: usize,
    pub work: Work,
}

impl Change {
    /// Returns the change of a step that yields one trace.
    pub fn one(work: Work, count: u64, words: impl Into<String>) -> Change {
        Change {
            parts: vec![Part { number: 1, work }],
            splits: false,
            count,
            words: words.into(),
            trail: Vec::new(),
        }
    }
}
