//! Statistics that reduce a quantity of jobs to one number.

/// What statistics need of the values of a sample.
pub trait Reduced {
    /// Returns the arithmetic mean.
    fn mean(&self) -> Option<f64>;

    /// Returns the variance, divided by n − 1; `None` for fewer than two values.
    fn variance(&self) -> Option<f64>;

    /// Returns the quantile at a position of [`PERCENTS`](super::sample::PERCENTS).
    fn quantile(&self, which: usize) -> Option<f64>;

    /// Returns the largest value.
    fn max(&self) -> Option<f64>;
}

/// A statistic over jobs.
#[allow(missing_docs, reason = "names say what has no line")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    Mean,
    /// Standard deviation, the sum of squares divided by n − 1.
    Sd,
    /// Variance, the sum of squares divided by n − 1: the square of the standard deviation.
    Var,
    /// Coefficient of variation: sd / mean.
    Cv,
    Median,
    P90,
    P95,
    P99,
    Max,
}

impl Statistic {
    /// All statistics, in the order in which they are listed.
    pub const ALL: [Statistic; 9] = [
        Statistic::Mean,
        Statistic::Sd,
        Statistic::Cv,
        Statistic::Var,
        Statistic::Median,
        Statistic::P90,
        Statistic::P95,
        Statistic::P99,
        Statistic::Max,
    ];

    /// Returns the part of a metric's key before the underscore.
    pub const fn name(self) -> &'static str {
        match self {
            Statistic::Mean => "mean",
            Statistic::Sd => "sd",
            Statistic::Var => "var",
            Statistic::Cv => "cv",
            Statistic::Median => "median",
            Statistic::P90 => "p90",
            Statistic::P95 => "p95",
            Statistic::P99 => "p99",
            Statistic::Max => "max",
        }
    }

    /// Returns what the statistic is, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Statistic::Mean => "arithmetic mean",
            Statistic::Sd => "standard deviation (divided by n - 1)",
            Statistic::Var => "variance (divided by n - 1)",
            Statistic::Cv => "coefficient of variation (sd / mean)",
            Statistic::Median => "median (linear interpolation of order statistics, R type 7)",
            Statistic::P90 => "90 % quantile (R type 7)",
            Statistic::P95 => "95 % quantile (R type 7)",
            Statistic::P99 => "99 % quantile (R type 7)",
            Statistic::Max => "largest value",
        }
    }

    /// Whether lowering any job's value can never raise the statistic. Only such statistics inherit a lower bound from the jobs.
    pub const fn is_monotone(self) -> bool {
        !matches!(self, Statistic::Sd | Statistic::Var | Statistic::Cv)
    }

    /// Returns the statistic of a sample; `None` for no values.
    pub fn of(self, sample: &impl Reduced) -> Option<f64> {
        match self {
            Statistic::Mean => sample.mean(),
            Statistic::Sd => sample.variance().map(f64::sqrt),
            Statistic::Var => sample.variance(),
            Statistic::Cv => {
                let sd = sample.variance().map(f64::sqrt);
                sd.zip(sample.mean()).filter(|(_, mean)| *mean != 0.0).map(|(sd, mean)| sd / mean)
            }
            Statistic::Median => sample.quantile(0),
            Statistic::P90 => sample.quantile(1),
            Statistic::P95 => sample.quantile(2),
            Statistic::P99 => sample.quantile(3),
            Statistic::Max => sample.max(),
        }
    }
}
