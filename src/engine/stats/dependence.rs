//! Units in a row, such as the windows of a log one after the other, of which neighbours may depend on each other.

use super::batch;
use super::sample::moments;

/// The dependence of units on their neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dependence {
    /// Autocorrelation at lag 1, corrected for its bias: above 0.
    pub lag1: f64,
    /// Number of units.
    pub units: usize,
}

impl Dependence {
    /// Returns the dependence of units in a row; `None` if neighbours are not more alike than others, or do not vary. O(n).
    ///
    /// The autocorrelation counts as at most (n - 2)/(n + 2), with which n units are worth two: that of few units is
    /// uncertain.
    pub fn of(values: &[f64]) -> Option<Dependence> {
        let units = values.len();
        let most = (units as f64 - 2.0) / (units as f64 + 2.0);
        let lag1 = batch::lag1(values)?.min(most);
        (lag1 > 0.0).then_some(Dependence { lag1, units })
    }

    /// Returns the number of independent units that tell as much about the mean: n (1 - ρ)/(1 + ρ).
    ///
    /// That is the limit for long series of a first-order autoregression (Bayley and Hammersley, "The effective number of
    /// independent observations in an autocorrelated time series", Supplement to the JRSS 8, 1946).
    pub fn effective(&self) -> f64 {
        self.units as f64 * (1.0 - self.lag1) / (1.0 + self.lag1)
    }

    /// Returns values with the same mean that deviate from it as much more as their mean is less certain than that of independent
    /// values. Intervals and tests of their mean, by means and deviations, then allow for the dependence; the degrees of
    /// freedom stay those of the units. Without dependence the values stay as they are.
    pub fn allow(of: Option<Dependence>, values: &[f64]) -> Vec<f64> {
        let factor = of.map_or(1.0, |of| (of.units as f64 / of.effective()).sqrt());
        match moments(values) {
            Ok(of) if factor > 1.0 => {
                values.iter().map(|value| of.mean + factor * (value - of.mean)).collect()
            }
            _ => values.to_vec(),
        }
    }
}
