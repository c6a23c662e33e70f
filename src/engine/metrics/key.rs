//! The grammar of keys: `METRIC` or `METRIC@CLASS`, where METRIC is a member of a family.
//!
//! | family | key of a member |
//! |---|---|
//! | over jobs | `STATISTIC_NAME`: `mean_wait` |
//! | one number | `NAME`: `makespan` |
//! | of each resource | `NAME` for the processors, `NAME_RESOURCE` for another: `utilization_memory` |
//! | of each vector of fair start times | `NAME_VARIANT`: `unfairness_all_consp` |
//! | of a user's own | the name in its definition |

use std::fmt;

use super::metric::MetricPart;
use super::registry::Metrics;
use super::spec::{Compute, MetricSpec};
use super::statistic::Statistic;

/// The key of a measure in results: a metric, for all jobs or for those of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasureKey<'a> {
    /// Key of the metric.
    pub metric: &'a str,
    /// The class of jobs; `None` for all.
    pub class: Option<&'a str>,
}

impl<'a> MeasureKey<'a> {
    /// Reads a key; spaces around metric and class are ignored.
    pub fn parse(text: &'a str) -> MeasureKey<'a> {
        match text.split_once('@') {
            Some((metric, class)) => MeasureKey { metric: metric.trim(), class: Some(class.trim()) },
            None => MeasureKey { metric: text.trim(), class: None },
        }
    }
}

impl fmt::Display for MeasureKey<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class {
            Some(class) => write!(out, "{}@{class}", self.metric),
            None => out.write_str(self.metric),
        }
    }
}

/// Returns the family of a metric's key. A full match wins: `utilization_window` is not `utilization` of a resource.
pub fn family(metrics: &Metrics, key: &str) -> Option<&'static MetricSpec> {
    let whole = metrics.specs().find(|spec| spec.name == key);
    whole.or_else(|| metrics.specs().find(|spec| spec.has_key(key)))
}

impl MetricSpec {
    /// Returns the key of a member of the family.
    pub fn key(&self, part: &MetricPart) -> String {
        let name = self.name;
        match part {
            MetricPart::Whole | MetricPart::Resource { index: 0, .. } => name.into(),
            MetricPart::Statistic(statistic) => format!("{}_{name}", statistic.name()),
            MetricPart::Resource { name: member, .. } | MetricPart::Variant(member) => {
                format!("{name}_{member}")
            }
            MetricPart::Own(own) => own.name.clone(),
        }
    }

    /// Whether a key names a member of the family, for any resource or variant.
    pub fn has_key(&self, key: &str) -> bool {
        let is_member = || key.strip_prefix(self.name).is_some_and(|rest| rest.starts_with('_'));
        match self.compute {
            Compute::PerJob(_) => {
                Statistic::ALL.iter().any(|&statistic| self.key(&MetricPart::Statistic(statistic)) == key)
            }
            Compute::Value(_) | Compute::Promised(_) => key == self.name,
            Compute::PerResource(_) => key == self.name || is_member(),
            Compute::PerFairStart(_) => is_member(),
            Compute::Own => false,
        }
    }

    /// Returns the keys as a pattern for lists: `mean|sd|..._wait`, `utilization[_RESOURCE]`.
    pub fn pattern(&self) -> String {
        match self.compute {
            Compute::PerJob(_) => {
                let statistics: Vec<&str> = Statistic::ALL.iter().map(|statistic| statistic.name()).collect();
                format!("({})_{}", statistics.join("|"), self.name)
            }
            Compute::Value(_) | Compute::Promised(_) => self.name.into(),
            Compute::PerResource(_) => format!("{}[_RESOURCE]", self.name),
            Compute::PerFairStart(_) => format!("{}_VARIANT", self.name),
            Compute::Own => format!("NAME=STATISTIC({})", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Machine;

    use super::*;
    use crate::metrics::{Catalogue, METRICS};

    #[test]
    fn a_measure_is_read_as_it_is_written() {
        for (text, metric, class) in [
            ("mean_wait", "mean_wait", None),
            ("p95_wait@small", "p95_wait", Some("small")),
            ("utilization_memory", "utilization_memory", None),
        ] {
            assert_eq!(MeasureKey::parse(text), MeasureKey { metric, class });
            assert_eq!(MeasureKey { metric, class }.to_string(), text);
        }
        assert_eq!(MeasureKey::parse(" mean_wait @ small "), MeasureKey::parse("mean_wait@small"));
    }

    #[test]
    fn every_key_belongs_to_its_family() {
        for metric in Catalogue::new(&Machine::pool(4).unwrap(), &["consp", "fcfs"]).all() {
            let family = family(&Metrics::builtin(), &metric.key()).unwrap();
            assert_eq!(family.name, metric.spec.name, "{}", metric.key());
        }
    }

    #[test]
    fn other_resources_are_members_and_other_words_are_not() {
        let spec = |name: &str| METRICS.iter().find(|spec| spec.name == name).unwrap();
        assert!(spec("utilization").has_key("utilization_memory"));
        assert!(!spec("utilization").has_key("utilizations"));
        assert!(!spec("wait").has_key("least_wait"));
        assert!(!spec("wait").has_key("mean_wait@small"));
    }
}
