//! Quantiles of a sample, and intervals for quantiles of a distribution.

use super::interval::check_level;
use super::sample::{check_finite, check_units};
use super::{Interval, Method, NoInterval};
use statrs::function::gamma::ln_gamma;

/// Returns a quantile by linear interpolation of order statistics; `None` for empty input, or for `p` outside of [0, 1]. O(1).
///
/// Type 7 of Hyndman and Fan ("Sample quantiles in statistical packages", The American Statistician 50,
/// 1996), which R and `NumPy` use. The values must be sorted.
pub fn type7(sorted: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    let place = p * (sorted.len().checked_sub(1)? as f64);
    let low = *sorted.get(place.floor() as usize)?;
    let high = *sorted.get(place.ceil() as usize)?;
    let share = place - place.floor();
    // A weighted sum, as the difference of two huge values may overflow; equal values (also infinite ones) stay unchanged.
    Some(if low == high { low } else { low * (1.0 - share) + high * share })
}

/// Returns a quantile with its distribution-free interval. O(n log n).
///
/// The interval lies between two order statistics X(l) and X(u), with the greatest l and the least u that
/// leave at most (1 − level)/2 of probability outside on their side, by the binomial distribution of the
/// number of values below the quantile (David and Nagaraja, "Order Statistics", 3rd ed., §7.1). Assumes
/// independent units and nothing about their distribution. The interval's `level` is the exact coverage for
/// continuous distributions, at least the requested one. The estimate is that of [`type7`].
///
/// # Errors
/// Too few values for this quantile at this level, no spread, a value that is not finite, `p` or a level outside of (0, 1).
pub fn interval(values: &[f64], p: f64, level: f64) -> Result<Interval, NoInterval> {
    check_level(level)?;
    check_level(p)?;
    check_finite(values)?;
    let outside = (1.0 - level) / 2.0;
    check_units(values.len(), needed(p, outside))?;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    if sorted.first() == sorted.last() {
        return Err(NoInterval::NoSpread);
    }
    let Ranks { lower, upper, coverage } = ranks(sorted.len(), p, outside);
    let (Some(estimate), Some(&low), Some(&high)) = (type7(&sorted, p), sorted.get(lower), sorted.get(upper))
    else {
        return Err(NoInterval::TooFew { units: sorted.len(), needed: needed(p, outside) });
    };
    Interval::new(estimate, [low, high], coverage, Method::OrderStatistics, sorted.len())
}

/// Positions in the sorted sample, from 0, and the probability that the quantile lies between their values.
struct Ranks {
    lower: usize,
    upper: usize,
    coverage: f64,
}

/// Returns the least number of values with an interval: the extremes miss the quantile with probability pⁿ and (1 − p)ⁿ.
fn needed(p: f64, outside: f64) -> usize {
    let at = |share: f64| (outside.ln() / share.ln()).ceil();
    at(p).max(at(1.0 - p)).max(2.0) as usize
}

fn ranks(n: usize, p: f64, outside: f64) -> Ranks {
    let point = binomial(n, p);
    let (mut lower, mut below) = (0, point[0]);
    while lower + 1 < n && below + point[lower + 1] <= outside {
        lower += 1;
        below += point[lower];
    }
    let (mut upper, mut above) = (n - 1, point[n]);
    while upper > lower + 1 && above + point[upper] <= outside {
        above += point[upper];
        upper -= 1;
    }
    Ranks { lower, upper, coverage: 1.0 - below - above }
}

/// Probabilities of 0 to n successes.
fn binomial(n: usize, p: f64) -> Vec<f64> {
    let all = n as f64;
    (0..=n)
        .map(|successes| {
            let k = successes as f64;
            let ways = ln_gamma(all + 1.0) - ln_gamma(k + 1.0) - ln_gamma(all - k + 1.0);
            (ways + k * p.ln() + (all - k) * (-p).ln_1p()).exp()
        })
        .collect()
}
