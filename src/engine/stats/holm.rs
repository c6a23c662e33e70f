//! Several comparisons at once, by Holm's method.
//!
//! It finds more than [`super::bonferroni`] does, and no intervals of a simple kind agree with all of its findings
//! (`examples/coverage.md`): tables use Bonferroni's.

use batchlab_traces::arrange::Arrange as _;

/// Returns p-values adjusted for a family by Holm's step-down method. O(n log n).
///
/// The value at rank k of the sorted p-values becomes (n − k + 1) · p, but never less than that before it nor more than 1 (Holm,
/// "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979). Rejecting values of at
/// most α keeps the probability of any false rejection at most α, however the tests depend on each other. NaN values stay NaN and
/// do not count in the family: nothing was tested there.
pub fn adjust(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).filter(|&at| !p_values[at].is_nan()).collect();
    order.arrange_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![f64::NAN; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        least = least.max(p_values[at] * (order.len() - rank) as f64).min(1.0);
        adjusted[at] = least;
    }
    adjusted
}
