//! A single metric: a member of a family, a column of a table.

use std::sync::Arc;

use super::measurement::Measurement;
use super::own::OwnMetric;
use super::promises::first_promises;
use super::spec::{Bound, Compute, Domain, MetricSpec, Scope};
use super::statistic::Statistic;
use crate::table::Unit;

/// The member of a family.
#[derive(Clone, Debug)]
pub enum MetricPart {
    /// The only one.
    Whole,
    /// A statistic over jobs.
    Statistic(Statistic),
    /// A resource of the machine, by its position.
    Resource {
        /// Position among the machine's resources.
        index: usize,
        /// Its name.
        name: String,
    },
    /// A vector of fair start times, by its name.
    Variant(String),
    /// One that its user defined.
    Own(Arc<OwnMetric>),
}

/// One metric: a column of a table.
#[derive(Clone, Debug)]
pub struct Metric {
    /// Its family.
    pub spec: &'static MetricSpec,
    /// Its member of the family.
    pub part: MetricPart,
}

impl Metric {
    /// Returns the key: `mean_wait`, `utilization`.
    pub fn key(&self) -> String {
        self.spec.key(&self.part)
    }

    /// Returns the unit of this member's value.
    pub fn unit(&self) -> Unit {
        match &self.part {
            MetricPart::Own(own) => own.unit(),
            MetricPart::Statistic(Statistic::Cv) => Unit::Ratio,
            MetricPart::Statistic(Statistic::Var) => self.spec.unit.squared(),
            _ => self.spec.unit,
        }
    }

    /// Returns the range of this member's values.
    pub fn domain(&self) -> Domain {
        match &self.part {
            MetricPart::Own(own) => own.domain(),
            MetricPart::Statistic(Statistic::Sd | Statistic::Var | Statistic::Cv) => Domain::NotNegative,
            _ => self.spec.domain,
        }
    }

    /// Returns its definition, in one line.
    pub fn definition(&self) -> String {
        match &self.part {
            MetricPart::Own(own) => own.definition(),
            MetricPart::Statistic(statistic) => format!("{} of: {}", statistic.words(), self.spec.definition),
            _ => self.spec.definition.into(),
        }
    }

    /// Returns the value; `None` if there are no jobs, or it is undefined.
    pub fn value(&self, measurement: &Measurement<'_>) -> Option<f64> {
        if measurement.is_of_class() && self.spec.scope == Scope::Replay {
            return None;
        }
        match (self.spec.compute, &self.part) {
            (Compute::PerJob(quantity), MetricPart::Statistic(statistic)) => {
                statistic.of(&*measurement.sample(quantity))
            }
            (Compute::Own, MetricPart::Own(own)) => own.value(measurement),
            (Compute::Value(value), _) => value(measurement),
            (Compute::Promised(value), _) => {
                value(measurement, &first_promises(Some(measurement.journal()?)))
            }
            (Compute::PerResource(value), MetricPart::Resource { index, .. }) => value(measurement, *index),
            (Compute::PerFairStart(value), MetricPart::Variant(variant)) => {
                value(measurement, &measurement.fair_starts(variant)?.start)
            }
            _ => None,
        }
    }

    /// Whether it needs the journal of the replay's decisions.
    pub fn needs_journal(&self) -> bool {
        matches!(self.spec.compute, Compute::Promised(_))
    }

    /// Whether it belongs to the default summary. Variances do not, as the standard deviations are there.
    pub fn is_in_summary(&self) -> bool {
        self.spec.in_summary && !matches!(self.part, MetricPart::Statistic(Statistic::Var))
    }

    /// Whether the metric has a lower bound over all schedules.
    pub fn has_bound(&self) -> bool {
        match self.part {
            MetricPart::Statistic(statistic) => self.spec.bound != Bound::None && statistic.is_monotone(),
            _ => self.spec.bound != Bound::None,
        }
    }
}
