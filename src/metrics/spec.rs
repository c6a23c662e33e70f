//! What a metric is: its name, its meaning, and how it is worked out.

use batchlab_traces::Time;

use super::measurement::Measurement;
use super::options::MeasureOptions;
use super::sample::Sample;
use super::served::Served;
use crate::table::{Better, Unit};

/// Which values a metric can have: no interval reaches beyond them.
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
    /// Returns the least and the greatest value.
    pub const fn ends(self) -> [f64; 2] {
        match self {
            Domain::Any => [f64::NEG_INFINITY, f64::INFINITY],
            Domain::NotNegative => [0.0, f64::INFINITY],
            Domain::FromOne => [1.0, f64::INFINITY],
            Domain::Share => [0.0, 1.0],
        }
    }
}

/// What a metric is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The measured jobs: trimming and classes apply.
    Jobs,
    /// The whole replay, or the time of the window, with all jobs: undefined for a class.
    Replay,
}

/// Whether a lower bound over all schedules is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No bound is printed.
    None,
    /// Every job's value is least when it does not wait, and the metric grows with every job's value.
    NoWait,
    /// The bound of [`super::bounds::makespan_bound`].
    Makespan,
}

/// A quantity that every job has.
#[derive(Debug)]
pub struct Quantity {
    /// Its name.
    pub name: &'static str,
    /// How it is worked out.
    pub value: JobValue,
}

/// How a job's value is worked out.
#[derive(Clone, Copy, Debug)]
pub enum JobValue {
    /// A length of time.
    Time(fn(&Served) -> Time),
    /// A ratio; jobs without one are left out.
    Ratio(fn(&Served, &MeasureOptions) -> Option<f64>),
}

impl Quantity {
    /// Works the quantity out over the measured jobs.
    pub fn sample(&self, measurement: &Measurement<'_>) -> Sample {
        let served = measurement.measured();
        match self.value {
            JobValue::Time(time) => Sample::of_ticks(served.map(|job| time(&job).ticks())),
            JobValue::Ratio(ratio) => Sample::of_ratios(served.map(|job| ratio(&job, measurement.options()))),
        }
    }
}

/// How a metric is worked out, and with it which keys it has.
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
}

/// A family of metrics: one constant in one file, one line in [`super::METRICS`].
///
/// One of a user's own is a constant like these, handed to [`super::Metrics::register`];
/// `examples/site/src/metric.rs` is a whole one.
#[derive(Debug)]
pub struct MetricSpec {
    /// Name; the key, or the part of it that the members of the family share.
    pub name: &'static str,
    /// Unit of the values.
    pub unit: Unit,
    /// Which direction is good.
    pub better: Better,
    /// Which values it can have; of a metric over jobs, which values a job can have.
    pub domain: Domain,
    /// What it is about.
    pub scope: Scope,
    /// Whether a lower bound is known.
    pub bound: Bound,
    /// Whether it belongs to the summary that is written when no metrics are named.
    pub in_summary: bool,
    /// What it is, in one sentence that is exact.
    pub definition: &'static str,
    /// Who defined it.
    pub cite: &'static str,
    /// How it is worked out.
    pub compute: Compute,
}
