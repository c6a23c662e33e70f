//! The specification of a metric: name, meaning, and computation.

use batchlab_traces::{Citation, Time};

use super::measured::MeasuredOutcome;
use super::measurement::Measurement;
use super::options::MeasureOptions;
use super::promises::FirstPromises;
use super::sample::Sample;
use super::served::Served;
use crate::table::{Better, Unit};

/// The range of a metric's values; intervals do not reach beyond it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Domain {
    /// Any number.
    #[default]
    Any,
    /// 0 and above: times, counts.
    NotNegative,
    /// 1 and above: slowdowns.
    FromOne,
    /// From 0 to 1: shares of a whole.
    Share,
}

impl Domain {
    /// Whether a few values may lie far above the others: unless a value is a share of a whole.
    pub const fn may_have_tail(self) -> bool {
        !matches!(self, Domain::Share)
    }

    /// Whether no value is negative and there is no greatest one, as with waits and slowdowns.
    pub const fn is_positive(self) -> bool {
        matches!(self, Domain::NotNegative | Domain::FromOne)
    }

    /// Returns the least and the greatest possible value.
    pub const fn ends(self) -> [f64; 2] {
        match self {
            Domain::Any => [f64::NEG_INFINITY, f64::INFINITY],
            Domain::NotNegative => [0.0, f64::INFINITY],
            Domain::FromOne => [1.0, f64::INFINITY],
            Domain::Share => [0.0, 1.0],
        }
    }
}

/// The scope of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The measured jobs: trimming and classes apply.
    Jobs,
    /// The whole replay, or the window with all jobs; undefined for a class.
    Replay,
}

/// The lower bound over all schedules, if one is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No bound is known.
    None,
    /// Every job's value is least if the job does not wait, and the metric grows with every job's value.
    NoWait,
    /// The bound of [`super::bounds::makespan_bound`].
    Makespan,
}

/// A quantity that every job has.
#[derive(Debug)]
pub struct Quantity {
    /// Its name.
    pub name: &'static str,
    /// Its computation.
    pub value: JobValue,
}

/// The computation of a job's value.
#[derive(Clone, Copy, Debug)]
pub enum JobValue {
    /// A time.
    Time(fn(&Served) -> Time),
    /// A ratio; jobs without one are left out.
    Ratio(fn(&Served, &MeasureOptions) -> Option<f64>),
}

impl Quantity {
    /// Computes the quantity for the measured jobs.
    pub fn sample(&self, of: &MeasuredOutcome<'_>) -> Sample {
        let served = of.measured();
        match self.value {
            JobValue::Time(time) => Sample::of_ticks(served.map(|job| time(&job).ticks())),
            JobValue::Ratio(ratio) => Sample::of_ratios(served.map(|job| ratio(&job, of.options()))),
        }
    }
}

/// The computation of a metric, which also determines its keys.
#[derive(Clone, Copy, Debug)]
pub enum Compute {
    /// One key for each statistic: `mean_NAME`, `sd_NAME`, ...
    PerJob(&'static Quantity),
    /// One number: `NAME`.
    Value(fn(&Measurement<'_>) -> Option<f64>),
    /// One number for each resource, by its position: `NAME` for the processors, `NAME_RESOURCE` for others.
    PerResource(fn(&Measurement<'_>, usize) -> Option<f64>),
    /// One number for each vector of fair start times: `NAME_VARIANT`.
    PerFairStart(fn(&Measurement<'_>, &[Time]) -> Option<f64>),
    /// One number, `NAME`, from the first start that each job was promised; undefined without a journal of the replay.
    Promised(fn(&Measurement<'_>, &FirstPromises) -> Option<f64>),
    /// What a user's definition says, under its name: `NAME=STATISTIC(EXPRESSION)`.
    Own,
}

/// A family of metrics: one constant in one file, its `mod` line, and one line in [`super::METRICS`].
///
/// A metric of a user's crate is such a constant, passed to [`super::Metrics::register`];
/// `examples/site/src/metric.rs` is a complete example.
#[derive(Debug)]
pub struct MetricSpec {
    /// Name; the key, or the part of it that the members of the family share.
    pub name: &'static str,
    /// Unit of the values.
    pub unit: Unit,
    /// Which direction is good.
    pub better: Better,
    /// The range of its values; for a metric over jobs, the range of a job's values.
    pub domain: Domain,
    /// Its scope.
    pub scope: Scope,
    /// Its lower bound, if one is known.
    pub bound: Bound,
    /// Whether it belongs to the default summary.
    pub in_summary: bool,
    /// Its definition, in one exact sentence.
    pub definition: &'static str,
    /// Its source.
    pub cite: Citation,
    /// Its computation.
    pub compute: Compute,
}

impl MetricSpec {
    /// What most metrics of the measured jobs have in common; each adds its name, unit, definition, source and computation.
    pub const OF_JOBS: MetricSpec = MetricSpec {
        name: "",
        unit: Unit::Ratio,
        better: Better::Lower,
        domain: Domain::NotNegative,
        scope: Scope::Jobs,
        bound: Bound::None,
        in_summary: false,
        definition: "",
        cite: Citation::of("", &[]),
        compute: Compute::Value(|_| None),
    };
    /// The same for metrics of the whole replay.
    pub const OF_REPLAY: MetricSpec = MetricSpec { scope: Scope::Replay, ..MetricSpec::OF_JOBS };
}
