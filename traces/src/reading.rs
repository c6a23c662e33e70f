//! The rules for reading a log as jobs to replay: every choice by name, with its default.

use crate::layout::LayoutRule;
use crate::nearest::{meant, synonym};
use crate::notation::duration::DurationDialect;
use crate::time::Time;

mod estimate;
mod no_limit;

pub use estimate::Estimate;
pub use no_limit::{NoLimit, PartitionLimits, YEAR};

/// Which of the two recorded sizes a rigid job has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// Requested processors (SWF field 8), otherwise allocated ones.
    #[default]
    Requested,
    /// Allocated processors (field 5), otherwise requested ones.
    Allocated,
}

/// What happens to a job that ran longer than its estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overrun {
    /// The estimate becomes the run time: the recorded work is preserved.
    #[default]
    Raise,
    /// The run time becomes the estimate: the job ends at its limit.
    Kill,
    /// Both stay: an overdue job is expected to end at any moment.
    Overdue,
}

/// Which memory a job holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Requested (field 10), otherwise used.
    #[default]
    Requested,
    /// Used (field 7), otherwise requested.
    Used,
}

/// What happens to jobs that were running when the log was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Running {
    /// They are dropped: it is unknown how long they ran.
    #[default]
    Drop,
    /// They run until their limit, or for as long as they had run if that is longer. Jobs without a limit run until the one that
    /// counts instead ([`NoLimit`]); jobs whose limit the log does not state are dropped.
    Limit,
    /// All jobs that had not ended run until their limit, those that waited, too. If the log does not state the limit of a job, it
    /// has the one of jobs that ask for none ([`NoLimit`]).
    All,
}

/// From when a job waits in the queue, if the log states when it became eligible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueFrom {
    /// From its submission, as if it had been eligible at once.
    Submit,
    /// From when it became eligible: held, dependent and postponed jobs cannot start earlier.
    #[default]
    Eligible,
}

/// Whether jobs wait for the jobs that they depend on in the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dependencies {
    /// No: they enter the queue at the instants of the log.
    #[default]
    Ignore,
    /// Yes: they enter the queue when the replay has met their dependencies.
    Log,
}

/// What happens to jobs that were cancelled before they started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cancel {
    /// They are dropped, since they have no run time.
    #[default]
    Ignore,
    /// They wait, and leave as long after their entry into the queue as in the log.
    Log,
}

/// What happens to the runs of a job that was put back into the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Requeues {
    /// Each run is a job.
    #[default]
    Each,
    /// The job is as long as its last run.
    Last,
    /// The job is as long as all its runs together.
    Sum,
}

/// The rules by which the rows of a trace become jobs to replay.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub size: Size,
    /// The estimate that the scheduler gets.
    pub estimate: Estimate,
    pub no_limit: NoLimit,
    pub overrun: Overrun,
    pub memory: Memory,
    pub running: Running,
    pub queue_from: QueueFrom,
    pub dependencies: Dependencies,
    pub cancel: Cancel,
    /// Only jobs with one of these values in field 11; empty for all.
    pub statuses: Vec<i64>,
    pub drop_zero_run: bool,
    /// Factor of the offered load: submit times, counted from the first, are divided by it.
    pub load: f64,
    /// Factor of run times and requested times.
    pub scale_run: f64,
    pub layout: LayoutRule,
    /// Seed of all draws (Φ, Tsafrir's model).
    pub seed: u64,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading {
            size: Size::default(),
            estimate: Estimate::default(),
            no_limit: NoLimit::default(),
            overrun: Overrun::default(),
            memory: Memory::default(),
            running: Running::default(),
            queue_from: QueueFrom::default(),
            dependencies: Dependencies::default(),
            cancel: Cancel::default(),
            statuses: Vec::new(),
            drop_zero_run: false,
            load: 1.0,
            scale_run: 1.0,
            layout: LayoutRule::default(),
            seed: 1,
        }
    }
}

/// A value that an option does not accept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not one of {expected}{}", meant(synonym(given, expected.split(", "))))]
pub struct UnknownValue {
    given: String,
    expected: &'static str,
}

impl UnknownValue {
    /// Returns the error of a value, with the list of accepted ones.
    pub fn new(given: &str, expected: &'static str) -> UnknownValue {
        UnknownValue { given: given.into(), expected }
    }
}

/// Gives an enum of plain words its `FromStr` and `Display`.
macro_rules! words {
    ($kind:ident: $expected:literal, $($variant:ident $word:literal),+) => {
        impl std::str::FromStr for $kind {
            type Err = $crate::reading::UnknownValue;
            fn from_str(text: &str) -> Result<$kind, $crate::reading::UnknownValue> {
                match text {
                    $($word => Ok($kind::$variant),)+
                    _ => Err($crate::reading::UnknownValue::new(text, $expected)),
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($kind::$variant => $word,)+ })
            }
        }
    };
}

pub(crate) use words;

words!(Size: "requested, allocated", Requested "requested", Allocated "allocated");
words!(Overrun: "raise, kill, overdue", Raise "raise", Kill "kill", Overdue "overdue");
words!(Running: "drop, limit, all", Drop "drop", Limit "limit", All "all");
words!(QueueFrom: "submit, eligible", Submit "submit", Eligible "eligible");
words!(Cancel: "ignore, log", Ignore "ignore", Log "log");
words!(Requeues: "each, last, sum", Each "each", Last "last", Sum "sum");
words!(Dependencies: "ignore, log", Ignore "ignore", Log "log");
words!(Memory: "requested, used", Requested "requested", Used "used");

/// Parses a duration: seconds, or a number with the unit `s`, `m`, `h`, `d` or `w`.
///
/// # Errors
/// When the text is not a non-negative number with one of these units, or longer than [`Time::FARTHEST`].
pub fn parse_duration(text: &str) -> Result<Time, UnknownValue> {
    DurationDialect::Unit
        .length(text.as_bytes())
        .ok_or_else(|| UnknownValue::new(text, "a time such as 90, 90s, 15m, 4h, 14d, 2w"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_prints_as_it_is_written() {
        for text in ["raise", "kill", "overdue"] {
            assert_eq!(text.parse::<Overrun>().unwrap().to_string(), text);
        }
        for text in ["drop", "limit", "all"] {
            assert_eq!(text.parse::<Running>().unwrap().to_string(), text);
        }
        for text in ["submit", "eligible"] {
            assert_eq!(text.parse::<QueueFrom>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn durations_carry_units() {
        assert_eq!(parse_duration("14d"), Ok(Time::from_secs(14 * 86_400)));
        assert_eq!(parse_duration("1.5h"), Ok(Time::from_secs(5400)));
        assert_eq!(parse_duration("90"), Ok(Time::from_secs(90)));
        assert_eq!(parse_duration("10min"), parse_duration("10m"));
        assert_eq!(parse_duration("250ms"), Ok(Time::from_ticks(250_000)));
        assert_eq!(parse_duration("2e1s"), Ok(Time::from_secs(20)));
        for wrong in ["-1s", "", "s", "5 apples", "5KB", "5ss", "NaN", "inf", "1e13", "4000000w"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
