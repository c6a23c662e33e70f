//! Units of numbers, and their good direction.

/// The unit of a metric's value.
#[allow(missing_docs, reason = "names say what has no line")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    Seconds,
    SecondsSquared,
    Ratio,
    /// A share of 1, printed in per cent for readers.
    Fraction,
    /// A whole number of something.
    Count,
    Jobs,
    JobsPerHour,
    ProcSeconds,
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

    /// Returns the unit as it stands in a list; empty if there is none.
    pub const fn words(self) -> &'static str {
        match self {
            Unit::Seconds => "s",
            Unit::SecondsSquared => "s^2",
            Unit::Ratio | Unit::Count => "",
            Unit::Fraction => "fraction",
            Unit::Jobs => "jobs",
            Unit::JobsPerHour => "jobs/h",
            Unit::ProcSeconds => "proc s",
        }
    }
}

/// Which direction is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither: the metric only describes.
    Neither,
}
