//! Options of a measurement: τ, and what is trimmed at the beginning and the end.

use std::fmt;
use std::str::FromStr;

use batchlab_traces::Time;
use serde::{Deserialize, Serialize};

use crate::as_text;
use batchlab_traces::reading::{UnknownValue, parse_duration};

/// A share of jobs in parts per million, so that counts are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartsPerMillion(u32);

const WHOLE: u32 = 1_000_000;

impl PartsPerMillion {
    /// Returns a share in per cent; `None` outside [0, 100).
    pub fn percent(percent: f64) -> Option<PartsPerMillion> {
        let share = (percent * f64::from(WHOLE) / 100.0).round();
        (0.0..f64::from(WHOLE)).contains(&share).then_some(PartsPerMillion(share as u32))
    }

    /// Returns this share of a number of jobs, rounded down.
    pub fn of(self, jobs: usize) -> usize {
        (jobs as u128 * u128::from(self.0) / u128::from(WHOLE)) as usize
    }
}

impl fmt::Display for PartsPerMillion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) * 100.0 / f64::from(WHOLE))
    }
}

/// What is trimmed from the beginning (`--warmup`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Warmup {
    /// Nothing.
    #[default]
    None,
    /// The first share of jobs in the order of termination (Tsafrir, Etsion and Feitelson 2007); the measured
    /// time begins with the last of them.
    Terminations(PartsPerMillion),
    /// Jobs submitted within this time after the first submission; the measured time begins then.
    Time(Time),
    /// The first jobs in the order of submission, as many as [MSER-5](crate::stats::warmup::mser5) cuts from the waits of the
    /// replay; the measured time begins with the first submission after them. Nothing if it finds no cut in the first half.
    Mser5,
}

/// What is trimmed from the end (`--cooldown`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cooldown {
    /// Nothing.
    #[default]
    None,
    /// Jobs that end after the last submission.
    LastSubmission,
    /// Jobs submitted within this time before the last submission; the measured time ends then.
    Time(Time),
}

/// Options of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasureOptions {
    /// Bound τ of the bounded slowdown.
    pub tau: Time,
    /// What is trimmed from the beginning.
    #[serde(with = "as_text")]
    pub warmup: Warmup,
    /// What is trimmed from the end.
    #[serde(with = "as_text")]
    pub cooldown: Cooldown,
    /// Simulated but not measured: jobs submitted within this time after the first submission. The warm-up starts at its end.
    pub prefix: Time,
}

impl Default for MeasureOptions {
    fn default() -> MeasureOptions {
        MeasureOptions {
            tau: Time::from_secs(10),
            warmup: Warmup::None,
            cooldown: Cooldown::None,
            prefix: Time::ZERO,
        }
    }
}

impl MeasureOptions {
    /// Returns the trimming in words, for the header of a table.
    pub fn trimming(&self) -> String {
        let mut parts = Vec::new();
        if self.prefix > Time::ZERO {
            parts.push(format!("jobs of the first {} simulated, not measured", self.prefix.words()));
        }
        match self.warmup {
            Warmup::None => parts.push("no warm-up".into()),
            Warmup::Terminations(share) => parts.push(format!("first {share} % of terminations left out")),
            Warmup::Time(time) => {
                parts.push(format!("jobs submitted in the first {} left out", time.words()));
            }
            Warmup::Mser5 => parts.push("first jobs left out by MSER-5 over the waits of each replay".into()),
        }
        match self.cooldown {
            Cooldown::None => parts.push("no cool-down".into()),
            Cooldown::LastSubmission => parts.push("jobs that end after the last submission left out".into()),
            Cooldown::Time(time) => {
                parts.push(format!("jobs submitted in the last {} left out", time.words()));
            }
        }
        parts.join(", ")
    }

    /// Whether the measured jobs are the same under every policy.
    pub fn same_jobs_under_all_policies(&self) -> bool {
        !matches!(self.warmup, Warmup::Terminations(_) | Warmup::Mser5)
            && self.cooldown != Cooldown::LastSubmission
    }
}

impl FromStr for Warmup {
    type Err = UnknownValue;
    fn from_str(text: &str) -> Result<Warmup, UnknownValue> {
        let error =
            || UnknownValue::new(text, "none, a share of terminations such as 1%, a time such as 2d, mser5");
        match text {
            "none" => return Ok(Warmup::None),
            "mser5" => return Ok(Warmup::Mser5),
            _ => {}
        }
        match text.strip_suffix('%') {
            Some(percent) => {
                let percent =
                    percent.trim().parse().ok().and_then(PartsPerMillion::percent).ok_or_else(error)?;
                Ok(Warmup::Terminations(percent))
            }
            None => parse_duration(text).map(Warmup::Time).map_err(|_| error()),
        }
    }
}

impl fmt::Display for Warmup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warmup::None => f.write_str("none"),
            Warmup::Terminations(share) => write!(f, "{share}%"),
            Warmup::Time(time) => write!(f, "{time}s"),
            Warmup::Mser5 => f.write_str("mser5"),
        }
    }
}

impl FromStr for Cooldown {
    type Err = UnknownValue;
    fn from_str(text: &str) -> Result<Cooldown, UnknownValue> {
        match text {
            "none" => Ok(Cooldown::None),
            "submit" => Ok(Cooldown::LastSubmission),
            _ => parse_duration(text)
                .map(Cooldown::Time)
                .map_err(|_| UnknownValue::new(text, "none, submit, a time such as 2d")),
        }
    }
}

impl fmt::Display for Cooldown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cooldown::None => f.write_str("none"),
            Cooldown::LastSubmission => f.write_str("submit"),
            Cooldown::Time(time) => write!(f, "{time}s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_prints_as_it_is_written() {
        for text in ["none", "1%", "0.25%", "600s", "mser5"] {
            assert_eq!(text.parse::<Warmup>().unwrap().to_string(), text);
        }
        for text in ["none", "submit", "600s"] {
            assert_eq!(text.parse::<Cooldown>().unwrap().to_string(), text);
        }
        assert_eq!("2d".parse::<Warmup>().unwrap().to_string(), "172800s");
    }

    #[test]
    fn wrong_values_list_the_right_ones() {
        for text in ["100%", "-1%", "x%", "", "soon"] {
            assert!(text.parse::<Warmup>().unwrap_err().to_string().contains("such as 1%"), "{text}");
        }
        let error = "end".parse::<Cooldown>().unwrap_err().to_string();
        assert_eq!(error, "`end` is not one of none, submit, a time such as 2d");
    }

    #[test]
    fn shares_of_jobs_are_exact() {
        assert_eq!(PartsPerMillion::percent(1.0).unwrap().of(28_489), 284);
        assert_eq!(PartsPerMillion::percent(29.0).unwrap().of(100), 29);
    }

    #[test]
    fn the_header_states_what_is_left_out() {
        let options = MeasureOptions {
            warmup: "1%".parse().unwrap(),
            cooldown: Cooldown::LastSubmission,
            ..MeasureOptions::default()
        };
        let words = "first 1 % of terminations left out, jobs that end after the last submission left out";
        assert_eq!(options.trimming(), words);
        assert_eq!(MeasureOptions::default().trimming(), "no warm-up, no cool-down");
    }
}
