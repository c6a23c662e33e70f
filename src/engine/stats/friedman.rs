//! Ranks over several logs: Friedman's test, and Nemenyi's critical difference.

use statrs::function::beta::checked_beta_reg;

use super::interval::check_level;
use super::sample::{check_finite, check_units};
use super::{NoInterval, studentized_range};

/// The mean ranks of several treatments over blocks, and the test whether they differ.
///
/// A block is a log, a treatment is a policy.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanRanks {
    /// The mean rank of each treatment, from 1 for the least value; equal values share the mean of their ranks.
    pub ranks: Vec<f64>,
    /// The number of blocks.
    pub blocks: usize,
    /// Friedman's statistic, corrected for ties; about chi-squared with one degree of freedom less than treatments.
    pub chi_squared: f64,
    /// The statistic of Iman and Davenport, which is about F-distributed; infinite where all blocks rank alike.
    pub f: f64,
    /// The probability of an F at least as large if all treatments were alike.
    pub p: f64,
}

/// Ranks treatments within each block, and tests whether their mean ranks differ. O(blocks · treatments²).
///
/// Friedman's statistic (Journal of the American Statistical Association 32, 1937) with the correction for ties, and the F of
/// Iman and Davenport (Communications in Statistics A9, 1980), less conservative than chi-squared; where all blocks rank alike,
/// so that F is infinite, p is that of the one order among all, (1/k!)^(n-1) (Conover, "Practical Nonparametric Statistics",
/// 1999, section 5.8). Assumes that blocks are independent. With few blocks the p-value is approximate.
///
/// # Errors
/// Fewer than two blocks or treatments, blocks of different lengths, only ties, a value that is not finite.
pub fn mean_ranks(blocks: &[Vec<f64>]) -> Result<MeanRanks, NoInterval> {
    check_units(blocks.len(), 2)?;
    let treatments = blocks[0].len();
    check_units(treatments, 2)?;
    if blocks.iter().any(|block| block.len() != treatments) {
        return Err(NoInterval::Mismatch);
    }
    for block in blocks {
        check_finite(block)?;
    }
    let (n, k) = (blocks.len() as f64, treatments as f64);
    let (mut sums, mut squares) = (vec![0.0; treatments], 0.0);
    for block in blocks {
        for (sum, own) in sums.iter_mut().zip(block) {
            let rank = rank(block, *own);
            *sum += rank;
            squares += rank * rank;
        }
    }
    let spread = squares - n * k * (k + 1.0) * (k + 1.0) / 4.0;
    if spread <= 0.0 {
        return Err(NoInterval::NoSpread);
    }
    let between: f64 = sums.iter().map(|sum| (sum - n * (k + 1.0) / 2.0).powi(2)).sum();
    let chi_squared = (k - 1.0) * between / spread;
    let rest = n * (k - 1.0) - chi_squared;
    // Ranks are halves, so that the remainder is 0 or well above the rounding of its terms.
    let (f, p) = if rest <= 1e-9 * n * k {
        let orders: f64 = (2..=treatments).map(|count| count as f64).product();
        (f64::INFINITY, orders.powf(1.0 - n))
    } else {
        let f = (n - 1.0) * chi_squared / rest;
        (f, above(f, k - 1.0, (k - 1.0) * (n - 1.0)))
    };
    let ranks = sums.iter().map(|sum| sum / n).collect();
    Ok(MeanRanks { ranks, blocks: blocks.len(), chi_squared, f, p })
}

/// Returns the least difference of two mean ranks at which Nemenyi's test calls two of `treatments` different, over all
/// pairs together: q / √2 · √(k (k + 1) / (6 n)), with the quantile q of the studentized range of k treatments
/// (Nemenyi 1963; Demšar, Journal of Machine Learning Research 7, 2006, equation 7).
///
/// # Errors
/// Fewer than two blocks or treatments, a level outside of (0, 1).
pub fn critical_difference(treatments: usize, blocks: usize, level: f64) -> Result<f64, NoInterval> {
    check_level(level)?;
    check_units(treatments, 2)?;
    check_units(blocks, 2)?;
    let (k, n) = (treatments as f64, blocks as f64);
    Ok(studentized_range::quantile(level, treatments) * (k * (k + 1.0) / (12.0 * n)).sqrt())
}

/// Returns the groups of treatments that are not shown to differ: the longest runs, in the order of mean ranks, whose
/// ends are less than `difference` apart, each as the positions of its first and last treatment in that order.
///
/// `ranks` ascend. Runs of one treatment are left out.
pub fn alike(ranks: &[f64], difference: f64) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for first in 0..ranks.len() {
        let last = ranks.partition_point(|rank| rank - ranks[first] < difference) - 1;
        if last > first && runs.last().is_none_or(|run| last > run.1) {
            runs.push((first, last));
        }
    }
    runs
}

/// The rank of a value among those of its block: one more than the number of lesser ones, and half of the equal ones.
fn rank(block: &[f64], own: f64) -> f64 {
    let less = block.iter().filter(|&&value| value < own).count() as f64;
    let same = block.iter().filter(|&&value| value == own).count() as f64;
    less + f64::midpoint(same, 1.0)
}

/// The probability of an F above `f`.
fn above(f: f64, of: f64, within: f64) -> f64 {
    checked_beta_reg(within / 2.0, of / 2.0, within / (within + of * f))
        .map_or(f64::NAN, |p| p.clamp(0.0, 1.0))
}
