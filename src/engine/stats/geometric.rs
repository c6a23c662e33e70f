//! Mean ratios across traces.

use super::{Interval, Method, NoInterval, student};

/// Returns the geometric mean of ratios with the t interval of their logarithms. O(n).
///
/// The geometric mean suits ratios, because it does not depend on which value is the denominator (Fleming and Wallace, "How not
/// to lie with statistics", Communications of the ACM 29, 1986). Assumes that the traces are a sample of some population, which
/// the reader of a table with its rows must judge, and that the mean of the logarithms is nearly normal.
///
/// # Errors
/// A ratio that is not positive and finite ([`NoInterval::NotFinite`]), and as for [`student::interval`].
pub fn mean_ratio(ratios: &[f64], level: f64) -> Result<Interval, NoInterval> {
    let logarithms: Vec<f64> =
        ratios.iter().map(|&ratio| if ratio > 0.0 { ratio.ln() } else { f64::NAN }).collect();
    let of = student::interval(&logarithms, level)?;
    let [estimate, low, high] = [of.estimate, of.low, of.high].map(f64::exp);
    Interval::new(estimate, [low, high], level, Method::LogStudentT, of.units)
}
