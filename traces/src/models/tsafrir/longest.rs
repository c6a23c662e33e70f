//! The longest estimate that a site allows, if the user does not state it.

use std::fmt;

use super::LEAST_MAX;
use crate::{Field, Time, Trace};

/// The source of the longest estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Longest {
    /// The user.
    Given,
    /// `MaxRuntime` of the header.
    Header,
    /// The longest requested time of the log.
    Request,
    /// The longest run time of the log, rounded up to whole hours.
    Run,
}

/// Writes the source, to end the sentence "the longest is ..., ...".
impl fmt::Display for Longest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Longest::Given => "as given",
            Longest::Header => "MaxRuntime of the header",
            Longest::Request => "the longest requested time",
            Longest::Run => "the longest run time in whole hours",
        })
    }
}

/// Returns the longest estimate of a log, at least an hour, and its source: the header's `MaxRuntime`,
/// otherwise the longest requested time, otherwise the longest run time rounded up to whole hours. O(n).
pub fn longest_of(trace: &Trace) -> (Time, Longest) {
    let longest =
        |field| (0..trace.len()).map(|row| trace.time(row, field)).max().filter(|&time| time > Time::ZERO);
    let header = trace.header.max_runtime.filter(|&seconds| seconds > 0).map(Time::from_secs);
    let (time, by) = if let Some(time) = header {
        (time, Longest::Header)
    } else if let Some(time) = longest(Field::RequestedTime) {
        (time, Longest::Request)
    } else {
        (whole_hours(longest(Field::Run).unwrap_or(LEAST_MAX)), Longest::Run)
    };
    (time.max(LEAST_MAX).min(Time::FARTHEST), by)
}

/// Rounds up to whole hours, at least one.
pub fn whole_hours(time: Time) -> Time {
    let hour = LEAST_MAX.ticks();
    let rest = time.ticks().rem_euclid(hour);
    let up = if rest == 0 { time } else { time.saturating_add(Time::from_ticks(hour - rest)) };
    up.max(LEAST_MAX)
}
