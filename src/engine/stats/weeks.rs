//! Bootstrap over weeks of one log.

use super::bootstrap::{Bca, RESAMPLES};
use super::interval::check_level;
use super::sample::{check_finite, check_units};
use super::{Interval, MIN_UNITS, Method, NoInterval};

/// Returns a ratio of sums, such as total wait divided by number of jobs, with its interval over blocks of
/// time. O(resamples · blocks).
///
/// `blocks` are pairs (sum, count), one for each week. Whole weeks are resampled, as jobs within one week depend on each other;
/// the ends are `BCa` over weeks. Assumes that weeks are independent. The result is conditional on one population of users and
/// says nothing about another site. Weeks with few or no jobs have little or no weight.
///
/// # Errors
/// Fewer than [`MIN_UNITS`] blocks, counts of 0 that can make up a whole resample, no spread, a value that is
/// not finite, a level outside of (0, 1).
pub fn bootstrap(blocks: &[(f64, f64)], level: f64, seed: u64) -> Result<Interval, NoInterval> {
    check_level(level)?;
    check_units(blocks.len(), MIN_UNITS)?;
    for &(sum, count) in blocks {
        check_finite(&[sum, count])?;
    }
    let ratio = |chosen: &[usize]| {
        let (sum, count) =
            chosen.iter().fold((0.0, 0.0), |(sum, count), &at| (sum + blocks[at].0, count + blocks[at].1));
        sum / count
    };
    Bca::of(blocks.len(), &ratio, RESAMPLES, seed)?.interval(level, Method::BlockBootstrap)
}
