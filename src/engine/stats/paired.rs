//! Two policies over the same units: mean difference, geometric mean of the ratios, ratio of means.
//!
//! Common random numbers make pairs: both policies are replayed on the same windows or with the same seeds,
//! so variation between units largely cancels.
//!
//! Each interval belongs to a test: the p-value is below 1 − level exactly if the interval excludes no difference.
//! [`difference`] and [`ratio`] (Fieller) belong to [`test()`], [`geometric_ratio`] to [`geometric_test`].

use super::interval::check_level;
use super::sample::{check_finite, check_paired, check_units, moments};
use super::{Interval, MIN_UNITS, Method, NoInterval, Test, TestKind, bootstrap, student};

/// Returns the mean of `a - b` with its t interval. O(n). Assumptions as of [`student::interval`].
///
/// # Errors
/// Different lengths, fewer than two pairs, no spread, a value that is not finite, a level outside of (0, 1).
pub fn difference(a: &[f64], b: &[f64], level: f64) -> Result<Interval, NoInterval> {
    student::interval(&differences(a, b)?, level)
}

/// Returns `a - b` for each unit. O(n).
///
/// # Errors
/// Different lengths, a value or a difference that is not finite.
pub fn differences(a: &[f64], b: &[f64]) -> Result<Vec<f64>, NoInterval> {
    check_paired(a, b)?;
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    check_finite(&differences)?;
    Ok(differences)
}

/// Tests whether the mean of `a - b` is 0, by the paired t-test (Student 1908). O(n).
///
/// `statistic` is t. Assumes independent pairs whose mean difference is nearly normal.
///
/// # Errors
/// Different lengths, fewer than [`MIN_UNITS`] pairs, no spread, a value that is not finite.
pub fn test(a: &[f64], b: &[f64]) -> Result<Test, NoInterval> {
    t_test(&differences(a, b)?, TestKind::PairedT)
}

fn t_test(differences: &[f64], kind: TestKind) -> Result<Test, NoInterval> {
    check_units(differences.len(), MIN_UNITS)?;
    let of = moments(differences)?;
    if of.sd == 0.0 {
        return Err(NoInterval::NoSpread);
    }
    let n = of.count as f64;
    let statistic = of.mean / of.sd * n.sqrt();
    let p = student::p_value(statistic, n - 1.0);
    Ok(Test { p, statistic, kind, units: of.count, dropped: 0, exact: true })
}

/// Differences of logarithms up to this are rounding.
const ROUNDING: f64 = 1e-12;

/// Returns ln(a/b) for each unit. O(n).
///
/// Logarithms that differ by rounding only, as those of a policy with twice the baseline's value in each unit, are made
/// equal: they have no spread.
///
/// # Errors
/// Different lengths, a value that is not finite, [`NoInterval::NotPositive`] for a value of 0 or below.
pub fn log_ratios(a: &[f64], b: &[f64]) -> Result<Vec<f64>, NoInterval> {
    check_paired(a, b)?;
    if a.iter().chain(b).any(|&value| value <= 0.0) {
        return Err(NoInterval::NotPositive);
    }
    let logs: Vec<f64> = a.iter().zip(b).map(|(a, b)| a.ln() - b.ln()).collect();
    let (low, high) = logs
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &log| (low.min(log), high.max(log)));
    Ok(if high - low <= ROUNDING { vec![low; logs.len()] } else { logs })
}

/// Returns the geometric mean of a/b over units, with the t interval of the logarithms. O(n).
///
/// It answers what factor lies between the two in a typical unit: a unit with large values weighs as much as any other,
/// and a/b and b/a give the same answer (Fleming and Wallace 1986, as of [`geometric`](super::geometric)). Assumes
/// independent pairs whose logarithms of ratios have a nearly normal mean.
///
/// # Errors
/// As of [`log_ratios`] and [`student::interval`].
pub fn geometric_ratio(a: &[f64], b: &[f64], level: f64) -> Result<Interval, NoInterval> {
    let of = student::interval(&log_ratios(a, b)?, level)?;
    let [estimate, low, high] = [of.estimate, of.low, of.high].map(f64::exp);
    Interval::new(estimate, [low, high], level, Method::LogStudentT, of.units)
}

/// Tests whether the geometric mean of a/b is 1, by the paired t-test of logarithms. O(n).
///
/// `statistic` is t. Assumptions as of [`geometric_ratio`], of whose interval this is the test.
///
/// # Errors
/// As of [`log_ratios`]; fewer than [`MIN_UNITS`] pairs, no spread.
pub fn geometric_test(a: &[f64], b: &[f64]) -> Result<Test, NoInterval> {
    t_test(&log_ratios(a, b)?, TestKind::LogPairedT)
}

/// Returns mean(a)/mean(b) with its interval by Fieller's theorem. O(n).
///
/// The interval holds the ratios ρ for which a t-test of mean(a − ρb) = 0 does not reject (Fieller, "Some problems in interval
/// estimation", JRSS B 16, 1954), with the covariance of the pairs. It is bounded if mean(b) itself differs significantly from 0;
/// otherwise the set is a half-line or everything. Assumes pairs whose means are jointly nearly normal.
///
/// # Errors
/// [`NoInterval::Unbounded`] if the set is not a bounded interval; different lengths, fewer than two pairs,
/// no spread around the ratio, a value that is not finite, a level outside of (0, 1).
pub fn ratio(a: &[f64], b: &[f64], level: f64) -> Result<Interval, NoInterval> {
    check_level(level)?;
    check_paired(a, b)?;
    check_units(a.len(), 2)?;
    let denominator = moments(b)?.mean;
    if denominator == 0.0 {
        return Err(NoInterval::Unbounded);
    }
    // Values are divided by the denominator's mean, which becomes 1.
    let a: Vec<f64> = a.iter().map(|value| value / denominator).collect();
    let b: Vec<f64> = b.iter().map(|value| value / denominator).collect();
    let n = a.len() as f64;
    let (of_a, of_b) = (moments(&a)?, moments(&b)?);
    let ratio = of_a.mean / of_b.mean;
    let products = a.iter().zip(&b).map(|(a, b)| (a - of_a.mean) * (b - of_b.mean));
    let shared = products.sum::<f64>() / (n - 1.0) / n;
    let rest: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - ratio * b).collect();
    let [var_a, var_b, var_rest] =
        [of_a.sd, of_b.sd, moments(&rest)?.sd].map(|deviation| deviation * deviation / n);
    if var_rest <= var_a * 1e-28 {
        return Err(NoInterval::NoSpread);
    }
    let t = student::quantile(0.5 + level / 2.0, n - 1.0);
    let unsure = t * t * var_b;
    if unsure >= 1.0 {
        return Err(NoInterval::Unbounded);
    }
    let unexplained = if var_b > 0.0 { (var_a - shared * shared / var_b).max(0.0) } else { 0.0 };
    let middle = (ratio - t * t * shared) / (1.0 - unsure);
    let margin = t / (1.0 - unsure) * (var_rest - unsure * unexplained).max(0.0).sqrt();
    Interval::new(ratio, [middle - margin, middle + margin], level, Method::Fieller, a.len())
}

/// Returns mean(a)/mean(b) with its `BCa` interval over pairs, from [`bootstrap::RESAMPLES`] resamples.
///
/// # Errors
/// Different lengths, a value that is not finite, and as for [`bootstrap::bca`].
pub fn ratio_bca(a: &[f64], b: &[f64], level: f64, seed: u64) -> Result<Interval, NoInterval> {
    check_paired(a, b)?;
    bootstrap::bca(a.len(), &ratio_of_means(a, b), level, bootstrap::RESAMPLES, seed)
}

/// Tests whether mean(a)/mean(b) is 1, by [`bootstrap::bca_test`] over pairs.
///
/// With few pairs it rejects too often, as the interval that it inverts is too short there
/// (`examples/coverage.md`); contrasts of policies use [`geometric_test`] and [`test()`].
///
/// # Errors
/// Different lengths, a value that is not finite, and as for [`bootstrap::bca`].
pub fn ratio_test(a: &[f64], b: &[f64], seed: u64) -> Result<Test, NoInterval> {
    check_paired(a, b)?;
    bootstrap::bca_test(a.len(), &ratio_of_means(a, b), 1.0, bootstrap::RESAMPLES, seed)
}

fn ratio_of_means(a: &[f64], b: &[f64]) -> impl Fn(&[usize]) -> f64 {
    move |chosen| {
        let sum = |of: &[f64]| chosen.iter().map(|&unit| of[unit]).sum::<f64>();
        sum(a) / sum(b)
    }
}
