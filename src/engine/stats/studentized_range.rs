//! The range of several independent standard normal values: the studentized range where the variance is known.

use super::normal;

/// How far from 0 the normal density is taken into account, and the step of the sum.
const REACH: f64 = 9.0;
const STEP: f64 = 1.0 / 64.0;

/// Returns the probability that the range of `count` independent standard normal values is below `q`.
///
/// The integral k ∫ φ(z) (Φ(z + q) − Φ(z))^(k−1) dz by the trapezoidal rule, which for such a smooth function that
/// vanishes at both ends is exact to rounding (Trefethen and Weideman, SIAM Review 56, 2014). 0 for `q` not above 0;
/// NaN for fewer than two values.
pub fn cdf(q: f64, count: usize) -> f64 {
    if count < 2 || q.is_nan() {
        return f64::NAN;
    }
    if q <= 0.0 {
        return 0.0;
    }
    let density = |z: f64| (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let steps = (2.0 * REACH / STEP) as i32;
    let term = |at: i32| {
        let z = f64::from(at).mul_add(STEP, -REACH);
        density(z) * (normal::cdf(z + q) - normal::cdf(z)).powi(count as i32 - 1)
    };
    (STEP * count as f64 * (0..=steps).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

/// Returns the value below which the range of `count` independent standard normal values lies with probability `p`, to
/// about 1e-12. NaN for `p` outside of (0, 1) or fewer than two values.
pub fn quantile(p: f64, count: usize) -> f64 {
    if count < 2 || !(p > 0.0 && p < 1.0) {
        return f64::NAN;
    }
    let (mut low, mut high) = (0.0, 4.0 * REACH);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if cdf(middle, count) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}
