/// Why there is no interval, or no test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoInterval {
    /// There are too few units.
    #[error("{units} {} too few: {needed} are needed", if *units == 1 { "unit is" } else { "units are" })]
    TooFew {
        /// How many there are.
        units: usize,
        /// How many are needed.
        needed: usize,
    },
    /// All values are equal, so they show nothing about their variation.
    #[error("the values do not vary")]
    NoSpread,
    /// The denominator of a ratio is not clearly different from 0, so the ratio is unbounded.
    #[error("the denominator is not clearly away from 0, so that the ratio has no bounds")]
    Unbounded,
    /// The estimate lies at the edge of the resampled values: the statistic is too biased for resampling.
    #[error("resampling hardly ever gives values on both sides of the estimate")]
    Biased,
    /// A value is 0 or below, where logarithms are compared.
    #[error("a value is not above 0 and has no logarithm")]
    NotPositive,
    /// A value or a result is infinite or not a number.
    #[error("a value is infinite or not a number")]
    NotFinite,
    /// Inputs that belong together differ in length, or a sequence that must increase does not.
    #[error("the values do not belong together: their numbers differ, or they are out of order")]
    Mismatch,
    /// The level is not between 0 and 1.
    #[error("a level of confidence lies between 0 and 1, both excluded: {0}")]
    Level(f64),
}
