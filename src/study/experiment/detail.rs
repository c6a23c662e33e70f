//! Details: what plots of single replays need beyond the metrics. They are made after a replay and kept as JSON.
//!
//! The kind of a detail bounds its size, whatever the number of jobs. The same replay gives the same bytes.

pub mod accuracy;
pub mod density;
pub mod distribution;
pub mod gantt;
mod pack;
pub mod points;
pub mod promises;
pub mod timeline;
mod used;
pub mod user_sums;
pub mod users;
pub mod who;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::checksums::checksum;
use batchlab_engine::metrics::Measurement;

/// A kind of detail: one constant in one file, its `mod` line, and one line in [`DETAILS`].
#[derive(Debug)]
pub struct DetailSpec {
    pub name: &'static str,
    /// What it contains, in a sentence.
    pub what: &'static str,
    /// Whether it contains more if the measurement has the journal of the replay.
    pub reads_journal: bool,
    /// Makes it from a replay, or from a part of it if the kind has parts; `None` if the replay has no jobs. A detail that
    /// cannot be made is kept as the reason.
    pub make: fn(&Measurement<'_>, Extent) -> Option<Value>,
}

/// The part of a replay that a detail shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Extent {
    #[default]
    Whole,
    /// From one time to another, in seconds after the first submission; without the second, to the end.
    Between(f64, Option<f64>),
    /// Around the submission of the job with this number in the log: these numbers of seconds before and after it.
    Around(i64, f64),
}

#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub spec: &'static DetailSpec,
    pub extent: Extent,
}

impl Wanted {
    pub const fn whole(spec: &'static DetailSpec) -> Wanted {
        Wanted { spec, extent: Extent::Whole }
    }

    pub fn name(&self) -> String {
        let name = self.spec.name;
        match self.extent {
            Extent::Whole => name.into(),
            Extent::Between(from, None) => format!("{name}-from-{from}"),
            Extent::Between(from, Some(to)) => format!("{name}-from-{from}-to-{to}"),
            Extent::Around(job, reach) => format!("{name}-around-{job}-{reach}"),
        }
    }

    pub fn make(&self, measurement: &Measurement<'_>) -> Option<Value> {
        (self.spec.make)(measurement, self.extent)
    }
}

pub static DETAILS: &[&DetailSpec] = &[
    &distribution::DISTRIBUTION,
    &timeline::TIMELINE,
    &gantt::GANTT,
    &density::DENSITY,
    &promises::PROMISES,
    &accuracy::ACCURACY,
    &points::POINTS,
    &users::USERS,
    &user_sums::USER_SUMS,
    &who::WHO,
];

pub fn find(name: &str) -> Option<&'static DetailSpec> {
    DETAILS.iter().copied().find(|spec| spec.name == name)
}

/// Returns a detail, or the reason why there is none, as JSON.
fn recorded<T: Serialize>(detail: Result<T, String>) -> Option<Value> {
    match detail {
        Ok(detail) => serde_json::to_value(detail).ok(),
        Err(reason) => Some(json!({ "declined": reason })),
    }
}

/// What stands before the checksum of a detail, between it and the detail, and behind that.
const SEAL: [&str; 3] = ["{\"checksum\":\"", "\",\"detail\":", "}"];

pub fn sealed(text: &str) -> String {
    let [before, between, behind] = SEAL;
    format!("{before}{}{between}{text}{behind}", checksum(text.as_bytes()))
}

/// Returns the text of a detail as it was written; `None` if it was changed. Older versions gave it no checksum.
pub fn unsealed(text: &str) -> Option<&str> {
    let [before, between, behind] = SEAL;
    let Some(rest) = text.strip_prefix(before) else { return Some(text) };
    let (sum, rest) = rest.split_once(between)?;
    rest.strip_suffix(behind).filter(|detail| checksum(detail.as_bytes()) == sum)
}

/// Reads a detail; the error is the reason why the replay has none, or what is wrong with the JSON.
pub fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    if let Some(declined) = value.get("declined").and_then(Value::as_str) {
        return Err(declined.into());
    }
    T::deserialize(value).map_err(|error| format!("the detail of the replay is damaged: {error}"))
}

#[cfg(test)]
mod tests;
