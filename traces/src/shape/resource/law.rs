//! Distributions of amounts, as quantile functions.

use crate::arrange::Arrange as _;
use statrs::distribution::{ContinuousCDF, Normal};

/// A distribution.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    Constant(f64),
    Uniform(f64, f64),
    /// Normal, by mean and standard deviation.
    Normal(f64, f64),
    /// Lognormal, by median and standard deviation of the natural logarithm.
    Lognormal(f64, f64),
    /// Exponential, by mean.
    Exponential(f64),
    /// The distribution of some values, in ascending order.
    Empirical(Vec<f64>),
}

impl Law {
    /// Returns the distribution of the known values (finite and not negative); `None` if there are none.
    pub fn empirical(mut values: Vec<f64>) -> Option<Law> {
        values.retain(|value| value.is_finite() && *value >= 0.0);
        values.arrange_by(f64::total_cmp);
        (!values.is_empty()).then_some(Law::Empirical(values))
    }

    /// Returns the value below which a variate lies with probability u, 0 < u < 1.
    pub fn quantile(&self, u: f64) -> f64 {
        match self {
            Law::Constant(value) => *value,
            Law::Uniform(a, b) => a + (b - a) * u,
            Law::Normal(mean, sd) => mean + sd * normal_quantile(u),
            Law::Lognormal(median, sigma) => median * (sigma * normal_quantile(u)).exp(),
            Law::Exponential(mean) => -mean * (-u).ln_1p(),
            Law::Empirical(values) => values[((u * values.len() as f64) as usize).min(values.len() - 1)],
        }
    }

    pub fn below_and_up_to(&self, x: f64) -> (f64, f64) {
        let both = |p: f64| (p, p);
        match self {
            Law::Constant(value) => (f64::from(*value < x), f64::from(*value <= x)),
            Law::Uniform(a, b) if a == b => (f64::from(*a < x), f64::from(*a <= x)),
            Law::Uniform(a, b) => both(((x - a) / (b - a)).clamp(0.0, 1.0)),
            Law::Normal(mean, sd) => both(normal_cdf((x - mean) / sd)),
            Law::Lognormal(median, sigma) if x > 0.0 => both(normal_cdf((x / median).ln() / sigma)),
            Law::Exponential(mean) if x > 0.0 => both(-(-x / mean).exp_m1()),
            Law::Lognormal(..) | Law::Exponential(_) => (0.0, 0.0),
            Law::Empirical(values) => {
                let share = |count: usize| count as f64 / values.len() as f64;
                (
                    share(values.partition_point(|value| *value < x)),
                    share(values.partition_point(|value| *value <= x)),
                )
            }
        }
    }
}

pub fn normal_quantile(u: f64) -> f64 {
    Normal::standard().inverse_cdf(u)
}

/// Returns the distribution function of the standard normal distribution.
pub fn normal_cdf(z: f64) -> f64 {
    if z.is_nan() { 0.5 } else { Normal::standard().cdf(z) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moments of a law over an even grid of probabilities.
    fn moments(law: &Law) -> (f64, f64) {
        const GRID: usize = 200_000;
        let values = (0..GRID).map(|at| law.quantile((at as f64 + 0.5) / GRID as f64));
        let (sum, squares) = values.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        let mean = sum / GRID as f64;
        (mean, (squares / GRID as f64 - mean * mean).sqrt())
    }

    #[test]
    fn means_and_deviations_are_those_of_the_textbook() {
        // Within 0.5 %: the grid cuts off the tails at 1 : 400,000.
        for (law, mean, sd) in [
            (Law::Uniform(2.0, 6.0), 4.0, 4.0 / 12f64.sqrt()),
            (Law::Normal(10.0, 3.0), 10.0, 3.0),
            (Law::Lognormal(5.0, 0.5), 5.0 * 0.125f64.exp(), 5.0 * 0.125f64.exp() * 0.25f64.exp_m1().sqrt()),
            (Law::Exponential(7.0), 7.0, 7.0),
            (Law::Empirical(vec![1.0, 2.0, 2.0, 5.0]), 2.5, 1.5),
            (Law::Constant(4.0), 4.0, 0.0),
        ] {
            let (m, s) = moments(&law);
            assert!((m / mean - 1.0).abs() < 0.005, "{law:?}: mean {m}, not {mean}");
            assert!((s - sd).abs() <= 0.005 * sd + 1e-6, "{law:?}: sd {s}, not {sd}");
        }
    }

    #[test]
    fn quantiles_and_probabilities_are_each_others_inverse() {
        let laws =
            [Law::Uniform(2.0, 6.0), Law::Normal(1.0, 2.0), Law::Lognormal(5.0, 1.5), Law::Exponential(7.0)];
        for law in laws {
            for u in [1e-9, 0.01, 0.3, 0.5, 0.99, 1.0 - 1e-9] {
                let (below, up_to) = law.below_and_up_to(law.quantile(u));
                assert!((below - u).abs() < 1e-10 && below == up_to, "{law:?} at {u}: {below}");
            }
        }
        let steps = Law::Empirical(vec![1.0, 2.0, 2.0, 5.0]);
        assert_eq!(steps.below_and_up_to(2.0), (0.25, 0.75));
        assert_eq!([0.1, 0.25, 0.74, 0.75, 0.999].map(|u| steps.quantile(u)), [1.0, 2.0, 2.0, 5.0, 5.0]);
    }
}
