//! Ranks of several policies over the same units.

use statrs::function::gamma::checked_gamma_ur;

use super::NoInterval;
use super::sample::{check_finite, check_units};

/// Units below which nothing is tested.
const NEEDED: usize = super::MIN_UNITS;

/// The result of Friedman's test.
#[derive(Clone, Debug, PartialEq)]
pub struct Friedman {
    /// Friedman's chi-squared, corrected for ties.
    pub statistic: f64,
    /// Probability of at least as much, were all policies alike.
    pub p: f64,
    /// Mean rank of each policy over units: 1 is the least value, equal ones share.
    pub mean_ranks: Vec<f64>,
}

/// Tests whether policies differ at all, by their ranks within units (Friedman 1937). O(units · policies²).
///
/// `values` has a row for each unit with a value of each policy. The p-value is of the chi-squared distribution with one
/// degree of freedom less than policies (Conover, "Practical Nonparametric Statistics", 3rd ed., §5.8), rough for few
/// units. Assumes independent units.
///
/// # Errors
/// Rows of different lengths, fewer than [`super::MIN_UNITS`] units or than three policies, only ties, a value that is not
/// finite.
pub fn friedman(values: &[Vec<f64>]) -> Result<Friedman, NoInterval> {
    let policies = values.first().map_or(0, Vec::len);
    if values.iter().any(|row| row.len() != policies) {
        return Err(NoInterval::Mismatch);
    }
    check_units(values.len(), NEEDED)?;
    check_units(policies, 3)?;
    let (mut sums, mut squares) = (vec![0.0; policies], 0.0);
    for row in values {
        check_finite(row)?;
        for (sum, rank) in sums.iter_mut().zip(ranks(row)) {
            *sum += rank;
            squares += rank * rank;
        }
    }
    let (n, k) = (values.len() as f64, policies as f64);
    let middle = n * (k + 1.0) / 2.0;
    let spread = squares - n * k * (k + 1.0) * (k + 1.0) / 4.0;
    if spread <= 0.0 {
        return Err(NoInterval::NoSpread);
    }
    let between: f64 = sums.iter().map(|sum| (sum - middle) * (sum - middle)).sum();
    let statistic = (k - 1.0) * between / spread;
    let p = if statistic > 0.0 { checked_gamma_ur((k - 1.0) / 2.0, statistic / 2.0) } else { Ok(1.0) };
    let mean_ranks = sums.iter().map(|sum| sum / n).collect();
    Ok(Friedman { statistic, p: p.map_err(|_| NoInterval::NotFinite)?, mean_ranks })
}

/// Ranks from 1, equal values sharing their mean.
fn ranks(row: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = row.iter().filter(|other| *other < value).count();
        let up_to = row.iter().filter(|other| *other <= value).count();
        (below + up_to + 1) as f64 / 2.0
    };
    row.iter().map(rank).collect()
}
