use std::fmt;
use std::str::FromStr;

use super::{UnknownValue, parse_duration};
use crate::models::tsafrir::LEAST_MAX;
use crate::time::Time;

const EXPECTED: &str = "requested, actual, phi:X (0 <= X < 1), factor:X (0 < X <= 1000000), tsafrir, \
                        tsafrir:MAX (MAX a time of an hour or more)";

/// The estimate of a job's run time that the scheduler gets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Estimate {
    /// The user's request (field 9), otherwise the run time.
    #[default]
    Requested,
    /// The run time itself: a clairvoyant twin.
    Actual,
    /// Zhang et al. 2000, section 2.1: exact with probability Φ, otherwise run · (1−Φ)/(1−y), y uniform.
    Phi(f64),
    /// A multiple of the run time.
    Factor(f64),
    /// Tsafrir et al. 2005: few, round values, up to a maximum; without a given maximum, that of
    /// [`tsafrir::longest_of`](crate::models::tsafrir::longest_of).
    Tsafrir(Option<Time>),
}

impl Estimate {
    /// Returns the estimate of Zhang's Φ model for a draw y of [0, 1): estimates are exact for a share Φ of
    /// the jobs; for the others run / estimate is uniform in (0, 1).
    pub(crate) fn of_phi(phi: f64, run: Time, y: f64) -> Time {
        if y < phi { run } else { Time::from_secs_f64(run.secs() * (1.0 - phi) / (1.0 - y)) }
    }
}

impl FromStr for Estimate {
    type Err = UnknownValue;
    fn from_str(text: &str) -> Result<Estimate, UnknownValue> {
        let error = || UnknownValue::new(text, EXPECTED);
        let (kind, value) = text.split_once(':').map_or((text, None), |(kind, value)| (kind, Some(value)));
        let number = || value.and_then(|value| value.parse::<f64>().ok());
        let read = match (kind, value) {
            ("requested", None) => Some(Estimate::Requested),
            ("actual", None) => Some(Estimate::Actual),
            ("phi", _) => number().filter(|phi| (0.0..1.0).contains(phi)).map(Estimate::Phi),
            ("factor", _) => number().filter(|&factor| factor > 0.0 && factor <= 1e6).map(Estimate::Factor),
            ("tsafrir", None) => Some(Estimate::Tsafrir(None)),
            ("tsafrir", Some(max)) => {
                let max = parse_duration(max).ok().filter(|&max| max >= LEAST_MAX);
                max.map(|max| Estimate::Tsafrir(Some(max)))
            }
            _ => None,
        };
        read.ok_or_else(error)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Estimate::Requested => f.write_str("requested"),
            Estimate::Actual => f.write_str("actual"),
            Estimate::Phi(phi) => write!(f, "phi:{phi}"),
            Estimate::Factor(factor) => write!(f, "factor:{factor}"),
            Estimate::Tsafrir(None) => f.write_str("tsafrir"),
            Estimate::Tsafrir(Some(max)) => write!(f, "tsafrir:{max}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_prints_as_it_is_written() {
        for text in ["requested", "actual", "phi:0.2", "factor:1.5", "tsafrir", "tsafrir:64800"] {
            assert_eq!(text.parse::<Estimate>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_wrong_value_lists_the_right_ones() {
        for wrong in ["phi:1", "phi", "factor:0", "tsafrir:30m", "tsafrir:", "actual:1", "phi:NaN"] {
            let error = wrong.parse::<Estimate>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "`{wrong}` is not one of requested, actual, phi:X (0 <= X < 1), factor:X (0 < X <= \
                     1000000), tsafrir, tsafrir:MAX (MAX a time of an hour or more)"
                )
            );
        }
        let perfect = "perfect".parse::<Estimate>().unwrap_err().to_string();
        assert!(perfect.ends_with("(did you mean `actual`?)"), "{perfect}");
        assert_eq!("tsafrir:18h".parse(), Ok(Estimate::Tsafrir(Some(Time::from_secs(64_800)))));
    }

    #[test]
    fn the_phi_model_is_exact_below_phi_and_at_it_and_grows_without_bound() {
        let run = Time::from_secs(100);
        let of = |y| Estimate::of_phi(0.2, run, y);
        assert_eq!((of(0.0), of(0.19), of(0.2)), (run, run, run));
        assert_eq!(of(0.6), Time::from_secs(200));
        assert_eq!(of(0.9), Time::from_secs(800));
    }
}
