//! The search for an arrival rate at which a measured value reaches a target.

use super::error::StepError;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct CalibrationResult {
    /// The mean gap, seconds.
    pub at: f64,
    /// Every trial in order: mean gap and value.
    pub trials: Vec<(f64, f64)>,
    /// The target, and its tolerance.
    target: f64,
    tolerance: f64,
}

impl CalibrationResult {
    /// Returns the trials as lines of text, and whether the result is within the tolerance.
    pub fn path(&self) -> Vec<String> {
        let line = |(number, (gap, value)): (usize, &(f64, f64))| {
            format!("trial {number}: mean gap {gap:.4} s, mean queue length {value:.4}")
        };
        let mut lines: Vec<String> = (1..).zip(&self.trials).map(line).collect();
        let value = self.trials.iter().find(|(gap, _)| *gap == self.at).map_or(f64::NAN, |(_, value)| *value);
        let off = (value / self.target - 1.0) * 100.0;
        let within = if off.abs() <= self.tolerance * 100.0 { "within" } else { "NOT within" };
        lines.push(format!(
            "taken: mean gap {:.4} s, {off:+.2} % off {}, {within} the tolerance of {} %",
            self.at,
            self.target,
            self.tolerance * 100.0
        ));
        lines
    }
}

/// The most doublings or halvings of the gap before the target counts as out of reach.
const REACH: usize = 40;

/// Searches for the gap at which a value that falls as the gap grows reaches a target.
///
/// The start is doubled or halved until the target is bracketed, then the bracket is halved on the
/// logarithmic scale. The best of all trials is used when they are exhausted, or when the bracket is
/// narrower than a millionth: a replay is a step function of the gap, and may jump over the target.
pub(super) fn search(
    start: f64,
    target: f64,
    tolerance: f64,
    most: usize,
    mut value: impl FnMut(f64) -> Result<f64, StepError>,
) -> Result<CalibrationResult, StepError> {
    let mut trials: Vec<(f64, f64)> = Vec::new();
    // The largest gap with too high a value, and the smallest gap with too low a value.
    let (mut too_much, mut too_little): (Option<f64>, Option<f64>) = (None, None);
    let mut gap = start;
    while trials.len() < most {
        let seen = value(gap)?;
        trials.push((gap, seen));
        if (seen / target - 1.0).abs() <= tolerance {
            break;
        }
        if seen > target {
            too_much = Some(gap);
        } else {
            too_little = Some(gap);
        }
        gap = match (too_much, too_little) {
            (Some(below), None) => below * 2.0,
            (None, Some(above)) => above / 2.0,
            (Some(below), Some(above)) if above / below < 1.0 + 1e-6 => break,
            (Some(below), Some(above)) => (below * above).sqrt(),
            (None, None) => break,
        };
        if trials.len() >= REACH && (too_much.is_none() || too_little.is_none()) {
            break;
        }
    }
    if too_much.is_none() || too_little.is_none() {
        let reached = trials.iter().any(|(_, seen)| (seen / target - 1.0).abs() <= tolerance);
        if !reached {
            return Err(out_of_reach(target, &trials));
        }
    }
    let off = |value: f64| (value / target).ln().abs();
    let best = trials.iter().rev().min_by(|one, other| off(one.1).total_cmp(&off(other.1)));
    let at = best.map_or(start, |(gap, _)| *gap);
    Ok(CalibrationResult { at, trials, target, tolerance })
}

fn out_of_reach(target: f64, trials: &[(f64, f64)]) -> StepError {
    let (gap, value) = trials.last().copied().unwrap_or_default();
    StepError::Unfit(format!(
        "a mean queue length of {target} was not reached in {} trials: with a mean gap of {gap:.4e} s it is \
         {value:.3}; give a value that this many jobs can reach, or more `trials`",
        trials.len()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_falling_value_is_bracketed_and_bisected() {
        let found = search(100.0, 32.0, 0.001, 60, |gap| Ok(1000.0 / gap)).unwrap();
        assert!((found.at - 31.25).abs() < 0.04, "{}", found.at);
        assert_eq!(found.trials[0], (100.0, 10.0));
        assert_eq!(found.trials[1].0, 50.0);
        let path = found.path();
        assert_eq!(path[0], "trial 1: mean gap 100.0000 s, mean queue length 10.0000");
        assert!(path.last().unwrap().contains(", within the tolerance of 0.1 %"), "{path:?}");
    }

    #[test]
    fn a_jump_over_the_target_takes_the_nearer_side_and_says_so() {
        let found = search(8.0, 10.0, 0.01, 60, |gap| Ok(if gap < 5.0 { 11.0 } else { 2.0 })).unwrap();
        assert!((4.9..5.0).contains(&found.at), "{}", found.at);
        assert!(found.path().last().unwrap().contains("+10.00 % off 10, NOT within"));
    }

    #[test]
    fn what_no_rate_gives_is_out_of_reach() {
        let error = search(8.0, 500.0, 0.01, 100, |_| Ok(99.0)).unwrap_err();
        assert!(error.to_string().starts_with("a mean queue length of 500 was not reached in 40 trials"));
    }
}
