//! Input shaking: how much a result depends on irrelevant details of the input.

use super::NoInterval;
use super::sample::moments;

/// The effect of shaking the input on the values of several policies.
///
/// Shaken runs are variants of the same log and not replications, so they give no interval and no test (Tsafrir, Ouaknine and
/// Feitelson, "Reducing performance evaluation sensitivity and variability by input shaking", MASCOTS 2007).
#[derive(Clone, Debug, PartialEq)]
pub struct Shaken {
    /// The number of runs.
    pub runs: usize,
    /// The values of each policy, in the order given.
    pub policies: Vec<Range>,
    /// The flips of each pair of policies, the first before the second in the order given.
    pub flips: Vec<Flip>,
}

/// The values of one policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Mean over runs.
    pub mean: f64,
    /// Standard deviation over runs, with n − 1.
    pub sd: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
}

/// How often the order of two policies is reversed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flip {
    /// Position of a policy.
    pub first: usize,
    /// Position of a later policy.
    pub second: usize,
    /// Share of runs in which the order of the two differs from that of their means, ties counting one half;
    /// `None` if the means are equal.
    pub share: Option<f64>,
}

/// Summarises shaken runs; `values_by_policy` has the values of each policy in the same runs. O(policies² · runs).
///
/// # Errors
/// Different numbers of runs ([`NoInterval::Mismatch`]), fewer than two, a value that is not finite.
pub fn summary(values_by_policy: &[Vec<f64>]) -> Result<Shaken, NoInterval> {
    let runs = values_by_policy.first().map_or(0, Vec::len);
    if values_by_policy.iter().any(|values| values.len() != runs) {
        return Err(NoInterval::Mismatch);
    }
    if runs < 2 {
        return Err(NoInterval::TooFew { units: runs, needed: 2 });
    }
    let policies = values_by_policy.iter().map(|values| range(values)).collect::<Result<Vec<_>, _>>()?;
    let mut flips = Vec::new();
    for second in 0..policies.len() {
        for first in 0..second {
            let [a, b] = [first, second].map(|at| (&values_by_policy[at], policies[at].mean));
            flips.push(Flip { first, second, share: flipped(a, b) });
        }
    }
    Ok(Shaken { runs, policies, flips })
}

fn range(values: &[f64]) -> Result<Range, NoInterval> {
    let of = moments(values)?;
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(Range { mean: of.mean, sd: of.sd, min, max })
}

fn flipped(a: (&Vec<f64>, f64), b: (&Vec<f64>, f64)) -> Option<f64> {
    let order = a.1.total_cmp(&b.1);
    if order.is_eq() {
        return None;
    }
    let half_flips = |(a, b): (&f64, &f64)| match a.total_cmp(b) {
        _ if a == b => 1,
        seen => 2 * usize::from(seen != order),
    };
    let flips: usize = a.0.iter().zip(b.0).map(half_flips).sum();
    Some(flips as f64 / (2 * a.0.len()) as f64)
}
