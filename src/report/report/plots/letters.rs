//! Letter values: quartiles, eighths, sixteenths and so on, as far as there are enough values.

/// The meaning of the boxes, for the caption.
pub(super) const LEGEND: &str = "A stack of boxes for each policy (letter values, Hofmann, Wickham and Kafadar 2017): the widest \
    reaches from quartile to quartile, with the median; each narrower one has half of the values beyond the last: eighths, \
    sixteenths and so on, as far as the 95 per cent interval of one does not reach the next.";

/// The square of the 97.5 % quantile of the normal distribution, twice.
const TWICE_SQUARED: f64 = 2.0 * 1.959_963_984_540_054 * 1.959_963_984_540_054;

/// Returns how many boxes a number of values allows: letter values beside the median whose 95 % intervals do not reach the next
/// (Hofmann, Wickham, Kafadar, Journal of Computational and Graphical Statistics 26(3), 2017, section 3); at least one, for the
/// quartiles.
pub(super) fn boxes(values: usize) -> usize {
    let letters = (values as f64).log2() - TWICE_SQUARED.log2();
    letters.floor().max(1.0) as usize
}

/// Returns the lower and upper letter values of sorted values, from the quartiles outwards; none without values.
///
/// The depth of the first is (1 + that of the median, rounded down) / 2, and so on; at half a depth it is the mean of two values
/// (Tukey, "Exploratory Data Analysis", 1977).
pub(super) fn of(sorted: &[f64]) -> Vec<(f64, f64)> {
    if sorted.is_empty() {
        return Vec::new();
    }
    let last = sorted.len() - 1;
    let mut depth = f64::midpoint(1.0, sorted.len() as f64);
    let mut pair = || {
        depth = f64::midpoint(1.0, depth.floor());
        let (below, above) = (depth.floor() as usize - 1, depth.ceil() as usize - 1);
        let mean = |one: usize, other: usize| f64::midpoint(sorted[one], sorted[other]);
        (mean(below, above), mean(last - below, last - above))
    };
    (0..boxes(sorted.len())).map(|_| pair()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letter_values_have_the_depths_of_tukey() {
        // Of 100 values the median has the depth 50.5, then 25.5, 13 and 7.
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(of(&values), [(25.5, 75.5), (13.0, 88.0), (7.0, 94.0)]);
        assert_eq!(of(&[3.0]), [(3.0, 3.0)]);
        assert_eq!(of(&[1.0, 2.0, 4.0]), [(1.5, 3.0)]);
        assert!(of(&[]).is_empty());
    }

    #[test]
    fn the_number_of_boxes_grows_with_the_logarithm_of_the_values() {
        // log2 n - log2(2 * 1.96^2) is 0.06 for 8 values, 1.97 for 30, 2.01 for 31, 3.70 for 100 and 10.35 for 10,000.
        assert_eq!([1, 8, 30, 31, 100, 10_000].map(boxes), [1, 1, 1, 2, 3, 10]);
    }
}
