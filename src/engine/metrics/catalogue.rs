//! Lookup of metrics by name.

use batchlab_traces::Machine;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::expr::Vocabulary;
use batchlab_traces::nearest::likeness;

use super::metric::{Metric, MetricPart};
use super::own::{self, OwnMetricError};
use super::registry::Metrics;
use super::spec::{Compute, MetricSpec};
use super::statistic::Statistic;

/// An unknown metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown metric `{given}`; {}", suggestion(.near))]
pub struct UnknownMetric {
    /// The given name.
    pub given: String,
    /// Similar keys, the most similar first.
    pub near: Vec<String>,
}

/// All metrics that are defined on a machine and with the available fair schedules.
#[derive(Clone, Debug)]
pub struct Catalogue {
    metrics: Vec<Metric>,
}

/// The default metrics of tables: a set for a paper, 100 columns wide.
const TABLE: [&str; 9] = [
    "mean_wait",
    "median_wait",
    "p95_wait",
    "max_wait",
    "mean_bsld",
    "median_bsld",
    "p95_bsld",
    "mean_response",
    "utilization",
];

impl Catalogue {
    /// Returns the built-in metrics of a machine's resources and of the given variants of fair start times.
    pub fn new(machine: &Machine, variants: &[&str]) -> Catalogue {
        Catalogue::of(&Metrics::builtin(), machine, variants)
    }

    /// Returns the metrics of a given set, which may include registered ones.
    pub fn of(metrics: &Metrics, machine: &Machine, variants: &[&str]) -> Catalogue {
        Catalogue { metrics: metrics.specs().flat_map(|spec| members(spec, machine, variants)).collect() }
    }

    /// Adds the metrics that a list defines, by `NAME=STATISTIC(EXPRESSION)` among its items; expressions use the
    /// names of the vocabulary, which is that of the jobs of the replay, and those of a schedule.
    pub fn defining(self, list: &str, vocabulary: &Vocabulary) -> Result<Catalogue, OwnMetricError> {
        let known = |key: &str| self.metrics.iter().any(|metric| metric.key() == key);
        let own = own::defined(list, known, vocabulary)?;
        Ok(Catalogue { metrics: self.metrics.into_iter().chain(own).collect() })
    }

    /// Returns all metrics, in the order of the registry.
    pub fn all(&self) -> &[Metric] {
        &self.metrics
    }

    /// Returns the default metrics of tables.
    pub fn for_table(&self) -> Vec<Metric> {
        TABLE.iter().filter_map(|key| self.find(key).ok()).collect()
    }

    /// Returns the default metrics of summaries.
    pub fn for_summary(&self) -> Vec<Metric> {
        self.metrics.iter().filter(|metric| metric.is_in_summary()).cloned().collect()
    }

    /// Returns a metric by its key.
    pub fn find(&self, key: &str) -> Result<Metric, UnknownMetric> {
        match self.metrics.iter().find(|metric| metric.key() == key) {
            Some(metric) => Ok(metric.clone()),
            None => Err(UnknownMetric { given: key.into(), near: self.near(key) }),
        }
    }

    /// Returns the metrics of a comma-separated list of keys and definitions, in its order, each once; those
    /// that it defines have been added by [`Catalogue::defining`].
    pub fn select(&self, list: &str) -> Result<Vec<Metric>, UnknownMetric> {
        let mut metrics: Vec<Metric> = Vec::new();
        for item in own::items(list) {
            let metric = self.find(own::key(item))?;
            if metrics.iter().all(|known| known.key() != metric.key()) {
                metrics.push(metric);
            }
        }
        Ok(metrics)
    }

    /// Returns up to three keys similar to a name. The name of a family matches its members.
    fn near(&self, given: &str) -> Vec<String> {
        let mut given = given.to_ascii_lowercase().replace([' ', '-'], "_");
        for (word, name) in SYNONYMS {
            given = given.replace(word, name);
        }
        if let Some(metric) = self.metrics.iter().find(|metric| metric.key() == given) {
            return vec![metric.key()];
        }
        let mut scored: Vec<(f64, String)> = self
            .metrics
            .iter()
            .map(|metric| {
                let key = metric.key();
                let member = if metric.spec.name == given { 1.0 } else { 0.0 };
                (likeness(&given, &key).max(member), key)
            })
            .filter(|(score, _)| *score > 0.75)
            .collect();
        scored.arrange_by(|a, b| b.0.total_cmp(&a.0));
        scored.into_iter().take(3).map(|(_, key)| key).collect()
    }
}

/// Words of other programs and of papers for parts of keys, the longest first.
const SYNONYMS: [(&str, &str); 7] = [
    ("bounded_slowdown", "bsld"),
    ("turnaround", "response"),
    ("average_", "mean_"),
    ("waiting", "wait"),
    ("utilisation", "utilization"),
    ("avebsld", "mean_bsld"),
    ("avg_", "mean_"),
];

fn members(spec: &'static MetricSpec, machine: &Machine, variants: &[&str]) -> Vec<Metric> {
    let parts: Vec<MetricPart> = match spec.compute {
        Compute::PerJob(_) => Statistic::ALL.map(MetricPart::Statistic).to_vec(),
        Compute::Value(_) | Compute::Promised(_) => vec![MetricPart::Whole],
        Compute::PerResource(_) => {
            let resources = machine.resources().iter().enumerate();
            resources
                .map(|(index, resource)| MetricPart::Resource { index, name: resource.name.clone() })
                .collect()
        }
        Compute::PerFairStart(_) => {
            variants.iter().map(|&variant| MetricPart::Variant(variant.into())).collect()
        }
        Compute::Own => Vec::new(),
    };
    parts.into_iter().map(|part| Metric { spec, part }).collect()
}

fn suggestion(near: &[String]) -> String {
    if near.is_empty() {
        "`batchlab list metrics` prints them all".into()
    } else {
        format!("did you mean {}?", near.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use batchlab_traces::sorted::SortedSet;

    use super::*;
    use crate::metrics::{DIAGNOSTICS, METRICS};

    fn catalogue() -> Catalogue {
        Catalogue::new(&Machine::pool(4).unwrap(), &["consp", "fcfs"])
    }

    #[test]
    fn every_family_is_described_and_every_key_is_unique() {
        let keys: SortedSet<String> = catalogue().all().iter().map(Metric::key).collect();
        assert_eq!(keys.len(), catalogue().all().len());
        for spec in METRICS {
            assert!(!spec.definition.is_empty() && !spec.definition.ends_with('.'), "{}", spec.name);
            assert!(!spec.cite.words.is_empty() && spec.pattern().contains(spec.name), "{}", spec.name);
        }
    }

    #[test]
    fn the_keys_of_the_interface_are_there() {
        let catalogue = catalogue();
        for quantity in ["wait", "response", "slowdown", "bsld"] {
            for statistic in ["mean", "median", "p90", "p95", "p99", "max", "sd", "cv"] {
                catalogue.find(&format!("{statistic}_{quantity}")).unwrap();
            }
        }
        let others = "rms_bsld,weighted_response,utilization,loss_of_capacity,makespan,mean_queue_length,\
                      max_queue_length,jobs,unfairness_all_consp,share_hit_fcfs,p99_bsld_pp";
        assert_eq!(catalogue.select(others).unwrap().len(), 11);
        assert_eq!(catalogue.for_table().len(), TABLE.len());
        assert_eq!(catalogue.select(&DIAGNOSTICS.join(",")).unwrap().len(), DIAGNOSTICS.len());
    }

    #[test]
    fn an_unknown_metric_names_the_nearest() {
        let error = catalogue().find("mean_wiat").unwrap_err().to_string();
        assert!(error.starts_with("unknown metric `mean_wiat`; did you mean mean_wait"), "{error}");
        let error = catalogue().find("bsld").unwrap_err().to_string();
        assert_eq!(error, "unknown metric `bsld`; did you mean mean_bsld, sd_bsld, cv_bsld?");
        let error = catalogue().find("qqq").unwrap_err().to_string();
        assert_eq!(error, "unknown metric `qqq`; `batchlab list metrics` prints them all");
    }
}
