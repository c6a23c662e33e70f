use super::mark::Point;

/// The width of a pixel column, in pixels: points closer than this along x share a column.
const COLUMN: f64 = 0.5;

/// Returns the first, the lowest, the highest and the last point of each column, in their order: the least
/// that draws the same line at this resolution (Jugel et al. 2014, "M4"). O(n).
pub fn thin(points: &[Point]) -> Vec<Point> {
    let column = |point: &Point| (point.0 / COLUMN).round();
    let mut kept = Vec::new();
    for together in points.chunk_by(|one, other| column(one) == column(other)) {
        let by_height = |one: &usize, other: &usize| together[*one].1.total_cmp(&together[*other].1);
        let places = || 0..together.len();
        let mut of_column = [0, together.len() - 1].to_vec();
        of_column.extend(places().min_by(by_height));
        of_column.extend(places().max_by(by_height));
        of_column.sort_unstable();
        of_column.dedup();
        kept.extend(of_column.into_iter().map(|at| together[at]));
    }
    kept
}
