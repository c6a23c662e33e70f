use super::tsafrir::SettingsError;
use crate::finding::Refusal;
use crate::nearest::meant;

/// Why a model cannot generate the requested workload; the message of each variant says what it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // The messages say what each is.
pub enum ModelError {
    #[error("unknown model `{given}`{}; the models are {known}", meant(*nearest))]
    UnknownModel { given: String, nearest: Option<&'static str>, known: String },
    #[error("`{given}` is not a setting: write key=value")]
    NotAPair { given: String },
    #[error("model `{model}` has no parameter `{key}`{}; its parameters are {known}", elsewhere(key, *nearest))]
    UnknownKey { model: &'static str, key: String, nearest: Option<&'static str>, known: String },
    #[error("`{key}={value}`: the value must be {expected}")]
    Value { key: &'static str, value: String, expected: String },
    #[error("`{key}` is set twice")]
    Twice { key: &'static str },
    #[error("`{key}` has no effect with {with}")]
    NoEffect { key: &'static str, with: String },
    #[error("`{key}` is {value}: it must be {expected}")]
    Unfit { key: String, value: f64, expected: String },
    #[error("model `{model}` is fitted to a log: name one (--log FILE)")]
    NoLog { model: &'static str },
    #[error("model `{model}` has its own parameters and is fitted to no log")]
    IdleLog { model: &'static str },
    #[error("nothing can be fitted to the log: {0}")]
    PoorLog(String),
    #[error("a workload needs at least one {0}")]
    Nothing(&'static str),
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
