//! Isotonic regression.

use super::NoInterval;
use super::sample::check_paired;

/// Returns the increasing values closest to `y` by weighted squares. O(n).
///
/// Pool adjacent violators (Ayer, Brunk, Ewing, Reid and Silverman 1955; Barlow et al., "Statistical Inference under
/// Order Restrictions", 1972, §1.2): neighbours that decrease become their weighted mean.
///
/// # Errors
/// Different lengths, a weight that is not positive ([`NoInterval::Mismatch`]), a value that is not finite.
pub fn increasing(weights: &[f64], y: &[f64]) -> Result<Vec<f64>, NoInterval> {
    check_paired(weights, y)?;
    if weights.iter().any(|&weight| weight <= 0.0) {
        return Err(NoInterval::Mismatch);
    }
    let mut pools: Vec<Pool> = Vec::with_capacity(y.len());
    for (&weight, &value) in weights.iter().zip(y) {
        let mut pool = Pool { value, weight, count: 1 };
        while let Some(before) = pools.pop_if(|before| before.value >= pool.value) {
            pool = before.with(&pool);
        }
        pools.push(pool);
    }
    Ok(pools.iter().flat_map(|pool| std::iter::repeat_n(pool.value, pool.count)).collect())
}

/// Neighbours with one value.
struct Pool {
    value: f64,
    weight: f64,
    count: usize,
}

impl Pool {
    fn with(&self, next: &Pool) -> Pool {
        let weight = self.weight + next.weight;
        let value = if self.value == next.value {
            self.value
        } else {
            self.value * (self.weight / weight) + next.value * (next.weight / weight)
        };
        Pool { value, weight, count: self.count + next.count }
    }
}
