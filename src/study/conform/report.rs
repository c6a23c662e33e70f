use batchlab_traces::reading::Dependencies;
use serde::Serialize;

use super::case::Case;

#[derive(Clone, Debug, Serialize)]
pub struct ConformanceReport {
    pub policy: String,
    /// The policy with which it was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    pub cases: usize,
    pub seed: u64,
    pub checks: Vec<CheckReport>,
}

#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    pub name: &'static str,
    /// The rule, in a sentence.
    pub what: &'static str,
    pub status: Status,
    /// Number of trials in which it held.
    pub held: usize,
    /// The reasons for skipped trials.
    pub skipped: Vec<Skip>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
}

/// Trials skipped for similar reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skip {
    /// The first of their reasons.
    pub why: String,
    pub times: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It held in every trial, and there was at least one.
    Holds,
    /// It could not be tried on any case.
    Skipped,
    Failed,
}

#[derive(Clone, Debug, Serialize)]
pub struct Found {
    pub what: String,
    pub policy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// Commands that reproduce it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Witness {
    pub jobs: usize,
    pub swf: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calendar: Option<String>,
    /// Further options, with their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    pub events: String,
    pub overrun: String,
    pub seed: u64,
}

impl ConformanceReport {
    pub fn failed(&self) -> impl Iterator<Item = &CheckReport> {
        self.with(Status::Failed)
    }

    pub fn with(&self, status: Status) -> impl Iterator<Item = &CheckReport> {
        self.checks.iter().filter(move |check| check.status == status)
    }
}

impl CheckReport {
    /// Returns the number of skipped trials.
    pub fn left_out(&self) -> usize {
        self.skipped.iter().map(|skip| skip.times).sum()
    }
}

impl Witness {
    pub(super) fn of(case: &Case) -> Option<Witness> {
        Some(Witness {
            jobs: case.records.len(),
            swf: case.swf().ok()?,
            machine: case.machine.clone(),
            calendar: case.calendar.clone(),
            options: options(case),
            events: case.order.to_string(),
            overrun: case.overrun.to_string(),
            seed: case.seed,
        })
    }
}

/// Returns the options of a case that are not those of a plain replay.
fn options(case: &Case) -> Vec<String> {
    let told = [
        ("--foresight", case.calendar.as_ref().map(|_| case.foresight.to_string())),
        ("--dependencies", (case.dependencies == Dependencies::Log).then(|| "log".into())),
        ("--layout", case.layout.map(|layout| layout.to_string())),
    ];
    told.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?])).flatten().collect()
}
