//! What a score is computed from.

use super::sight::Sight;
use crate::view::JobView;

/// What a score is computed from; times in seconds.
pub struct Subject<'a> {
    pub wait: f64,
    pub estimate: f64,
    pub procs: f64,
    /// Submit time from the origin.
    pub submit: f64,
    pub log0: Log0,
    pub job: JobView<'a>,
    pub sight: &'a Sight,
}

/// What the logarithm of a submit time is at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Log0 {
    One,
    Tenth,
    PlusOne,
}

impl Log0 {
    /// Returns the rule of a word; the default for any other.
    pub fn from_word(word: &str) -> Log0 {
        match word {
            "tenth" => Log0::Tenth,
            "plus-one" => Log0::PlusOne,
            _ => Log0::One,
        }
    }
}

impl Subject<'_> {
    /// The estimate where it divides or is taken the logarithm of: at least one second.
    pub fn r(&self) -> f64 {
        self.estimate.max(1.0)
    }

    /// The logarithm of the submit time, under the rule for zero.
    pub fn log_submit(&self) -> f64 {
        match self.log0 {
            Log0::One => self.submit.max(1.0),
            Log0::Tenth => self.submit.max(0.1),
            Log0::PlusOne => self.submit.max(0.0) + 1.0,
        }
        .log10()
    }
}

/// Returns the memory over all processors (Setia and others do not say whether theirs is per processor); jobs that tell
/// none come last.
pub fn memory(subject: &Subject<'_>) -> f64 {
    let amount = match subject.sight.memory {
        Some(kind) => Some(subject.job.demand()[kind]),
        None => subject.job.told_memory(),
    };
    amount.map_or(f64::INFINITY, |amount| amount as f64)
}

/// Returns what the job's user holds or has used, by what the order watches. All jobs of no known user are one user's.
pub fn of_user(subject: &Subject<'_>) -> f64 {
    subject.sight.users.get(&subject.job.user().max(-1)).copied().unwrap_or(0.0)
}

/// Returns how badly the job packs: its alignment, largest first, and its work, least first, as it weighs.
pub fn packing(subject: &Subject<'_>) -> f64 {
    let alignment = subject.sight.alignment(subject.job);
    if subject.sight.work_weight == 0.0 {
        return -alignment;
    }
    subject.sight.work_weight * subject.sight.size(subject.job) * subject.r() - alignment
}
