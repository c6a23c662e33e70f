//! Sign-flip permutation test.

use batchlab_traces::seed;

use super::sample::{check_finite, check_units};
use super::{MIN_UNITS, NoInterval, Test, TestKind};

/// The most units for which all sign patterns are enumerated: up to this number the test is exact.
pub const ENUMERATED: usize = 14;
/// The number of patterns drawn for more units.
const DRAWS: usize = 20_000;

/// Tests whether the mean difference is 0: how often would random signs give a mean at least as far from 0?
///
/// `statistic` is the mean difference. Exact up to 14 units, by all 2ⁿ patterns; above, 20,000 patterns are drawn and the sample
/// itself counts as one more (Phipson and Smyth, "Permutation p-values should never be zero", Statistical Applications in
/// Genetics and Molecular Biology 9, 2010). Differences of 0 are kept: they are evidence for no difference. Assumes that the
/// differences would be symmetric around 0 if there were no effect (Fisher 1935). O(patterns · n).
///
/// # Errors
/// Fewer than [`MIN_UNITS`] units, only zeros, a value that is not finite.
pub fn sign_flip(differences: &[f64], seed: u64) -> Result<Test, NoInterval> {
    check_finite(differences)?;
    check_units(differences.len(), MIN_UNITS)?;
    let greatest = differences.iter().fold(0.0_f64, |greatest, value| greatest.max(value.abs()));
    if greatest == 0.0 {
        return Err(NoInterval::NoSpread);
    }
    // Scaled by the greatest difference, so that no sum overflows.
    let scaled: Vec<f64> = differences.iter().map(|value| value / greatest).collect();
    let observed: f64 = scaled.iter().sum();
    // Sums of the same numbers in a different order differ by rounding.
    let bound = observed.abs() - 1e-13 * scaled.iter().map(|value| value.abs()).sum::<f64>();
    let exact = differences.len() <= ENUMERATED;
    let p = if exact { enumerated(&scaled, bound) } else { drawn(&scaled, bound, seed) };
    let n = differences.len();
    let statistic = observed / n as f64 * greatest;
    Ok(Test { p, statistic, kind: TestKind::SignFlip, units: n, dropped: 0, exact })
}

fn enumerated(values: &[f64], bound: f64) -> f64 {
    let patterns = 1_u32 << values.len();
    let sum = |pattern: u32| -> f64 {
        let signed = |(at, value): (usize, &f64)| if pattern >> at & 1 == 1 { -value } else { *value };
        values.iter().enumerate().map(signed).sum()
    };
    let beyond = (0..patterns).filter(|&pattern| sum(pattern).abs() >= bound).count();
    beyond as f64 / f64::from(patterns)
}

fn drawn(values: &[f64], bound: f64, seed: u64) -> f64 {
    let mut stream = seed::stream(seed, "sign flips");
    let mut sum = || -> f64 {
        values.iter().map(|&value| if seed::unit(&mut stream) < 0.5 { -value } else { value }).sum()
    };
    let beyond = (0..DRAWS).filter(|_| sum().abs() >= bound).count();
    (beyond + 1) as f64 / (DRAWS + 1) as f64
}
