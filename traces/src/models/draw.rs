//! Distributions shared by several models.

use chacha20::rand_core::Rng;
use rand_distr::{Distribution, Gamma};
use statrs::function::gamma::checked_gamma_lr;

use super::error::ModelError;
use crate::seed;
use crate::time::Time;

pub(super) fn exponential(mean: f64, stream: &mut impl Rng) -> f64 {
    // 1 - u is in (0, 1]: the logarithm is finite.
    -(1.0 - seed::unit(stream)).ln() * mean
}

/// Rounds a run time to whole seconds, at least one.
pub(super) fn whole_run(seconds: f64) -> Time {
    Time::from_secs(seconds.round().clamp(1.0, LONGEST_RUN) as i64)
}

/// The longest run time that is written, seconds: 32 years, the limit of a replay.
const LONGEST_RUN: f64 = 1e9;

/// A distribution over 1, 2, 3, ... by weights.
#[derive(Clone, Debug)]
pub(super) struct DiscreteDistribution {
    /// Probability of each number or a lower one.
    cumulated: Vec<f64>,
}

impl DiscreteDistribution {
    /// Returns the distribution in which the probability of a number is proportional to its weight; the sum
    /// of the weights must be positive.
    pub(super) fn new(weights: impl Iterator<Item = f64>) -> DiscreteDistribution {
        let mut sum = 0.0;
        let mut cumulated: Vec<f64> = weights
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        for share in &mut cumulated {
            *share /= sum;
        }
        DiscreteDistribution { cumulated }
    }

    /// Draws a number, from 1. O(log n).
    pub(super) fn draw(&self, stream: &mut impl Rng) -> i64 {
        let u = seed::unit(stream);
        self.cumulated.partition_point(|&share| share <= u) as i64 + 1
    }

    pub(super) fn shares(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        let below = std::iter::once(&0.0).chain(&self.cumulated);
        (1..).zip(self.cumulated.iter().zip(below).map(|(upto, below)| upto - below))
    }

    pub(super) fn mean(&self, of: impl Fn(i64) -> f64) -> f64 {
        self.shares().map(|(number, share)| share * of(number)).sum()
    }
}

/// A gamma distribution by shape and scale; its mean is their product.
///
/// Variates are drawn by the method of Marsaglia and Tsang (ACM TOMS 26(3), 2000).
#[derive(Clone, Copy, Debug)]
pub(super) struct GammaLaw {
    shape: f64,
    scale: f64,
    draws: Gamma<f64>,
}

impl GammaLaw {
    /// Returns the distribution; `key` is the name of the parameter in errors. Fails when the shape or the scale is not above
    /// zero.
    pub(super) fn new(key: &str, shape: f64, scale: f64) -> Result<GammaLaw, ModelError> {
        let unfit = |_| ModelError::Unfit {
            key: key.into(),
            value: shape,
            expected: format!("the shape of a gamma distribution, like the scale {scale} above 0"),
        };
        Ok(GammaLaw { shape, scale, draws: Gamma::new(shape, scale).map_err(unfit)? })
    }

    pub(super) fn draw(&self, stream: &mut impl Rng) -> f64 {
        self.draws.sample(stream)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { checked_gamma_lr(self.shape, x / self.scale).unwrap_or(1.0) }
    }
}
