//! Student's t: the mean of independent units.

use statrs::function::beta::checked_beta_reg;

use super::interval::check_level;
use super::sample::{check_units, moments};
use super::{Interval, Method, NoInterval, normal};

/// Degrees of freedom above which the distribution is computed from the normal one.
const MANY: f64 = 500.0;

/// Returns the mean with its t interval. O(n).
///
/// `mean ± t · s / √n` with n − 1 degrees of freedom (Student 1908). Assumes independent units whose mean is
/// nearly normal: with fewer than 50 skewed units it covers less than its level ([`super::caution`]).
///
/// # Errors
/// Fewer than two values, no spread, a value that is not finite, a level outside of (0, 1).
pub fn interval(values: &[f64], level: f64) -> Result<Interval, NoInterval> {
    check_level(level)?;
    check_units(values.len(), 2)?;
    let of = moments(values)?;
    if of.sd == 0.0 {
        return Err(NoInterval::NoSpread);
    }
    let n = of.count as f64;
    let margin = quantile(0.5 + level / 2.0, n - 1.0) * (of.sd / n.sqrt());
    Interval::new(of.mean, [of.mean - margin, of.mean + margin], level, Method::StudentT, of.count)
}

/// The least number of units for [`of_positive`]: with fewer, its upper end is orders of magnitude away.
const LEAST: usize = 4;

/// Returns the mean of values that are never negative and may lie far above each other, with its interval. O(n).
///
/// `mean · exp(-r)` to `mean · exp(r + r²/3)` with r = t · s / (mean · √n): the t interval of the logarithm of the mean (delta
/// method), whose upper end reaches farther because a sample that lacks the rare large values has both a low mean and a low s.
/// The addition r²/3 comes from simulation (`examples/coverage.md`). With fewer than four values, or a mean of 0, it is that of
/// [`interval`].
///
/// # Errors
/// As of [`interval`].
pub fn of_positive(values: &[f64], level: f64) -> Result<Interval, NoInterval> {
    let plain = interval(values, level)?;
    let mean = plain.estimate;
    if values.len() < LEAST || mean <= 0.0 {
        return Ok(plain);
    }
    let r = plain.half_width() / mean;
    let ends = [-r, r + r * r / 3.0].map(|power| mean * power.exp());
    Interval::new(mean, ends, level, Method::LogOfMean, plain.units)
}

/// Returns the value with probability `p` below it under the t distribution.
///
/// Infinite at 0 and 1; NaN for `p` outside of [0, 1] or `df` not above 0. Computed by bisection of
/// [`p_value`], to its accuracy: some 70 evaluations.
pub fn quantile(p: f64, df: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if p < 0.5 { -upper(p, df) } else { upper(1.0 - p, df) }
}

/// Returns the probability of a t at least as far from 0, on either side.
///
/// Uses the incomplete beta function up to 500 degrees of freedom; above, where its continued fraction stops
/// short, Hill's expansion from the normal distribution (Algorithm 395, Communications of the ACM 13, 1970),
/// with a relative error of about 1e-11. NaN if `t` is NaN or `df` is not above 0.
pub fn p_value(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if df > MANY {
        return normal::two_sided(as_normal(t.abs(), df));
    }
    // Divided before squaring, so that a large t does not overflow.
    let ratio = t / df.sqrt();
    let x = if ratio.abs() > 1e150 { 0.0 } else { 1.0 / (1.0 + ratio * ratio) };
    checked_beta_reg(df / 2.0, 0.5, x).map_or(f64::NAN, |p| if x == 1.0 { 1.0 } else { p.clamp(0.0, 1.0) })
}

/// The t with probability `tail` above it, for tails of at most one half.
fn upper(tail: f64, df: f64) -> f64 {
    if tail == 0.0 {
        return f64::INFINITY;
    }
    let wanted = 2.0 * tail;
    let (mut low, mut high) = (0.0, 1.0);
    while p_value(high, df) > wanted {
        low = high;
        high *= 2.0;
        if high.is_infinite() {
            return high;
        }
    }
    // Bisects until there is no number between the ends.
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return if wanted >= 1.0 { 0.0 } else { high };
        }
        if p_value(middle, df) > wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The normal deviate with the same tail probability as `t`, by Hill's expansion.
fn as_normal(t: f64, df: f64) -> f64 {
    if df.is_infinite() {
        return t;
    }
    let shifted = df - 0.5;
    let scale = 48.0 * shifted * shifted;
    let ratio = t / df.sqrt();
    let square = if ratio > 1e150 { 2.0 * ratio.ln() } else { (ratio * ratio).ln_1p() };
    let y = shifted * square;
    let term = (((-0.4 * y - 3.3) * y - 24.0) * y - 85.5) / (0.8 * y * y + 100.0 + scale);
    y.sqrt() * (1.0 + (term + y + 3.0) / scale)
}
