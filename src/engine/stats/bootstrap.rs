//! `BCa` bootstrap over independent units.

use super::interval::check_level;
use super::sample::check_units;
use super::{Interval, MIN_UNITS, Method, NoInterval, Test, TestKind, normal, quantile};

mod resampled;

use resampled::resample;
pub(super) use resampled::{Resampled, resample_any};

/// The number of resamples that functions of this room draw.
pub const RESAMPLES: usize = 10_000;

/// Returns the mean of values over the units of a resample. O(units)
pub fn mean_of(values: &[f64], chosen: &[usize]) -> f64 {
    chosen.iter().map(|&unit| values[unit]).sum::<f64>() / chosen.len() as f64
}

/// Returns a statistic of all units with its `BCa` interval. O(resamples · (cost of the statistic + log resamples)).
///
/// The statistic receives the indices of the units of a resample, repeated as often as they were drawn. Bias-corrected and
/// accelerated (Efron, "Better bootstrap confidence intervals", JASA 82, 1987; Efron and Tibshirani, "An Introduction to the
/// Bootstrap", 1993, §14.3): the bias comes from the share of resamples below the estimate (plus half of those equal to it), the
/// acceleration from leaving out each unit in turn; the ends are quantiles of type 7. If all nⁿ resamples are at most
/// `resamples`, each is taken once and nothing is drawn. Assumes independent units. With fewer than 20 units (50 if they are
/// skewed) it covers less than its level ([`super::caution`]).
///
/// # Errors
/// Fewer than [`MIN_UNITS`] units; a statistic that does not vary, or is not finite for some resample; an
/// estimate at the edge of the resamples; a level outside of (0, 1).
pub fn bca(
    units: usize,
    statistic: &dyn Fn(&[usize]) -> f64,
    level: f64,
    resamples: usize,
    seed: u64,
) -> Result<Interval, NoInterval> {
    check_level(level)?;
    check_units(units, MIN_UNITS)?;
    Bca::of(units, statistic, resamples, seed)?.interval(level, Method::Bca)
}

/// Tests whether a statistic equals `null`: the p-value is 1 − level of the `BCa` interval that ends at `null`.
///
/// `statistic` of the result is the estimate. If no resample lies beyond `null`, the formula gives p = 0; reported is
/// 2/(resamples + 1), the least value that this number of resamples can support. Costs, assumptions and errors as of [`bca`].
///
/// # Errors
/// As of [`bca`]; a `null` that is not finite.
pub fn bca_test(
    units: usize,
    statistic: &dyn Fn(&[usize]) -> f64,
    null: f64,
    resamples: usize,
    seed: u64,
) -> Result<Test, NoInterval> {
    check_units(units, MIN_UNITS)?;
    if !null.is_finite() {
        return Err(NoInterval::NotFinite);
    }
    let of = Bca::of(units, statistic, resamples, seed)?;
    Ok(Test {
        p: of.p_value(null),
        statistic: of.resampled.estimate,
        kind: TestKind::Bca,
        units,
        dropped: 0,
        exact: false,
    })
}

/// Returns the share of resamples in which a condition holds, 1 or 0 as the statistic. Costs and assumptions as of [`bca`].
///
/// # Errors
/// Fewer than [`MIN_UNITS`] units; a statistic that is not a number for some resample.
pub fn share(
    units: usize,
    condition: &dyn Fn(&[usize]) -> f64,
    resamples: usize,
    seed: u64,
) -> Result<f64, NoInterval> {
    check_units(units, MIN_UNITS)?;
    let of = resample_any(units, condition, resamples, seed)?;
    Ok(of.sorted.iter().sum::<f64>() / of.sorted.len() as f64)
}

/// Returns the deviate of a share of resamples: how many standard errors lie between the estimate and what the other
/// resamples are beyond. It grows with the root of the number of units.
pub fn deviate(share: f64) -> f64 {
    normal::quantile(share)
}

/// The ingredients of a `BCa` interval of any level.
pub(super) struct Bca {
    resampled: Resampled,
    /// z₀: the position of the estimate among the resamples, as a normal deviate.
    bias: f64,
    acceleration: f64,
}

impl Bca {
    pub(super) fn of(
        units: usize,
        statistic: &dyn Fn(&[usize]) -> f64,
        resamples: usize,
        seed: u64,
    ) -> Result<Bca, NoInterval> {
        let drawn = resample(units, statistic, resamples, seed)?;
        let bias = normal::quantile(drawn.share_below(drawn.estimate));
        if !bias.is_finite() {
            return Err(NoInterval::Biased);
        }
        let acceleration = acceleration(units, statistic)?;
        Ok(Bca { resampled: drawn, bias, acceleration })
    }

    pub(super) fn interval(&self, level: f64, method: Method) -> Result<Interval, NoInterval> {
        let z = normal::quantile(0.5 + level / 2.0);
        if self.bias.abs() >= z {
            return Err(NoInterval::Biased);
        }
        let end = |z: f64| {
            let shift = self.bias + z;
            let rest = 1.0 - self.acceleration * shift;
            let share = normal::cdf(self.bias + shift / rest);
            let end = quantile::type7(&self.resampled.sorted, share);
            end.filter(|_| rest > 0.0).ok_or(NoInterval::Biased)
        };
        let ends = [end(-z)?, end(z)?];
        Interval::new(self.resampled.estimate, ends, level, method, self.resampled.units)
    }

    /// Solves the formula of an interval's end for the level at which the end is `null`.
    fn p_value(&self, null: f64) -> f64 {
        let least = 2.0 / (self.resampled.sorted.len() as f64 + 1.0);
        let place = normal::quantile(self.resampled.share_below(null)) - self.bias;
        if place.is_infinite() {
            return least;
        }
        let deviate = place / (1.0 + self.acceleration * place) - self.bias;
        normal::two_sided(deviate).clamp(least, 1.0)
    }
}

/// A sixth of the skewness of the jackknife values (Efron and Tibshirani, eq. 14.15).
fn acceleration(units: usize, statistic: &dyn Fn(&[usize]) -> f64) -> Result<f64, NoInterval> {
    let mut kept: Vec<usize> = (1..units).collect();
    let mut without = Vec::with_capacity(units);
    for left_out in 0..units {
        without.push(statistic(&kept));
        if let Some(slot) = kept.get_mut(left_out) {
            *slot = left_out;
        }
    }
    let of = super::sample::moments(&without)?;
    if of.sd == 0.0 {
        return Ok(0.0);
    }
    let n = units as f64;
    let cubes: f64 = without.iter().map(|value| ((of.mean - value) / of.sd).powi(3)).sum();
    Ok(cubes / (6.0 * (n - 1.0).powf(1.5)))
}
