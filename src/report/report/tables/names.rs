//! The names that a declaration may use.

use batchlab_study::experiment::{Frame, Measure, Parameter, UnitKind};

/// The names in an experiment, known before it has run.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub parameters: Vec<Parameter>,
    pub workloads: Vec<(String, UnitKind)>,
    pub policies: Vec<String>,
    pub measures: Vec<Measure>,
    pub baseline: Option<usize>,
}

/// The name of the class of all jobs in tables.
pub(super) const ALL: &str = "all";

impl Names {
    pub fn of(frame: &Frame) -> Names {
        Names {
            parameters: frame.parameters.clone(),
            workloads: frame.workloads.iter().map(|of| (of.name.clone(), of.units)).collect(),
            policies: frame.policies.iter().map(|policy| policy.label.clone()).collect(),
            measures: frame.measures.clone(),
            baseline: frame.baseline,
        }
    }

    pub fn parameter_names(&self) -> Vec<&str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
    }

    pub fn workload_names(&self) -> Vec<&str> {
        self.workloads.iter().map(|(name, _)| name.as_str()).collect()
    }

    pub fn policy_labels(&self) -> Vec<&str> {
        self.policies.iter().map(String::as_str).collect()
    }

    pub fn metrics(&self) -> Vec<&str> {
        let mut metrics: Vec<&str> = Vec::new();
        for measure in &self.measures {
            if !metrics.contains(&measure.metric.as_str()) {
                metrics.push(&measure.metric);
            }
        }
        metrics
    }

    /// Returns the keys of metrics for readers: those not measured only for findings.
    pub fn metrics_for_readers(&self) -> Vec<&str> {
        let is_diagnostic = |metric: &str| {
            self.measures.iter().filter(|of| of.metric == metric).all(|measure| measure.is_diagnostic)
        };
        self.metrics().into_iter().filter(|metric| !is_diagnostic(metric)).collect()
    }

    /// Returns the classes of jobs in their order; all jobs first.
    pub fn classes(&self) -> Vec<&str> {
        let mut classes = vec![ALL];
        for class in self.measures.iter().filter_map(|measure| measure.class.as_deref()) {
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes
    }

    /// Returns the position of the measure of a metric and a class; `None` if the class has no such metric.
    pub fn measure(&self, metric: &str, class: &str) -> Option<usize> {
        let is_it = |of: &Measure| of.metric == metric && of.class.as_deref().unwrap_or(ALL) == class;
        self.measures.iter().position(is_it)
    }
}
