//! How the units of a policy make one value.

use std::sync::Arc;

use serde::Deserialize;

use super::{Estimate, Reason, Study};
use crate::experiment::{DesignPoint, Frame, FrameRow, Measure};
use batchlab_engine::metrics::{Compute, Metrics, key};
use batchlab_engine::stats::geometric;

/// How units make one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pool {
    /// Their arithmetic mean: each unit has the same weight.
    #[default]
    Units,
    Geometric,
    /// The statistic over the jobs of all units: each job has the same weight. It has no interval of its own, since the
    /// jobs of a unit depend on each other.
    Jobs,
}

/// The statistics that can be pooled over jobs.
const POOLED: [&str; 3] = ["mean", "sd", "var"];

impl Pool {
    /// Returns why a measure has no value when its units are pooled in this way, with what would have to be measured.
    pub fn check(self, measures: &[Measure], metric: &str, class: Option<&str>) -> Result<(), String> {
        if self != Pool::Jobs {
            return Ok(());
        }
        let Some((statistic, quantity)) = split(metric) else {
            return Err(format!("`{metric}` is no mean, sd or var over jobs, which have a value each"));
        };
        if ["slowdown", "normalized_response"].contains(&quantity) {
            let quantity = quantity.replace('_', " ");
            return Err(format!("not every job has a {quantity}, so that jobs do not weigh units"));
        }
        let mut needed = vec!["jobs".to_owned(), format!("mean_{quantity}")];
        needed.truncate(if statistic == "mean" { 1 } else { 2 });
        match needed.iter().find(|metric| find(measures, metric, class).is_none()) {
            Some(missing) => {
                Err(format!("`{metric}` over the jobs of all units needs the metric `{missing}` too"))
            }
            None => Ok(()),
        }
    }

    /// Returns the estimate of a policy at a design point by a measure, its units pooled in this way. O(units).
    pub fn estimate(
        self,
        study: &Study<'_>,
        design_point: &DesignPoint,
        policy: usize,
        measure: usize,
    ) -> Arc<Estimate> {
        let plain = study.estimate(design_point, policy, measure);
        match self {
            Pool::Units => plain,
            Pool::Geometric => {
                let units = study.frame().units(design_point, policy, measure);
                let values: Vec<f64> = units.into_iter().map(|(_, value)| value).collect();
                let are_positive = !values.is_empty() && values.iter().all(|value| *value > 0.0);
                let mean = (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp();
                let interval = match Reason::of_units(plain.kind) {
                    Some(reason) => Err(reason),
                    None if !are_positive => Err(Reason::NoLogarithm),
                    None => geometric::mean_ratio(&values, study.frame().level).map_err(Reason::from),
                };
                let value = are_positive.then_some(mean);
                Arc::new(Estimate { value, interval, sd: None, caution: None, ..Estimate::clone(&plain) })
            }
            Pool::Jobs => {
                let jobs = Jobs::of(study.frame(), design_point, policy, measure);
                let value = jobs.as_ref().and_then(|jobs| jobs.value);
                let sd = jobs.and_then(|jobs| jobs.variance).map(f64::sqrt);
                let plain = Estimate::clone(&plain);
                let interval = Err(Reason::Pooled);
                Arc::new(Estimate { value, interval, sd, caution: None, range: None, left_out: 0, ..plain })
            }
        }
    }
}

/// What the jobs of all units make.
struct Jobs {
    /// The statistic that the measure is.
    value: Option<f64>,
    /// The variance of the measure's quantity, where its mean and its deviation within units are measured.
    variance: Option<f64>,
}

impl Jobs {
    fn of(frame: &Frame, design_point: &DesignPoint, policy: usize, measure: usize) -> Option<Jobs> {
        let Measure { metric, class, .. } = &frame.measures[measure];
        let (statistic, quantity) = split(metric)?;
        let at = |metric: &str| find(&frame.measures, metric, class.as_deref());
        let (jobs, mean) = (at("jobs")?, at(&format!("mean_{quantity}"))?);
        let rows = || frame.rows(design_point, policy).iter().filter(|row| row.unit.is_some());
        let count = |row: &FrameRow| row.values[jobs].unwrap_or(0.0);
        let all: f64 = rows().filter(|row| row.values[mean].is_some()).map(count).sum();
        let sum: f64 = rows().filter_map(|row| Some(count(row) * row.values[mean]?)).sum();
        let whole = (all > 0.0).then(|| sum / all)?;
        // A single job has no deviation within its unit.
        let (of_variance, of_sd) = (at(&format!("var_{quantity}")), at(&format!("sd_{quantity}")));
        let within = |row: &FrameRow| match (of_variance, of_sd) {
            _ if count(row) < 2.0 => Some(0.0),
            (Some(variance), _) => row.values[variance],
            (None, Some(sd)) => row.values[sd].map(|sd| sd * sd),
            (None, None) => None,
        };
        let squares = |row: &FrameRow| {
            let mean = row.values[mean]?;
            Some((count(row) - 1.0) * within(row)? + count(row) * (mean - whole).powi(2))
        };
        let measured = || rows().filter(|row| count(row) > 0.0);
        let squares: Option<f64> = measured().map(squares).sum();
        let variance = squares.filter(|_| all > 1.0).map(|squares| squares / (all - 1.0));
        let value = match statistic {
            "mean" => Some(whole),
            "var" => variance,
            _ => variance.map(f64::sqrt),
        };
        Some(Jobs { value, variance })
    }
}

/// Returns the statistic and the quantity of a metric over jobs.
fn split(metric: &str) -> Option<(&str, &str)> {
    let is_of_jobs = key::family(&Metrics::builtin(), metric)
        .is_none_or(|family| matches!(family.compute, Compute::PerJob(_)));
    metric.split_once('_').filter(|(statistic, _)| is_of_jobs && POOLED.contains(statistic))
}

fn find(measures: &[Measure], metric: &str, class: Option<&str>) -> Option<usize> {
    measures.iter().position(|of| of.metric == metric && of.class.as_deref() == class)
}
