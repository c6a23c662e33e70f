//! Batch means: the mean of one long, dependent series.

use super::interval::check_level;
use super::sample::{check_units, moments};
use super::{Interval, MIN_UNITS, Method, NoInterval, student};

/// The least number of batches in which dependence is estimated.
const SMALL_BATCHES: usize = 100;
/// The numbers of batches that are tried, in this order.
const TRIED: [usize; 8] = [30, 25, 20, 16, 12, 10, 8, MIN_UNITS];
/// The greatest acceptable autocorrelation of neighbouring batches: it makes an interval 5 % too short.
const LET_PASS: f64 = 0.05;
/// Normal deviate above which an autocorrelation differs significantly from 0: one-sided, 5 %.
const TOLD: f64 = 1.644_853_626_951_472_7;

/// The mean of a series, with details of its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchMeans {
    /// The mean of the whole series with its interval.
    pub interval: Interval,
    /// Number of batches.
    pub batches: usize,
    /// Values in a batch; some have one more.
    pub size: usize,
    /// Autocorrelation at lag 1 of at least 100 small batches, corrected for its bias.
    pub lag1: f64,
    /// Present if even the fewest batches depend on each other, so that the interval is too short.
    pub warning: Option<Dependent>,
}

/// Batches that are not independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dependent {
    /// Autocorrelation of neighbouring batches: the greater of the measured one and the one expected from small batches.
    pub lag1: f64,
    /// Number of batches.
    pub batches: usize,
}

/// Returns the mean of a series with the t interval over means of batches. O(n).
///
/// The autocorrelation at lag 1 is estimated in 100 to 199 small batches, if it can be. Then the series is cut into 30, 25 or 20
/// batches, or 16, 12, 10, 8, 6: the first number for which neighbouring batches are nearly independent. That is: their
/// autocorrelation would be at most 0.05 if the small batches were a first-order autoregression, and von Neumann's ratio does not
/// show it to be positive (one-sided, 5 %). This follows Banks, Carson, Nelson and Nicol ("Discrete-Event System Simulation", 5th
/// ed., §11.5.5), with at most the 30 batches of Schmeiser ("Batch size effects in the analysis of simulation output", Operations
/// Research 30, 1982). All values are used; batches differ by one value at most.
///
/// Assumes a stationary series: warm-up must be cut off before, and a log with drift or a weekly cycle is not stationary. Near
/// capacity even long series are too short, and the warning does not detect all of these: see [`super::caution`].
///
/// # Errors
/// Fewer than 100 values, no spread, a value that is not finite, a level outside of (0, 1).
pub fn means(series: &[f64], level: f64) -> Result<BatchMeans, NoInterval> {
    check_level(level)?;
    check_units(series.len(), SMALL_BATCHES)?;
    let estimate = moments(series)?.mean;
    let small = cut(series, series.len() / (series.len() / SMALL_BATCHES))?;
    let Some(lag1) = lag1(&small) else { return Err(NoInterval::NoSpread) };
    let mut warning = None;
    let mut batches = cut(series, MIN_UNITS)?;
    for number in TRIED {
        batches = cut(series, number)?;
        warning = dependent(&batches, aggregated(lag1, small.len() as f64 / number as f64));
        if warning.is_none() {
            break;
        }
    }
    let number = batches.len();
    let of = moments(&batches)?;
    if of.sd == 0.0 {
        return Err(NoInterval::NoSpread);
    }
    let margin = student::quantile(0.5 + level / 2.0, number as f64 - 1.0) * of.sd / (number as f64).sqrt();
    let method = Method::BatchMeans { batches: number };
    let interval = Interval::new(estimate, [estimate - margin, estimate + margin], level, method, number)?;
    Ok(BatchMeans { interval, batches: number, size: series.len() / number, lag1, warning })
}

/// Returns the autocorrelation of a series; `None` without spread, for a value that is not finite, or a lag that is not
/// shorter than the series. O(n).
///
/// Σ (xₜ − x̄)(xₜ₊ₗ − x̄) / Σ (xₜ − x̄)² (Box and Jenkins, "Time Series Analysis", §2.1.5).
pub fn autocorrelation(series: &[f64], lag: usize) -> Option<f64> {
    let of = moments(series).ok().filter(|of| of.sd > 0.0)?;
    let later = series.get(lag..).filter(|later| !later.is_empty())?;
    let deviation = |value: &f64| (value - of.mean) / of.sd;
    let products: f64 = series.iter().zip(later).map(|(a, b)| deviation(a) * deviation(b)).sum();
    Some(products / (series.len() - 1) as f64)
}

/// Returns the autocorrelation at lag 1, corrected for its bias (Marriott and Pope, "Bias in the estimation of
/// autocorrelations", Biometrika 41, 1954): at most 1; `None` as of [`autocorrelation`]. O(n).
pub fn lag1(series: &[f64]) -> Option<f64> {
    let measured = autocorrelation(series, 1)?;
    Some((measured + (1.0 + 3.0 * measured) / series.len() as f64).min(1.0))
}

/// The means of `number` batches, whose sizes differ by at most one value.
fn cut(series: &[f64], number: usize) -> Result<Vec<f64>, NoInterval> {
    let n = series.len() as u128;
    let edge = |at: usize| (at as u128 * n / number as u128) as usize;
    (0..number).map(|at| Ok(moments(&series[edge(at)..edge(at + 1)])?.mean)).collect()
}

/// The autocorrelation of neighbouring batches if each combines `together` values of a first-order autoregression.
fn aggregated(lag1: f64, together: f64) -> f64 {
    let r = lag1.clamp(0.0, 0.999);
    if r == 0.0 {
        return 0.0;
    }
    let rest = 1.0 - r;
    let far = 1.0 - r.powf(together);
    let variance = together + 2.0 * (together * r / rest - r * far / (rest * rest));
    r * far * far / (rest * rest) / variance
}

/// Returns a warning if batches depend on each other, as measured or as expected.
fn dependent(batches: &[f64], expected: f64) -> Option<Dependent> {
    let number = batches.len() as f64;
    let measured = von_neumann(batches)?;
    let told = measured / ((number - 2.0) / (number * number - 1.0)).sqrt() > TOLD;
    let lag1 = expected.max(if told { measured } else { 0.0 });
    (told || expected > LET_PASS).then_some(Dependent { lag1, batches: batches.len() })
}

/// Autocorrelation at lag 1 with half weight of the ends: 1 − Σ(differences²)/(2 Σ(deviations²)), 0 on average for
/// independent values (von Neumann, "Distribution of the ratio of the mean square successive difference to the
/// variance", Annals of Mathematical Statistics 12, 1941).
fn von_neumann(values: &[f64]) -> Option<f64> {
    let of = moments(values).ok().filter(|of| of.sd > 0.0)?;
    let steps: f64 = values.windows(2).map(|pair| ((pair[1] - pair[0]) / of.sd).powi(2)).sum();
    Some(1.0 - steps / (2.0 * (values.len() - 1) as f64))
}
