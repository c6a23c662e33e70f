//! Hyper-Erlang distributions of common order, and matching one to three given moments.

use std::fmt;

use chacha20::rand_core::Rng;
use serde::Serialize;
use statrs::function::gamma::checked_gamma_lr;

use crate::models::draw::{GammaLaw, exponential};
use crate::seed;

/// A mixture of two Erlang distributions of the same order n: the sum of n exponential times of the rate λ₁
/// with probability p, otherwise of the rate λ₂ (Jann et al. 1997, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HyperErlang {
    /// The order n.
    pub order: u32,
    /// Probability of the first, slower branch.
    pub p: f64,
    /// Rate of each exponential time of the first branch, at most that of the second.
    pub lambda1: f64,
    /// Rate of each exponential time of the second branch.
    pub lambda2: f64,
}

/// The relative distance that moments must keep from the bounds of feasibility: closer, rounding errors dominate.
const MARGIN: f64 = 1e-9;

impl HyperErlang {
    /// Returns the distribution of the lowest order, up to `max_order`, with three given moments about zero;
    /// `None` if no order is feasible.
    ///
    /// The order n is feasible if n·CV² > 1 and m₁m₃/m₂² > (n+2)/(n+1): every distribution of positive
    /// values with at least two different ones is matched by some order (Johnson and Taaffe 1989). O(1).
    pub fn matching(moments: [f64; 3], max_order: u32) -> Option<HyperErlang> {
        let [m1, m2, m3] = moments;
        let (cv2, ratio) = (m2 / (m1 * m1) - 1.0, m1 * m3 / (m2 * m2));
        if !(m1 > 0.0 && cv2 > 0.0 && ratio > 1.0 && ratio.is_finite() && cv2.is_finite()) {
            return None;
        }
        // From the two bounds: n > 1/CV², n + 1 > 1/(ratio - 1).
        let order = (1.0 / cv2).max(1.0 / (ratio - 1.0) - 1.0).max(1.0);
        if order > f64::from(max_order) {
            return None;
        }
        (order.floor() as u32..=max_order).take(3).find_map(|order| HyperErlang::of_order(order, moments))
    }

    /// Returns the distribution of a given order with three given moments about zero; `None` if there is none.
    ///
    /// Divided by n(n+1)…(n+k−1), and by powers of the mean, the moments are those of a law on two points x₁,
    /// x₂ with mean 1 (the branches' mean stages, relative to the mean stage): the roots of a quadratic.
    fn of_order(order: u32, [m1, m2, m3]: [f64; 3]) -> Option<HyperErlang> {
        let n = f64::from(order);
        let cv2 = m2 / (m1 * m1) - 1.0;
        let nu2 = m2 / (m1 * m1) * n / (n + 1.0);
        let nu3 = m3 / (m1 * m1 * m1) * n / (n + 1.0) * n / (n + 2.0);
        // ν₂ − 1, the variance of the two-point law, computed without cancellation.
        let variance = (n * cv2 - 1.0) / (n + 1.0);
        let slack = nu3 - nu2 * nu2;
        if variance < MARGIN || slack < MARGIN * nu3 {
            return None;
        }
        // About their mean 1 the points are y₁ > 0 > y₂: y₁y₂ is minus the variance, y₁ + y₂ the third
        // central moment over the variance. The root without cancellation comes first.
        let sum = (nu3 - 3.0 * nu2 + 2.0) / variance;
        let root = (sum * sum + 4.0 * variance).sqrt();
        let (y1, y2) = if sum >= 0.0 {
            let y1 = f64::midpoint(sum, root);
            (y1, -variance / y1)
        } else {
            let y2 = f64::midpoint(sum, -root);
            (-variance / y2, y2)
        };
        let (p, x1, x2) = (-y2 / (y1 - y2), 1.0 + y1, 1.0 + y2);
        let stage = m1 / n;
        let law = HyperErlang { order, p, lambda1: 1.0 / (x1 * stage), lambda2: 1.0 / (x2 * stage) };
        let sound = x2 > 0.0 && p > 0.0 && p < 1.0 && law.lambda1 > 0.0 && law.lambda2.is_finite();
        sound.then_some(law)
    }

    /// Returns the first three moments about zero.
    pub fn moments(&self) -> [f64; 3] {
        let n = f64::from(self.order);
        let mut rising = 1.0;
        std::array::from_fn(|power| {
            rising *= n + power as f64;
            let term = |share: f64, rate: f64| share * rate.powi(-(power as i32 + 1));
            rising * (term(self.p, self.lambda1) + term(1.0 - self.p, self.lambda2))
        })
    }

    /// Returns the mean: n(p/λ₁ + (1−p)/λ₂).
    pub fn mean(&self) -> f64 {
        self.moments()[0]
    }

    /// Returns the probability of a value up to x.
    pub fn cdf(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        let branch = |rate: f64| checked_gamma_lr(self.order.into(), rate * x).unwrap_or(1.0);
        self.p * branch(self.lambda1) + (1.0 - self.p) * branch(self.lambda2)
    }

    pub(super) fn draw(&self, stream: &mut impl Rng) -> f64 {
        let rate = if seed::unit(stream) < self.p { self.lambda1 } else { self.lambda2 };
        // The sum of n exponential times is a gamma variate of the shape n.
        match GammaLaw::new("order", self.order.into(), 1.0) {
            Ok(stages) if self.order > 1 => stages.draw(stream) / rate,
            _ => exponential(1.0 / rate, stream),
        }
    }
}

/// Writes `order=2 p=0.0123 lambda1=0.00045 lambda2=0.0167`, with six digits.
impl fmt::Display for HyperErlang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HyperErlang { order, p, lambda1, lambda2 } = self;
        write!(f, "order={order} p={p:.6e} lambda1={lambda1:.6e} lambda2={lambda2:.6e}")
    }
}
