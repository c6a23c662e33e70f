//! The interval in which further units lie.

use super::interval::check_level;
use super::sample::{check_units, moments};
use super::{Interval, Method, NoInterval, student};

/// Returns the mean of independent units with the interval in which the mean of `runs` further units lies. O(n).
///
/// `m ± t · s · √(1/runs + 1/n)` with n − 1 degrees of freedom (Hahn and Meeker, "Statistical Intervals", 1991). One further
/// unit, if all values are above 0, is predicted on the logarithms: the estimate is then a geometric mean. The mean of several is
/// an arithmetic one, and is predicted on the values. Assumes units from a distribution that is nearly normal, or lognormal.
///
/// # Errors
/// Fewer than two values, no spread, a value that is not finite, a level outside of (0, 1).
pub fn interval(values: &[f64], runs: u32, level: f64) -> Result<Interval, NoInterval> {
    if runs > 1 || !values.iter().all(|&value| value > 0.0) {
        return linear(values, runs, level);
    }
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let of = linear(&logarithms, runs, level)?;
    let [estimate, low, high] = [of.estimate, of.low, of.high].map(f64::exp);
    Interval::new(estimate, [low, high], level, Method::LogStudentT, of.units)
}

fn linear(values: &[f64], runs: u32, level: f64) -> Result<Interval, NoInterval> {
    check_level(level)?;
    check_units(values.len(), 2)?;
    let of = moments(values)?;
    if of.sd == 0.0 {
        return Err(NoInterval::NoSpread);
    }
    let n = of.count as f64;
    let share = 1.0 / f64::from(runs.max(1)) + 1.0 / n;
    let margin = student::quantile(0.5 + level / 2.0, n - 1.0) * of.sd * share.sqrt();
    Interval::new(of.mean, [of.mean - margin, of.mean + margin], level, Method::StudentT, of.count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(values: &[f64], runs: u32) -> [f64; 2] {
        let of = interval(values, runs, 0.95).unwrap();
        [of.low, of.high]
    }

    /// t with 0.975 below it is 4.302653 for 2 degrees of freedom.
    #[test]
    fn one_further_unit_of_three() {
        // Mean 0, deviation 1: 4.302653 · √(1 + 1/3) = 4.968276.
        let [low, high] = ends(&[-1.0, 0.0, 1.0], 1);
        assert!((low + 4.968_276).abs() < 1e-5 && (high - 4.968_276).abs() < 1e-5, "{low} {high}");
        // The mean of three further ones: 4.302653 · √(1/3 + 1/3) = 3.513101.
        assert!((ends(&[-1.0, 0.0, 1.0], 3)[1] - 3.513_101).abs() < 1e-5);
        // Logarithms to base 10 of −1, 0 and 1: the same with factors.
        let [low, high] = ends(&[0.1, 1.0, 10.0], 1);
        assert!((high.log10() - 4.968_276).abs() < 1e-5 && (low * high - 1.0).abs() < 1e-9, "{low} {high}");
        // The mean of two further ones lies around the arithmetic mean of 3.7.
        let [low, high] = ends(&[0.1, 1.0, 10.0], 2);
        assert!((low + high - 7.4).abs() < 1e-9 && low < 0.0, "{low} {high}");
    }

    #[test]
    fn one_unit_and_equal_units_predict_nothing() {
        assert_eq!(interval(&[3.0], 1, 0.95), Err(NoInterval::TooFew { units: 1, needed: 2 }));
        assert_eq!(interval(&[3.0, 3.0], 1, 0.95), Err(NoInterval::NoSpread));
    }
}
