//! Why something cannot be said.

/// Why there is no interval, or no test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoInterval {
    /// There are too few units.
    #[error("{units} units are too few: {needed} are needed")]
    TooFew {
        /// How many there are.
        units: usize,
        /// How many are needed.
        needed: usize,
    },
    /// All values are the same, so that they tell nothing about how others would vary.
    #[error("the values do not vary")]
    NoSpread,
    /// The denominator of a ratio is not clearly away from 0: the ratio could be anything.
    #[error("the denominator is not clearly away from 0, so that the ratio has no bounds")]
    Unbounded,
    /// The estimate lies at the edge of what resampling gives: the statistic is too biased for resampling.
    #[error("resampling hardly ever gives values on both sides of the estimate")]
    Biased,
    /// A value, or what would be reported, is infinite or not a number.
    #[error("a value is infinite or not a number")]
    NotFinite,
    /// The lengths of what belongs together differ, or what should increase does not.
    #[error("the values do not belong together: their numbers differ, or they are out of order")]
    Mismatch,
    /// The level is not between 0 and 1.
    #[error("a level of confidence lies between 0 and 1, both excluded: {0}")]
    Level(f64),
}
