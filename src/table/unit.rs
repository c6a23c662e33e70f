//! What a number counts, and which direction of it is good.

/// The unit of a metric's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Seconds times seconds.
    SecondsSquared,
    /// A quotient without a unit.
    Ratio,
    /// A share of 1, printed in per cent for readers.
    Fraction,
    /// A whole number of something.
    Count,
    /// A mean number of jobs.
    Jobs,
    /// Jobs per hour.
    JobsPerHour,
}

impl Unit {
    /// Returns the unit of the square of a value.
    #[must_use]
    pub const fn squared(self) -> Unit {
        match self {
            Unit::Seconds => Unit::SecondsSquared,
            _ => Unit::Ratio,
        }
    }

    /// Returns the unit as it stands in a list; empty without one.
    pub const fn words(self) -> &'static str {
        match self {
            Unit::Seconds => "s",
            Unit::SecondsSquared => "s^2",
            Unit::Ratio | Unit::Count => "",
            Unit::Fraction => "fraction",
            Unit::Jobs => "jobs",
            Unit::JobsPerHour => "jobs/h",
        }
    }
}

/// Which direction is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// The less the better.
    Lower,
    /// The more the better.
    Higher,
    /// Neither: it describes.
    Neither,
}
