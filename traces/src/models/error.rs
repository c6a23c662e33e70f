//! Why a model cannot generate the requested workload.

use super::tsafrir::SettingsError;
use crate::finding::Refusal;
use crate::nearest::meant;

/// Why a model cannot generate the requested workload.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// No model of that name.
    #[error("unknown model `{given}`{}; the models are {known}", meant(*nearest))]
    UnknownModel {
        /// The name given.
        given: String,
        /// The most similar name, if any is similar.
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
    #[error("model `{model}` has no parameter `{key}`{}; its parameters are {known}", elsewhere(key, *nearest))]
    UnknownKey {
        /// The model.
        model: &'static str,
        /// The key that was given.
        key: String,
        /// The most similar key, if any is similar.
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
    /// A parameter that has no effect with the other settings.
    #[error("`{key}` has no effect with {with}")]
    NoEffect {
        /// The key.
        key: &'static str,
        /// The setting, given or default, that disables it.
        with: String,
    },
    /// Values that are valid individually but not together.
    #[error("`{key}` is {value}: it must be {expected}")]
    Unfit {
        /// The parameter, possibly one that has its default.
        key: String,
        /// Its value.
        value: f64,
        /// What it must be, given the other values.
        expected: String,
    },
    /// A log is missing for a model that is fitted to a log.
    #[error("model `{model}` is fitted to a log: name one (--log FILE)")]
    NoLog {
        /// The model.
        model: &'static str,
    },
    /// A log was given to a model that takes none.
    #[error("model `{model}` has its own parameters and is fitted to no log")]
    IdleLog {
        /// The model.
        model: &'static str,
    },
    /// A log to which nothing can be fitted.
    #[error("nothing can be fitted to the log: {0}")]
    PoorLog(String),
    /// No job, or no processor.
    #[error("a workload needs at least one {0}")]
    Nothing(&'static str),
    /// An invalid setting of Tsafrir's model.
    #[error(transparent)]
    Estimates(#[from] SettingsError),
    /// The trace refused a header or record; this does not happen with a lenient collection of findings.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Returns where a setting belongs that is no parameter of a model, or the parameter that was probably meant.
fn elsewhere(key: &str, nearest: Option<&str>) -> String {
    match key {
        "jobs" | "procs" | "seed" => format!(" (give it as --{key}, or as a key of the workload)"),
        _ => meant(nearest),
    }
}
