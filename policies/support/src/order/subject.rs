use super::sight::Sight;
use crate::view::JobView;
use crate::words;

/// The inputs of a score; times in seconds.
pub struct Subject<'a> {
    pub wait: f64,
    pub estimate: f64,
    pub procs: f64,
    /// Submit time since the origin.
    pub submit: f64,
    pub log0: Log0,
    pub job: JobView<'a>,
    pub sight: &'a Sight,
}

/// The value of the logarithm of a submit time at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Log0 {
    One,
    Tenth,
    PlusOne,
}

words!(Log0 { One = "one", Tenth = "tenth", PlusOne = "plus-one" });

impl Subject<'_> {
    /// The estimate as a divisor or argument of a logarithm: at least one second.
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

/// Returns the memory over all processors (Setia and others do not say whether theirs is per processor);
/// jobs of unknown memory come last.
pub fn memory(subject: &Subject<'_>) -> f64 {
    let amount = match subject.sight.memory {
        Some(kind) => Some(subject.job.demand()[kind]),
        None => subject.job.told_memory(),
    };
    amount.map_or(f64::INFINITY, |amount| amount as f64)
}

/// Returns the holdings or the usage of the job's user, as the order requires.
pub fn of_user(subject: &Subject<'_>) -> f64 {
    subject.sight.of_user(subject.job.user())
}

/// Returns how badly the job packs: its weighted work minus its alignment. The lowest score is served first.
pub fn packing(subject: &Subject<'_>) -> f64 {
    let alignment = subject.sight.alignment(subject.job);
    if subject.sight.work_weight == 0.0 {
        return -alignment;
    }
    subject.sight.work_weight * subject.sight.size(subject.job) * subject.r() - alignment
}
