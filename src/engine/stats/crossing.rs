//! The load at which a metric reaches a bound.

use super::bootstrap::{RESAMPLES, Resampled, resample_any};
use super::interval::check_level;
use super::sample::{check_finite, check_units};
use super::{Interval, MIN_UNITS, Method, NoInterval, isotonic, quantile::type7};

/// The load at which the mean curve reaches a bound: an estimate without an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reached {
    /// At this load, between two measured loads.
    At(f64),
    /// Below all loads: the curve exceeds the bound already at the least load.
    Below,
    /// Above all loads: the curve does not exceed the bound at the greatest load.
    Above,
}

/// Where a curve over loads reaches a bound.
#[derive(Clone, Debug, PartialEq)]
pub enum Crossing {
    /// Between two loads; both ends of the interval lie within the loads.
    Within(Interval),
    /// Between two loads, but an end of the interval lies outside of all loads.
    Open {
        /// Load at which the curve reaches the bound.
        estimate: f64,
        /// Lower end; `None` below the least load.
        low: Option<f64>,
        /// Upper end; `None` above the greatest load.
        high: Option<f64>,
        /// Level of confidence.
        level: f64,
        /// Units.
        units: usize,
    },
    /// Below all loads: the curve exceeds the bound already at the least load.
    Below,
    /// Above all loads: the curve does not exceed the bound at the greatest load.
    Above,
}

/// Returns the greatest load at which a metric does not exceed a bound, such as mean bounded slowdown 20. O(resamples · units ·
/// loads). `curves` has a row for each unit (seed or window) with the metric at each of the increasing `loads`. The mean curve
/// over units is made increasing ([`isotonic::increasing`] of logarithms), and its logarithm is interpolated linearly between
/// loads, as slowdowns grow by factors when the load nears saturation (criterion of Zhang et al., "Improving parallel job
/// scheduling by combining gang scheduling and backfilling techniques", IPDPS 2000). Only means need a logarithm: a unit may have
/// the value 0. A mean of 0 is below every bound, and so are the means at lesser loads; from it to the next load the means
/// themselves are interpolated. The interval is a percentile interval over units; a unit is resampled with its whole curve, as
/// its loads share random numbers. Assumes independent units.
///
/// # Errors
/// Rows with another length than `loads`; loads that do not increase; values that are negative or not finite; a bound that
/// is not positive and finite; a level outside of (0, 1). If the crossing lies between loads, also fewer than
/// [`MIN_UNITS`] units, or no spread.
pub fn load(
    loads: &[f64],
    curves: &[Vec<f64>],
    bound: f64,
    level: f64,
    seed: u64,
) -> Result<Crossing, NoInterval> {
    check(loads, curves, bound)?;
    check_level(level)?;
    let statistic = |chosen: &[usize]| reached(loads, &mean_curve(loads.len(), curves, chosen), bound);
    let all: Vec<usize> = (0..curves.len()).collect();
    match statistic(&all) {
        f64::NEG_INFINITY => return Ok(Crossing::Below),
        f64::INFINITY => return Ok(Crossing::Above),
        _ => check_units(curves.len(), MIN_UNITS)?,
    }
    let of = resample_any(curves.len(), &statistic, RESAMPLES, seed)?;
    if of.sorted.first() == of.sorted.last() {
        return Err(NoInterval::NoSpread);
    }
    ends(&of, level)
}

/// Returns where the mean curve reaches the bound, as [`load`] does, for any number of units. O(units · loads).
pub fn estimate(loads: &[f64], curves: &[Vec<f64>], bound: f64) -> Result<Reached, NoInterval> {
    check(loads, curves, bound)?;
    let all: Vec<usize> = (0..curves.len()).collect();
    Ok(match reached(loads, &mean_curve(loads.len(), curves, &all), bound) {
        f64::NEG_INFINITY => Reached::Below,
        f64::INFINITY => Reached::Above,
        load => Reached::At(load),
    })
}

fn ends(of: &Resampled, level: f64) -> Result<Crossing, NoInterval> {
    let end = |share| type7(&of.sorted, share).unwrap_or(f64::NAN);
    let [low, high] = [end((1.0 - level) / 2.0), end(f64::midpoint(1.0, level))];
    if low.is_finite() && high.is_finite() {
        let interval = Interval::new(of.estimate, [low, high], level, Method::Percentile, of.units)?;
        return Ok(Crossing::Within(interval));
    }
    let known = |end: f64| end.is_finite().then_some(end);
    let (low, high) = (known(low.min(of.estimate)), known(high.max(of.estimate)));
    Ok(Crossing::Open { estimate: of.estimate, low, high, level, units: of.units })
}

fn check(loads: &[f64], curves: &[Vec<f64>], bound: f64) -> Result<(), NoInterval> {
    check_finite(loads)?;
    check_units(curves.len(), 1)?;
    check_units(loads.len(), 2)?;
    let increasing = loads.windows(2).all(|pair| pair[0] < pair[1]);
    if !increasing || curves.iter().any(|curve| curve.len() != loads.len()) {
        return Err(NoInterval::Mismatch);
    }
    curves.iter().try_for_each(|curve| check_finite(curve))?;
    check_finite(&[bound])?;
    let is_positive = bound > 0.0 && curves.iter().flatten().all(|&value| value >= 0.0);
    if is_positive { Ok(()) } else { Err(NoInterval::NotPositive) }
}

/// Means over chosen units.
fn mean_curve(loads: usize, curves: &[Vec<f64>], chosen: &[usize]) -> Vec<f64> {
    let mean = |at| chosen.iter().map(|&unit| curves[unit][at] / chosen.len() as f64).sum::<f64>();
    (0..loads).map(mean).collect()
}

/// The load at which the increasing curve reaches the bound: −∞ below the least load, ∞ above the greatest.
fn reached(loads: &[f64], means: &[f64], bound: f64) -> f64 {
    // What is before a mean of 0 is pooled with it.
    let zeros = means.iter().rposition(|&mean| mean == 0.0).map_or(0, |last| last + 1);
    let logarithms: Vec<f64> = means[zeros..].iter().map(|mean| mean.ln()).collect();
    let Ok(curve) = isotonic::increasing(&vec![1.0; logarithms.len()], &logarithms) else { return f64::NAN };
    let above = zeros + curve.partition_point(|&value| value <= bound.ln());
    if above == 0 {
        return f64::NEG_INFINITY;
    }
    if above == means.len() {
        return f64::INFINITY;
    }
    let high = curve[above - zeros];
    let share = match above.checked_sub(zeros + 1) {
        Some(low) => (bound.ln() - curve[low]) / (high - curve[low]),
        None => bound / high.exp(),
    };
    loads[above - 1] + (loads[above] - loads[above - 1]) * share
}
