//! Several comparisons at once.

/// Returns p-values adjusted for a family by Holm's step-down method. O(n log n).
///
/// At each rank k of the sorted values (n − k + 1) · p, never less than before nor more than 1 (Holm, "A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979). Rejecting what is at
/// most α makes any false rejection at most α likely, however the tests depend on each other. Values that are not
/// numbers stay so and are not of the family: nothing was tested there.
pub fn adjust(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).filter(|&at| !p_values[at].is_nan()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![f64::NAN; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        least = least.max(p_values[at] * (order.len() - rank) as f64).min(1.0);
        adjusted[at] = least;
    }
    adjusted
}

/// Returns the level for each of a family's intervals, so that all hold together at `level`: 1 − (1 − level)/family.
///
/// Bonferroni's: steps down have no simple intervals. They match one way: where such an interval leaves out the value of
/// no difference, Holm rejects too; Holm may reject a little more, with an interval that still touches.
pub fn simultaneous_level(level: f64, family: usize) -> f64 {
    1.0 - (1.0 - level) / family.max(1) as f64
}
