//! Seeded draws of units.

use batchlab_traces::seed;
use chacha20::rand_core::Rng;

/// Returns a uniformly distributed number in `0..bound`; probabilities are equal to within 2⁻⁵³ · `bound`.
pub(super) fn below(stream: &mut impl Rng, bound: usize) -> usize {
    // The product of a number below 1 may round up to `bound`.
    ((seed::unit(stream) * bound as f64) as usize).min(bound.saturating_sub(1))
}
