use crate::plot::Point;

/// Returns the empirical distribution function of some values: for each value, the share of values up to it,
/// in per cent. O(n log n).
pub(super) fn ecdf(mut values: Vec<f64>) -> Vec<Point> {
    values.sort_unstable_by(f64::total_cmp);
    let all = values.len() as f64;
    let mut below = 0;
    let mut points = Vec::new();
    for same in values.chunk_by(|one, other| one == other) {
        below += same.len();
        points.push((same[0], below as f64 * 100.0 / all));
    }
    points
}

/// Returns the curve extended from zero at the beginning of an axis to 100 per cent at its end.
pub(super) fn between(points: Vec<Point>, from: f64, to: f64) -> Vec<Point> {
    let Some(&(_, all)) = points.last() else { return points };
    [(from, 0.0)].into_iter().chain(points).chain([(to, all)]).collect()
}

/// Returns the greatest of some values, but at least `least`.
pub(super) fn at_least<'a>(least: f64, values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().copied().fold(least, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_the_share_up_to_it() {
        let points = ecdf(vec![4.0, 1.0, 1.0, 2.0]);
        assert_eq!(points, [(1.0, 50.0), (2.0, 75.0), (4.0, 100.0)]);
        assert_eq!(between(points, 0.5, 9.0)[0], (0.5, 0.0));
        assert_eq!(between(ecdf(vec![3.0]), 1.0, 9.0).last(), Some(&(9.0, 100.0)));
        assert!(between(ecdf(Vec::new()), 1.0, 9.0).is_empty());
    }
}
