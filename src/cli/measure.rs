//! Options of `replay` and `verify` about the measurement.

use batchlab_traces::Time;
use batchlab_traces::expr::Vocabulary;
use batchlab_traces::reading::parse_duration;
use clap::Args;

use crate::cli::Failure;
use crate::metrics::{self, Catalogue, Class, ClassesError, Cooldown, MeasureOptions, Metric, Warmup};

/// What is measured.
#[derive(Args)]
pub struct MeasureArgs {
    /// Metrics, by key (see `batchlab list metrics`), or of your own as NAME=STATISTIC(EXPRESSION), such as
    /// 'short=share(wait < 10min)' or 'wide=p95(wait / procs)'
    #[arg(long, value_name = "A,B,C|NAME=DEFINITION", help_heading = "Measurement")]
    metrics: Option<String>,
    /// Measure classes of jobs apart: zhang, feitelson4x4, interactive, or one by a condition, such as 'wide=procs >
    /// 32 and run > 4h'; may be given several times
    #[arg(long, value_name = "PRESET|NAME=CONDITION", help_heading = "Measurement")]
    classes: Vec<String>,
    /// Bound of the bounded slowdown
    #[arg(long, default_value = "10", value_name = "TIME", value_parser = parse_duration, help_heading = "Measurement")]
    tau: Time,
    /// Leave out the beginning: a share of terminations such as 1%, a time such as 2d, or the first jobs that MSER-5 cuts
    /// from the waits of each replay (mser5; nothing if it finds no cut in the first half)
    #[arg(long, default_value = "none", value_name = "SHARE|TIME|mser5", help_heading = "Measurement")]
    warmup: Warmup,
    /// Leave out the end: jobs that end after the last submission (submit), or a time such as 2d
    #[arg(long, default_value = "none", value_name = "submit|TIME", help_heading = "Measurement")]
    cooldown: Cooldown,
    /// Simulate the jobs of this time from the first submission, but do not measure them
    #[arg(long, default_value = "0", value_name = "TIME", value_parser = parse_duration, help_heading = "Measurement")]
    prefix: Time,
}

impl MeasureArgs {
    /// Adds the metrics that the request defines.
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

    /// Returns the positions of the metrics that a table shows: the requested ones, else a set that fits on a
    /// page.
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

    /// Whether classes of jobs are measured apart.
    pub fn has_classes(&self) -> bool {
        !self.classes.is_empty()
    }

    /// Whether interactive and batch jobs are measured separately.
    pub fn tells_classes_apart(&self) -> bool {
        self.classes.iter().any(|text| text == "interactive")
    }

    /// Returns the options of the measurement.
    pub fn options(&self) -> MeasureOptions {
        MeasureOptions { tau: self.tau, warmup: self.warmup, cooldown: self.cooldown, prefix: self.prefix }
    }
}
