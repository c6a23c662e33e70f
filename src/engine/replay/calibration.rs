//! A metric of a log's replay, which the calibrating shaping steps bring to a target.

use batchlab_traces::reading::Overrun;
use batchlab_traces::shape::Target;

use crate::Inventory;
use crate::metrics::{Catalogue, MeasureOptions, Measurement};
use crate::replay::comparison::{ComparedPolicy, Comparison};
use crate::replay::engine::Scenario;

/// Replays the target's policy and returns the target's metric, over all jobs and without warm-up. A mean
/// queue length is that between the first and the last submission and includes a blocked head.
///
/// # Errors
/// In words: if the policy or the metric is unknown, the policy cannot work in the scenario or misbehaves, or
/// the metric is undefined for the outcome.
pub fn measure(
    inventory: &Inventory,
    scenario: &Scenario,
    overrun: Overrun,
    target: &Target,
) -> Result<f64, String> {
    let policy = inventory.choose(&target.policy).map_err(|error| error.to_string())?;
    let metrics = Catalogue::of(inventory.metrics(), &scenario.machine, &[]).select(&target.metric);
    let metrics = metrics.map_err(|error| error.to_string())?;
    let options = MeasureOptions::default();
    let policies = inventory.policies();
    let comparison = Comparison { scenario, policies, overrun, metrics: &metrics, classes: &[], options };
    let compared = ComparedPolicy { policy, clairvoyant: false };
    let outcome = comparison.replay(&compared, &|_| ()).map_err(|error| error.to_string())?;
    let measurement = Measurement::new(&scenario.workload, &scenario.machine, &outcome, options);
    let measurement = measurement.map_err(|error| error.to_string())?;
    let value = metrics.first().and_then(|metric| metric.value(&measurement));
    value.ok_or_else(|| format!("`{}` is not defined of this log", target.metric))
}
