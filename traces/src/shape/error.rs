//! Why steps cannot be read or applied.

use crate::finding::{Refusal, SourcePlace};
use crate::located::LocatedError;
use crate::nearest::meant;

/// Why a file of steps cannot be used, and where in it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct ShapeError {
    /// File, line and column.
    pub place: SourcePlace,
    /// The fault.
    pub fault: StepFault,
}

/// The fault of a step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepFault {
    /// The file is not TOML, has an unknown key, or a value is not as expected.
    #[error("{0}")]
    Text(String),
    /// A step without a kind.
    #[error("a step needs a kind, such as kind = \"window\"; the kinds are {known}")]
    NoKind {
        /// All kinds.
        known: String,
    },
    /// An unknown kind.
    #[error("unknown step `{given}`{}; the steps are {known}", meant(nearest.as_deref()))]
    UnknownStep {
        /// What was given.
        given: String,
        /// The most similar name, if one is similar.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// A required parameter is missing.
    #[error("step `{step}` needs {needs}")]
    Missing {
        /// The step.
        step: &'static str,
        /// What is missing, in words.
        needs: String,
    },
    /// A parameter that has no effect with the others.
    #[error("`{key}` has no effect with {with}")]
    NoEffect {
        /// The parameter.
        key: String,
        /// The parameter that disables it, or its value.
        with: String,
    },
    /// The step could not be applied.
    #[error("step `{step}`: {error}")]
    Step {
        /// The step.
        step: &'static str,
        /// Why.
        error: StepError,
    },
}

/// Why a step cannot be applied to a trace.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// Another log could not be read.
    #[error("{0}")]
    Log(String),
    /// A measurement failed.
    #[error("{0}")]
    Measure(String),
    /// An expression that is not valid for this trace.
    #[error("{text}")]
    Expression {
        /// The place of the expression.
        place: SourcePlace,
        /// What is wrong with it.
        text: String,
    },
    /// No job is left.
    #[error("none of {0} jobs is left")]
    NothingLeft(usize),
    /// The log's header has no start time.
    #[error("it needs a calendar, and the header has no UnixStartTime; {0}")]
    NoCalendar(&'static str),
    /// The trace lacks what the step needs.
    #[error("{0}")]
    Unfit(String),
    /// Strict reading refused a finding.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl StepFault {
    pub(super) fn no_effect(key: &str, with: &str) -> StepFault {
        StepFault::NoEffect { key: key.into(), with: with.into() }
    }
}

impl From<LocatedError> for ShapeError {
    fn from(error: LocatedError) -> ShapeError {
        ShapeError { place: error.place, fault: StepFault::Text(error.what) }
    }
}

impl ShapeError {
    /// Whether the file of steps is at fault, rather than the log.
    pub fn is_usage(&self) -> bool {
        match &self.fault {
            StepFault::Step { error, .. } => matches!(error, StepError::Expression { .. }),
            _ => true,
        }
    }
}
