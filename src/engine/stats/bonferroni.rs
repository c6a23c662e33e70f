//! Several comparisons at once, by Bonferroni's inequality.

/// Returns p-values adjusted for a family: each times the number of tests, at most 1. O(n).
///
/// Any false finding among those at most α is at most α likely, however the tests depend on each other (Dunn, "Multiple
/// comparisons among means", JASA 56, 1961). [`level`] makes the intervals that belong to these p-values: an adjusted p
/// is below α exactly where the interval at `level(1 − α, tests)` excludes no difference. [Holm's method](super::holm)
/// finds somewhat more and has no such intervals (`examples/coverage.md` compares them). Values that are not numbers
/// stay so and are not of the family: nothing was tested there.
pub fn adjust(p_values: &[f64]) -> Vec<f64> {
    let tests = p_values.iter().filter(|p| !p.is_nan()).count();
    // `min` would turn what is not a number into 1.
    p_values.iter().map(|&p| if p.is_nan() { p } else { adjusted(p, tests) }).collect()
}

/// Returns a p-value adjusted for a number of tests.
pub fn adjusted(p: f64, tests: usize) -> f64 {
    (p * tests as f64).min(1.0)
}

/// Returns the level for each of a family's intervals, so that all hold together at `level`: 1 − (1 − level)/tests.
pub fn level(level: f64, tests: usize) -> f64 {
    1.0 - (1.0 - level) / tests.max(1) as f64
}
