//! Scores as keys: floats in their total order, with zeros of both signs equal.

use std::cmp::Ordering;

use batchlab_traces::Time;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score(f64);

impl Score {
    #[inline]
    pub fn new(score: f64) -> Score {
        // Adding zero turns -0 into 0.
        Score(score + 0.0)
    }

    /// Returns a whole number that has the order of the scores.
    #[inline]
    pub fn ordered(self) -> i64 {
        let bits = self.0.to_bits() as i64;
        // For negative numbers the order of the bits is reversed.
        bits ^ (((bits >> 63) as u64) >> 1) as i64
    }

    #[inline]
    pub fn get(self) -> f64 {
        self.0
    }
}

/// Returns a multiple of a duration, to the nearest tick; beyond the range of times it is [`Time::MAX`].
#[inline]
pub fn scaled(length: Time, factor: f64) -> Time {
    Time::from_ticks((length.ticks() as f64 * factor).round() as i64)
}

impl Eq for Score {}

impl PartialOrd for Score {
    #[inline]
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    #[inline]
    fn cmp(&self, other: &Score) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_in_the_order_of_the_scores() {
        let scores = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 1e-300, 2.5, f64::INFINITY].map(Score::new);
        assert!(scores.is_sorted() && scores.map(Score::ordered).is_sorted());
        assert_eq!(Score::new(-0.0).ordered(), Score::new(0.0).ordered());
    }
}
