//! What the suite found.

use serde::Serialize;

use super::case::Case;

/// What became of all checks.
#[derive(Clone, Debug, Serialize)]
pub struct ConformanceReport {
    /// The policy.
    pub policy: String,
    /// The one that it was compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// Cases that were there to be tried.
    pub cases: usize,
    /// Seed of the cases.
    pub seed: u64,
    /// The checks.
    pub checks: Vec<CheckReport>,
}

/// What became of one check.
#[derive(Clone, Debug, Serialize)]
pub struct CheckReport {
    /// The check.
    pub name: &'static str,
    /// What it is about, in a sentence.
    pub what: &'static str,
    /// What became of it.
    pub status: Status,
    /// Trials in which it held.
    pub held: usize,
    /// Why others were none.
    pub skipped: Vec<Skip>,
    /// What did not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
}

/// Trials that were none for like reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skip {
    /// The first of these reasons.
    pub why: String,
    /// Their number.
    pub times: usize,
}

/// Whether a check held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It held wherever it was tried, which was somewhere.
    Holds,
    /// It could be tried nowhere.
    Skipped,
    /// It did not hold.
    Failed,
}

/// What does not hold, and where it can be seen.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// What does not hold.
    pub what: String,
    /// The policy's spec there.
    pub policy: String,
    /// The smallest case found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// Commands that show it again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again: Vec<String>,
}

/// A case as files and options.
#[derive(Clone, Debug, Serialize)]
pub struct Witness {
    /// Jobs of the log.
    pub jobs: usize,
    /// The log.
    pub swf: String,
    /// The machine file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// The order of simultaneous events.
    pub events: String,
    /// How jobs that outlive their estimate are read.
    pub overrun: String,
    /// Seed of the replay.
    pub seed: u64,
}

impl ConformanceReport {
    /// Returns the checks that did not hold.
    pub fn failed(&self) -> impl Iterator<Item = &CheckReport> {
        self.with(Status::Failed)
    }

    /// Returns the checks with a status.
    pub fn with(&self, status: Status) -> impl Iterator<Item = &CheckReport> {
        self.checks.iter().filter(move |check| check.status == status)
    }
}

impl CheckReport {
    /// Returns the number of trials that were none.
    pub fn left_out(&self) -> usize {
        self.skipped.iter().map(|skip| skip.times).sum()
    }
}

impl Witness {
    /// Returns a case as what is to be written down.
    pub(super) fn of(case: &Case) -> Option<Witness> {
        Some(Witness {
            jobs: case.records.len(),
            swf: case.swf().ok()?,
            machine: case.machine.clone(),
            events: case.order.to_string(),
            overrun: case.overrun.to_string(),
            seed: case.seed,
        })
    }
}
