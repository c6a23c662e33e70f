//! Wilcoxon's signed-rank test.

use super::sample::{check_finite, check_units};
use super::{MIN_UNITS, NoInterval, Test, TestKind, normal};

/// Units up to which the distribution is exact.
const EXACT: usize = 25;

/// Tests whether differences are symmetric around 0, by their signed ranks (Wilcoxon 1945). O(n log n), up to 25 units O(n³).
///
/// The test is about medians, and belongs beside a median, never beside a mean. Differences of 0 are dropped (Wilcoxon's rule)
/// and counted in `dropped`; equal differences share their mean rank. `statistic` is the lesser of the sums of positive and
/// negative ranks. Up to 25 units the distribution given the ranks is computed exactly, ties included (the shift algorithm of
/// Streitberg and Röhmel, "Exact distributions for permutation and rank tests", Statistical Software Newsletter 12, 1986); above,
/// it is approximated by the normal one, with corrections for ties and continuity (Lehmann, "Nonparametrics", 1975, §3.2).
///
/// # Errors
/// Fewer than [`MIN_UNITS`] differences other than 0, only zeros, a value that is not finite.
pub fn signed_rank(differences: &[f64]) -> Result<Test, NoInterval> {
    check_finite(differences)?;
    let mut kept: Vec<f64> = differences.iter().copied().filter(|&value| value != 0.0).collect();
    if kept.is_empty() && !differences.is_empty() {
        return Err(NoInterval::NoSpread);
    }
    check_units(kept.len(), MIN_UNITS)?;
    kept.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let ranks = doubled_ranks(&kept);
    let total: u64 = ranks.iter().sum();
    let positive: u64 =
        kept.iter().zip(&ranks).filter(|(value, _)| **value > 0.0).map(|(_, rank)| rank).sum();
    let least = positive.min(total - positive);
    let exact = kept.len() <= EXACT;
    let p = if exact { counted(&ranks, least) } else { approximated(&ranks, least) };
    let dropped = differences.len() - kept.len();
    let statistic = least as f64 / 2.0;
    Ok(Test { p, statistic, kind: TestKind::Wilcoxon, units: kept.len(), dropped, exact })
}

/// Twice the rank of each value by size, so that mean ranks of equal values are whole numbers.
fn doubled_ranks(sorted: &[f64]) -> Vec<u64> {
    let same = |a: &f64, b: &f64| a.abs() == b.abs();
    let mut before = 0;
    let mut ranks = Vec::with_capacity(sorted.len());
    for equal in sorted.chunk_by(same) {
        let rank = 2 * before + equal.len() as u64 + 1;
        ranks.extend(equal.iter().map(|_| rank));
        before += equal.len() as u64;
    }
    ranks
}

/// The share of sign patterns whose sum of positive ranks is at least as far out.
fn counted(ranks: &[u64], least: u64) -> f64 {
    let total = ranks.iter().sum::<u64>() as usize;
    let mut patterns = vec![0_u64; total + 1];
    patterns[0] = 1;
    for &rank in ranks {
        for sum in (rank as usize..=total).rev() {
            patterns[sum] += patterns[sum - rank as usize];
        }
    }
    let one_side: u64 = patterns[..=least as usize].iter().sum();
    (2.0 * one_side as f64 / (1_u64 << ranks.len()) as f64).min(1.0)
}

fn approximated(ranks: &[u64], least: u64) -> f64 {
    // Ranks are doubled, and so are mean and continuity correction; the variance is that of ±rank/2.
    let mean = ranks.iter().sum::<u64>() as f64 / 2.0;
    let deviation = ranks.iter().map(|&rank| (rank * rank) as f64 / 4.0).sum::<f64>().sqrt();
    normal::two_sided((mean - least as f64 - 1.0).max(0.0) / deviation)
}
