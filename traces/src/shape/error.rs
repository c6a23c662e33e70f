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

#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepFault {
    #[error("{0}")]
    Text(String),
    #[error("a step needs a kind, such as kind = \"window\"; the kinds are {known}")]
    NoKind { known: String },
    #[error("unknown step `{given}`{}; the steps are {known}", meant(nearest.as_deref()))]
    UnknownStep { given: String, nearest: Option<String>, known: String },
    #[error("step `{step}` needs {needs}")]
    Missing { step: &'static str, needs: String },
    #[error("`{key}` has no effect with {with}")]
    NoEffect { key: String, with: String },
    #[error("step `{step}`: {error}")]
    Step { step: &'static str, error: StepError },
}

/// Why a step cannot be applied to a trace.
#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    #[error("{0}")]
    Log(String),
    #[error("{0}")]
    Measure(String),
    #[error("{text}")]
    Expression { place: SourcePlace, text: String },
    #[error("none of {0} jobs is left")]
    NothingLeft(usize),
    #[error("it needs a calendar, and the header has no UnixStartTime; {0}")]
    NoCalendar(&'static str),
    #[error("{0}")]
    Unfit(String),
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
