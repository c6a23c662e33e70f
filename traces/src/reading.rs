//! How a log is read as jobs to replay: every choice by name, with its default.

use std::fmt;
use std::str::FromStr;

use crate::time::Time;

/// Which of the two recorded sizes a rigid job has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// Requested processors (SWF field 8), else allocated ones: what the user asked for.
    #[default]
    Requested,
    /// Allocated processors (field 5), else requested ones.
    Allocated,
}

/// What a scheduler is told about a job's run time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Estimate {
    /// The user's request (field 9), else the run time.
    #[default]
    Requested,
    /// The run time itself: a clairvoyant twin.
    Actual,
    /// Zhang et al. 2000, section 4.2: with probability Φ exact, else run · (1−Φ)/(1−y), y uniform.
    Phi(f64),
    /// A multiple of the run time.
    Factor(f64),
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
    /// Requested (field 10), else used.
    #[default]
    Requested,
    /// Used (field 7), else requested.
    Used,
}

/// The rules by which the rows of a trace become jobs to replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Which size.
    pub size: Size,
    /// What the scheduler is told.
    pub estimate: Estimate,
    /// What happens to overruns.
    pub overrun: Overrun,
    /// Which memory.
    pub memory: Memory,
    /// Only jobs with one of these values in field 11; empty for all.
    pub statuses: Vec<i64>,
    /// Leave out jobs with a run time of zero.
    pub drop_zero_run: bool,
    /// Offered load × F: submit times, counted from the first, are divided by F.
    pub load: f64,
    /// Run times and requested times × F.
    pub scale_run: f64,
    /// Seed of all draws (Φ).
    pub seed: u64,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading {
            size: Size::default(),
            estimate: Estimate::default(),
            overrun: Overrun::default(),
            memory: Memory::default(),
            statuses: Vec::new(),
            drop_zero_run: false,
            load: 1.0,
            scale_run: 1.0,
            seed: 1,
        }
    }
}

/// A value that an option does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not one of {expected}")]
pub struct UnknownValue {
    given: String,
    expected: &'static str,
}

impl UnknownValue {
    /// Returns the error for a value and the list of right ones.
    pub fn new(given: &str, expected: &'static str) -> UnknownValue {
        UnknownValue { given: given.into(), expected }
    }
}

/// Gives an enum of plain words its `FromStr` and `Display`.
macro_rules! words {
    ($kind:ident: $expected:literal, $($variant:ident $word:literal),+) => {
        impl FromStr for $kind {
            type Err = UnknownValue;
            fn from_str(text: &str) -> Result<$kind, UnknownValue> {
                match text {
                    $($word => Ok($kind::$variant),)+
                    _ => Err(UnknownValue::new(text, $expected)),
                }
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($kind::$variant => $word,)+ })
            }
        }
    };
}

words!(Size: "requested, allocated", Requested "requested", Allocated "allocated");
words!(Overrun: "raise, kill, overdue", Raise "raise", Kill "kill", Overdue "overdue");
words!(Memory: "requested, used", Requested "requested", Used "used");

impl FromStr for Estimate {
    type Err = UnknownValue;
    fn from_str(text: &str) -> Result<Estimate, UnknownValue> {
        let expected = "requested, actual, phi:X (0 <= X < 1), factor:X (0 < X <= 1000000)";
        let error = || UnknownValue::new(text, expected);
        match text.split_once(':') {
            None if text == "requested" => Ok(Estimate::Requested),
            None if text == "actual" => Ok(Estimate::Actual),
            Some((kind, number)) => {
                let number: f64 = number.parse().map_err(|_| error())?;
                match kind {
                    "phi" if (0.0..1.0).contains(&number) => Ok(Estimate::Phi(number)),
                    "factor" if number > 0.0 && number <= 1e6 => Ok(Estimate::Factor(number)),
                    _ => Err(error()),
                }
            }
            None => Err(error()),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Estimate::Requested => f.write_str("requested"),
            Estimate::Actual => f.write_str("actual"),
            Estimate::Phi(phi) => write!(f, "phi:{phi}"),
            Estimate::Factor(factor) => write!(f, "factor:{factor}"),
        }
    }
}

/// Parses a length of time: seconds, or a number with the unit `s`, `m`, `h`, `d` or `w`.
///
/// # Errors
/// When the text is not a non-negative number with one of these units, or longer than [`Time::FARTHEST`].
pub fn parse_duration(text: &str) -> Result<Time, UnknownValue> {
    let error = || UnknownValue::new(text, "a time such as 90, 90s, 15m, 4h, 14d, 2w");
    let (number, unit) = match text.char_indices().last() {
        Some((at, last)) if last.is_ascii_alphabetic() => (&text[..at], last),
        _ => (text, 's'),
    };
    let seconds = match unit {
        's' => 1.0,
        'm' => 60.0,
        'h' => 3600.0,
        'd' => 86_400.0,
        'w' => 604_800.0,
        _ => return Err(error()),
    };
    let number: f64 = number.parse().map_err(|_| error())?;
    let time = Some(Time::from_secs_f64(number * seconds)).filter(|&time| time <= Time::FARTHEST);
    time.filter(|_| number >= 0.0).ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_prints_as_it_is_written() {
        for text in ["requested", "actual", "phi:0.2", "factor:1.5"] {
            assert_eq!(text.parse::<Estimate>().unwrap().to_string(), text);
        }
        for text in ["raise", "kill", "overdue"] {
            assert_eq!(text.parse::<Overrun>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_wrong_value_lists_the_right_ones() {
        let error = "phi:1".parse::<Estimate>().unwrap_err().to_string();
        assert_eq!(
            error,
            "`phi:1` is not one of requested, actual, phi:X (0 <= X < 1), factor:X (0 < X <= 1000000)"
        );
    }

    #[test]
    fn durations_carry_units() {
        assert_eq!(parse_duration("14d"), Ok(Time::from_secs(14 * 86_400)));
        assert_eq!(parse_duration("1.5h"), Ok(Time::from_secs(5400)));
        assert_eq!(parse_duration("90"), Ok(Time::from_secs(90)));
        for wrong in ["-1s", "", "s", "NaN", "inf", "1e13", "4000000w"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
