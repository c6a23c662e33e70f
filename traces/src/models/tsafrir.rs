//! The model of user run-time estimates of Tsafrir, Etsion and Feitelson 2005.
//!
//! Users request few, round values, most often the maximum. The model makes a histogram of such values
//! ([`histogram`]) and assigns them to jobs so that no job runs longer than its estimate ([`estimates`]).

mod assign;
mod head;
mod longest;
mod shares;
mod tail;

use crate::{Citation, Time};
pub use assign::{AssignedEstimates, estimates};
pub use longest::{Longest, longest_of, whole_hours};
pub use shares::Distinct;

/// The source of the model.
pub const CITE: Citation = Citation::of(
    "Tsafrir, Etsion and Feitelson, Modeling user runtime estimates, JSSPP 2005 (LNCS 3834), \
                        and the authors' program",
    &["tsafrir05"],
);

/// The least maximum that the model supports.
pub const LEAST_MAX: Time = Time::from_secs(3600);

/// The site's parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SiteParameters {
    /// The longest estimate allowed, at least an hour; fractions of a second are truncated.
    pub max: Time,
    /// The number of different values.
    pub distinct: Distinct,
    /// The share of the jobs that request the maximum, from 0 to 0.89, if known.
    pub share_of_max: Option<f64>,
}

impl SiteParameters {
    /// Returns the model's default settings for a maximum.
    pub fn new(max: Time) -> SiteParameters {
        SiteParameters { max, distinct: Distinct::Interpolated, share_of_max: None }
    }
}

#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    #[error("the longest estimate is {0} s: it must be 3600 s or more")]
    Max(Time),
    #[error("there must be one value or more")]
    Distinct,
    #[error("the share of the longest estimate is {0}: it must be from 0 to 0.89")]
    Share(f64),
}

/// Returns the histogram of the estimates of `jobs` jobs: values, longest first, each with its number of
/// jobs. O(K log K + n) for K different values.
pub fn histogram(
    jobs: usize,
    settings: &SiteParameters,
    seed: u64,
) -> Result<Vec<(Time, u64)>, SettingsError> {
    if settings.max < LEAST_MAX || settings.max > Time::FARTHEST {
        return Err(SettingsError::Max(settings.max));
    }
    if settings.distinct == Distinct::Exactly(0) {
        return Err(SettingsError::Distinct);
    }
    if let Some(share) = settings.share_of_max.filter(|share| !(0.0..=0.89).contains(share)) {
        return Err(SettingsError::Share(share));
    }
    let mut random = crate::seed::stream(seed, "tsafrir histogram");
    let seconds = settings.max.ticks() / crate::time::TICKS_PER_SECOND;
    let distinct = settings.distinct.of(jobs);
    let head_times = head::times(seconds);
    let tail_times = tail::times(seconds, &head_times, distinct.saturating_sub(head_times.len()), distinct);
    let head = head::popularity(&head_times, distinct, &tail_times, settings.share_of_max, &mut random);
    let tail = tail::popularity(&tail_times, &mut random);
    let shares: Vec<(i64, f64)> = head.into_iter().chain(tail).collect();
    let mut bins = shares::counts(&shares, jobs as u64);
    bins.sort_unstable_by_key(|&(time, _)| std::cmp::Reverse(time));
    Ok(bins.into_iter().map(|(time, count)| (Time::from_secs(time), count)).collect())
}

#[cfg(test)]
mod tests;
