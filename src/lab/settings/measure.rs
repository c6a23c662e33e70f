use batchlab_traces::Time;
use batchlab_traces::expr::Vocabulary;

use crate::lab::Failure;
use crate::metrics::{self, Catalogue, Class, ClassesError, Cooldown, MeasureOptions, Metric, Warmup};

#[derive(Clone, Debug)]
pub struct MeasureSettings {
    pub metrics: Option<String>,
    pub classes: Vec<String>,
    pub tau: Time,
    pub warmup: Warmup,
    pub cooldown: Cooldown,
    pub prefix: Time,
}

impl Default for MeasureSettings {
    fn default() -> MeasureSettings {
        let MeasureOptions { tau, warmup, cooldown, prefix } = MeasureOptions::default();
        MeasureSettings { metrics: None, classes: Vec::new(), tau, warmup, cooldown, prefix }
    }
}

impl MeasureSettings {
    pub fn defining(&self, catalogue: Catalogue, vocabulary: &Vocabulary) -> Result<Catalogue, Failure> {
        let wrong = |error| Failure::Usage(format!("--metrics {error}"));
        catalogue.defining(self.metrics.as_deref().unwrap_or_default(), vocabulary).map_err(wrong)
    }

    /// Returns the requested metrics, else the default ones of a table or of a summary.
    pub fn metrics(&self, catalogue: &Catalogue, summary: bool) -> Result<Vec<Metric>, Failure> {
        Ok(match &self.metrics {
            Some(list) => catalogue.select(list)?,
            None if summary => catalogue.for_summary(),
            None => catalogue.for_table(),
        })
    }

    /// Returns the requested metrics, else those of a list.
    pub fn metrics_or(&self, catalogue: &Catalogue, list: &str) -> Result<Vec<Metric>, Failure> {
        Ok(catalogue.select(self.metrics.as_deref().unwrap_or(list))?)
    }

    /// Returns the positions of the metrics that a table shows: the requested ones, else a set that fits on a page.
    pub fn in_table(&self, catalogue: &Catalogue, metrics: &[Metric]) -> Vec<usize> {
        if self.metrics.is_some() {
            return (0..metrics.len()).collect();
        }
        let shown = catalogue.for_table();
        let position = |key: String| metrics.iter().position(|metric| metric.key() == key);
        shown.iter().filter_map(|metric| position(metric.key())).collect()
    }

    /// Returns the requested classes; conditions may use the names of the vocabulary.
    pub fn classes(&self, vocabulary: &Vocabulary) -> Result<Vec<Class>, Failure> {
        metrics::classes(&self.classes, vocabulary).map_err(|error| match error {
            ClassesError::Unknown(unknown) => unknown.into(),
            ClassesError::Condition { .. } => Failure::Usage(format!("--classes {error}")),
            ClassesError::Twice { name } => Failure::Usage(format!("--classes defines {name} twice")),
        })
    }

    pub fn has_classes(&self) -> bool {
        !self.classes.is_empty()
    }

    /// Whether interactive and batch jobs are measured separately.
    pub fn tells_classes_apart(&self) -> bool {
        self.classes.iter().any(|text| text == "interactive")
    }

    pub fn options(&self) -> MeasureOptions {
        MeasureOptions { tau: self.tau, warmup: self.warmup, cooldown: self.cooldown, prefix: self.prefix }
    }
}
