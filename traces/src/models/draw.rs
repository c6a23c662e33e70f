//! What several models draw from.

use rand_chacha::rand_core::Rng;
use rand_distr::{Distribution, Gamma};
use statrs::function::gamma::checked_gamma_lr;

use super::error::ModelError;

/// A gamma distribution by shape and scale: its mean is their product.
///
/// Variates are drawn by the method of Marsaglia and Tsang (ACM TOMS 26(3), 2000).
#[derive(Clone, Copy, Debug)]
pub(super) struct GammaLaw {
    shape: f64,
    scale: f64,
    draws: Gamma<f64>,
}

impl GammaLaw {
    /// Returns the distribution; `key` names the parameter in the error.
    ///
    /// # Errors
    /// When the shape or the scale is not above zero.
    pub(super) fn new(key: &str, shape: f64, scale: f64) -> Result<GammaLaw, ModelError> {
        let unfit = |_| ModelError::Unfit {
            key: key.into(),
            value: shape,
            expected: format!("the shape of a gamma distribution, like the scale {scale} above 0"),
        };
        Ok(GammaLaw { shape, scale, draws: Gamma::new(shape, scale).map_err(unfit)? })
    }

    /// Draws a variate.
    pub(super) fn draw(&self, stream: &mut impl Rng) -> f64 {
        self.draws.sample(stream)
    }

    /// Returns the probability of a value up to x.
    pub(super) fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { checked_gamma_lr(self.shape, x / self.scale).unwrap_or(1.0) }
    }
}
