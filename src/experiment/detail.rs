//! What plots of single replays need beyond numbers: made at the time of a replay, kept as JSON.
//!
//! Whatever the number of jobs, a detail is small: the size that each kind states. The same replay gives the same bytes.

pub mod density;
pub mod distribution;
pub mod gantt;
mod pack;
pub mod timeline;
mod used;
pub mod who;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::metrics::Measurement;

/// A kind of detail: one constant in one file, one line in [`DETAILS`].
#[derive(Debug)]
pub struct DetailSpec {
    /// Name, under which it is kept.
    pub name: &'static str,
    /// What it tells, in a sentence.
    pub what: &'static str,
    /// Whether it tells more where the measurement has the journal of the replay.
    pub reads_journal: bool,
    /// Makes it of a replay; `None` when the replay has no jobs. What cannot be told is kept as the reason why.
    pub make: fn(&Measurement<'_>) -> Option<Value>,
}

/// All kinds of details.
pub static DETAILS: &[&DetailSpec] =
    &[&distribution::DISTRIBUTION, &timeline::TIMELINE, &gantt::GANTT, &density::DENSITY, &who::WHO];

/// Returns the kind of a name.
pub fn find(name: &str) -> Option<&'static DetailSpec> {
    DETAILS.iter().copied().find(|spec| spec.name == name)
}

/// A detail, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Recorded<T> {
    Declined { declined: String },
    Made(T),
}

/// Returns a detail, or the reason why there is none, as JSON.
fn recorded<T: Serialize>(detail: Result<T, String>) -> Option<Value> {
    let recorded = match detail {
        Ok(detail) => Recorded::Made(detail),
        Err(declined) => Recorded::Declined { declined },
    };
    serde_json::to_value(recorded).ok()
}

/// Reads a detail back.
///
/// # Errors
/// Why the replay could not tell it, or what is wrong with the JSON.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    if let Some(declined) = value.get("declined").and_then(Value::as_str) {
        return Err(declined.into());
    }
    T::deserialize(value).map_err(|error| format!("the detail of the replay is damaged: {error}"))
}

#[cfg(test)]
pub(crate) mod tests;
