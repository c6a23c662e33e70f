//! The place of a job in a queue.

use batchlab_traces::JobId;

/// NaN, which sorts beyond infinity.
const NO_VALUE: u64 = 0x7ff8 << 48;

/// A job's rank: tier, class (over the threshold or not), score, submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(i128);

const BELOW_TIER: u32 = 97;

impl Rank {
    /// A rank before those of all jobs.
    pub const FIRST: Rank = Rank(i128::MIN);
    /// A rank behind those of all jobs.
    pub const LAST: Rank = Rank(i128::MAX);

    /// A NaN score comes last, whatever its bits; -0 and 0 are equal.
    #[inline]
    pub(super) fn new(young: bool, score: f64, job: JobId) -> Rank {
        let bits = if score.is_nan() { NO_VALUE } else { (score + 0.0).to_bits() };
        // Maps floats to integers of the same order: flips the sign bit of positive numbers, all bits of negative ones.
        let ordered = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
        Rank(i128::from(young) << 96 | i128::from(ordered) << 32 | i128::from(job.0))
    }

    /// Returns this rank of tier 0 in another tier.
    #[inline]
    pub(super) fn in_tier(self, tier: i32) -> Rank {
        Rank(self.0 - (i128::from(tier) << BELOW_TIER))
    }

    #[inline]
    pub(super) fn tier(self) -> i32 {
        -(self.0 >> BELOW_TIER) as i32
    }

    #[inline]
    pub fn job(self) -> JobId {
        JobId(self.0 as u32)
    }

    /// Returns the rank of a job of a user with this rank.
    #[inline]
    pub(super) fn of(self, job: JobId) -> Rank {
        Rank(self.0 | i128::from(job.0))
    }

    /// Returns the least rank after this one.
    #[must_use]
    #[inline]
    pub fn next(self) -> Rank {
        Rank(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_sort_by_class_then_score_then_submission() {
        let rank = Rank::new;
        let (a, b) = (JobId(1), JobId(2));
        assert!(rank(false, 9.0, b) < rank(true, -9.0, a));
        assert!(rank(true, -2.0, b) < rank(true, -1.0, a));
        assert!(rank(true, -1.0, b) < rank(true, 0.0, a));
        assert!(rank(true, 1.0, a) < rank(true, 1.0, b));
        assert_eq!(rank(true, 1.0, b).job(), b);
        let (low, high) = (rank(false, -9.0, a).in_tier(-3), rank(true, 9.0, b).in_tier(1));
        assert!(high < rank(false, -9.0, a) && rank(true, 9.0, b) < low);
        assert_eq!((low.tier(), high.tier(), low.job(), high.job()), (-3, 1, a, b));
        assert_eq!(rank(true, f64::NAN, a).tier(), 0);
    }

    #[test]
    fn what_has_no_value_ranks_last_whatever_its_sign_and_zeros_are_the_same() {
        let rank = Rank::new;
        let (a, b) = (JobId(1), JobId(2));
        assert_eq!(rank(true, f64::NAN, b), rank(true, -f64::NAN, b));
        assert!(rank(true, f64::INFINITY, b) < rank(true, -f64::NAN, a));
        assert!(rank(true, f64::NAN, a) < rank(true, -f64::NAN, b));
        assert_eq!(rank(true, -0.0, a), rank(true, 0.0, a));
    }
}
