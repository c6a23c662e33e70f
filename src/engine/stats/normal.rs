//! The standard normal distribution.

use std::f64::consts::SQRT_2;

use statrs::function::erf::{erfc, erfc_inv};

pub(super) fn cdf(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

/// Returns the value with probability `p` below it, infinite at 0 and 1.
pub(super) fn quantile(p: f64) -> f64 {
    if p <= 0.0 {
        f64::NEG_INFINITY
    } else if p >= 1.0 {
        f64::INFINITY
    } else {
        -SQRT_2 * erfc_inv(2.0 * p)
    }
}

/// Returns the probability of a value at least as far from 0 as `z`, on either side.
pub(super) fn two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}
