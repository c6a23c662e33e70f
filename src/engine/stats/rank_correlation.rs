//! Spearman's rank correlation.

use batchlab_traces::arrange::Arrange as _;

/// Returns Spearman's ρ of two samples of the same length: the correlation of their ranks, where equal values share the mean
/// of their ranks. 1 if both samples, or only one, do not vary and are equal; 0 if just one varies. O(n log n).
pub fn rank_correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = f64::midpoint(a.len() as f64, 1.0);
    let product =
        |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum() };
    let (own, other) = (product(&a, &a), product(&b, &b));
    match (own > 0.0, other > 0.0) {
        (true, true) => product(&a, &b) / (own * other).sqrt(),
        (false, false) => 1.0,
        _ => 0.0,
    }
}

/// Returns the rank of each value, from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.arrange_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = from as f64 + f64::midpoint(equal.len() as f64, 1.0);
        for &at in equal {
            ranks[at] = rank;
        }
        from += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_counts_and_ties_share_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
        assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[10.0, 20.0, 30.0]), 1.0);
        assert_eq!(rank_correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -1.0);
        // Ranks 1 2.5 2.5 4 against 1 2 3 4: 4.5 / sqrt(4.5 · 5).
        let rho = rank_correlation(&[0.0, 5.0, 5.0, 9.0], &[0.0, 5.0, 6.0, 9.0]);
        assert!((rho - (4.5_f64 / 5.0).sqrt()).abs() < 1e-12, "{rho}");
        assert_eq!(
            (rank_correlation(&[1.0, 1.0], &[2.0, 2.0]), rank_correlation(&[1.0, 1.0], &[2.0, 3.0])),
            (1.0, 0.0)
        );
    }
}
