//! Several comparisons at once.

/// Returns p-values adjusted for a family by Holm's step-down method. O(n log n).
///
/// The value at rank k of the sorted p-values becomes (n − k + 1) · p, but never less than that before it nor
/// more than 1 (Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
/// Statistics 6, 1979). Rejecting values of at most α keeps the probability of any false rejection at most α,
/// however the tests depend on each other. NaN values stay NaN and do not count in the family: nothing was
/// tested there.
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

/// Returns the level of each interval of a family such that all hold together at `level`: 1 − (1 −
/// level)/family.
///
/// These are Bonferroni's intervals, as step-down methods have no simple intervals. They agree with Holm in
/// one direction: if such an interval excludes the value of no difference, Holm rejects too; Holm may reject
/// a little more, with an interval that still touches the value.
pub fn simultaneous_level(level: f64, family: usize) -> f64 {
    1.0 - (1.0 - level) / family.max(1) as f64
}
