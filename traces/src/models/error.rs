//! Why a model cannot generate what was asked for.

use super::tsafrir::SettingsError;
use crate::finding::Refusal;
use crate::nearest::meant;

/// Why a model cannot generate what was asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// No model of that name.
    #[error("unknown model `{given}`{}; the models are {known}", meant(*nearest))]
    UnknownModel {
        /// What was asked for.
        given: String,
        /// The most similar name, if one is similar.
        nearest: Option<&'static str>,
        /// All names.
        known: String,
    },
    /// A setting without `=`.
    #[error("`{given}` is not a setting: write key=value")]
    NotAPair {
        /// What was given.
        given: String,
    },
    /// A key that the model does not have.
    #[error("model `{model}` has no parameter `{key}`{}; its parameters are {known}", meant(*nearest))]
    UnknownKey {
        /// The model.
        model: &'static str,
        /// The key that was given.
        key: String,
        /// The most similar key, if one is similar.
        nearest: Option<&'static str>,
        /// All keys.
        known: String,
    },
    /// A value outside its range.
    #[error("`{key}={value}`: the value must be {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// The value that was given.
        value: String,
        /// What is accepted.
        expected: String,
    },
    /// A key that was given twice.
    #[error("`{key}` is set twice")]
    Twice {
        /// The key.
        key: &'static str,
    },
    /// A parameter that the other settings leave without a purpose.
    #[error("`{key}` has no effect with {with}")]
    NoEffect {
        /// The key.
        key: &'static str,
        /// The setting, given or default, that makes it idle.
        with: String,
    },
    /// Values that are fine one by one and do not go together.
    #[error("`{key}` is {value}: it must be {expected}")]
    Unfit {
        /// The parameter, possibly one that has its default.
        key: String,
        /// Its value.
        value: f64,
        /// What it must be, given the others.
        expected: String,
    },
    /// A model that is fitted to a log, and no log.
    #[error("model `{model}` is fitted to a log: name one (--log FILE)")]
    NoLog {
        /// The model.
        model: &'static str,
    },
    /// A log for a model that takes none.
    #[error("model `{model}` has its own parameters and is fitted to no log")]
    IdleLog {
        /// The model.
        model: &'static str,
    },
    /// A log that nothing can be fitted to.
    #[error("nothing can be fitted to the log: {0}")]
    PoorLog(String),
    /// No job, or no processor.
    #[error("a workload needs at least one {0}")]
    Nothing(&'static str),
    /// What Tsafrir's model does not know.
    #[error(transparent)]
    Estimates(#[from] SettingsError),
    /// The trace refused a header or record; no lenient collection of findings does.
    #[error(transparent)]
    Refused(#[from] Refusal),
}
