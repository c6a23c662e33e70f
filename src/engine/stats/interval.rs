//! A number with its confidence interval.

use super::NoInterval;

/// An estimate with its confidence interval: all finite, and `low <= estimate <= high`.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// The estimate, in the unit of the values.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Level of confidence, in (0, 1); for order statistics the exact one, which is at least the requested one.
    pub level: f64,
    /// How it was made.
    pub method: Method,
    /// The number of independent units: replications, windows, weeks or batches.
    pub units: usize,
    /// Whether an end was cut at the limit of the quantity's possible values.
    pub is_cut: bool,
}

/// The method of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Student's t over independent units.
    StudentT,
    /// Student's t over independent units, for the logarithm of their mean.
    LogOfMean,
    /// Student's t over the logarithms of independent units.
    LogStudentT,
    /// Student's t over the means of batches of one series.
    BatchMeans {
        /// Number of batches.
        batches: usize,
    },
    /// Bootstrap over units, corrected for bias and acceleration.
    Bca,
    /// Percentiles of a bootstrap over units.
    Percentile,
    /// Fieller's theorem for a ratio of paired means.
    Fieller,
    /// Order statistics, free of assumptions on the distribution.
    OrderStatistics,
    /// Bootstrap over blocks of time.
    BlockBootstrap,
}

impl Method {
    /// Returns the method in words: "Student t".
    pub fn words(self) -> &'static str {
        match self {
            Method::StudentT => "Student t",
            Method::LogOfMean => "Student t on the logarithm of the mean",
            Method::LogStudentT => "Student t on logarithms",
            Method::BatchMeans { .. } => "batch means",
            Method::Bca => "BCa bootstrap",
            Method::Percentile => "percentile bootstrap",
            Method::Fieller => "Fieller",
            Method::OrderStatistics => "order statistics",
            Method::BlockBootstrap => "block bootstrap",
        }
    }
}

impl Interval {
    /// Returns the interval, unless one of its numbers is not finite; an end on the wrong side of the
    /// estimate because of rounding is set to the estimate.
    pub(super) fn new(
        estimate: f64,
        [low, high]: [f64; 2],
        level: f64,
        method: Method,
        units: usize,
    ) -> Result<Interval, NoInterval> {
        if [estimate, low, high].iter().all(|number| number.is_finite()) {
            let (low, high) = (low.min(estimate), high.max(estimate));
            Ok(Interval { estimate, low, high, level, method, units, is_cut: false })
        } else {
            Err(NoInterval::NotFinite)
        }
    }

    /// Returns the interval cut to the range of the quantity's possible values.
    ///
    /// The true value lies in this range, so the coverage is unchanged. The need to cut indicates few units,
    /// or a few units far above the others.
    #[must_use]
    pub fn within(self, [least, most]: [f64; 2]) -> Interval {
        let is_cut = self.is_cut || self.low < least || self.high > most;
        let (least, most) = (least.min(self.estimate), most.max(self.estimate));
        Interval { low: self.low.max(least), high: self.high.min(most), is_cut, ..self }
    }

    /// Whether a value lies within, ends included.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Whether it bounds a value that is not negative so loosely that nothing can be said with it.
    pub fn is_too_wide(&self) -> bool {
        self.low >= 0.0 && self.high > 10.0 * self.estimate
    }

    /// Returns half the width: the margin of a symmetric interval.
    pub fn half_width(&self) -> f64 {
        self.high / 2.0 - self.low / 2.0
    }
}

/// Refuses a number that is not a level of confidence.
pub(super) fn check_level(level: f64) -> Result<(), NoInterval> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(NoInterval::Level(level)) }
}
