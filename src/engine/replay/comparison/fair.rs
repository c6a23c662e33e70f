//! Fair start times, from replays under schedulers that are considered fair; made only if a metric asks for them.

use super::{ComparedPolicy, Comparison, ComparisonError};
use crate::metrics::{FairStarts, MetricPart};

/// The variants: key, spec, whether run times are known.
const VARIANTS: &[(&str, &str, bool)] = &[
    // Leung, Sabin, Sadayappan: conservative backfilling in the order of submission, with exact estimates.
    ("consp", "conservative", true),
    ("fcfs", "fcfs", false),
];

pub fn variants() -> Vec<&'static str> {
    VARIANTS.iter().map(|(key, ..)| *key).collect()
}

/// Fair start times, and the reasons why some that were asked for are missing.
#[derive(Debug, Default)]
pub struct Fair {
    pub starts: Vec<FairStarts>,
    /// The reason for each variant without start times.
    pub notes: Vec<String>,
}

/// Replays the variants that the metrics of a comparison ask for. If the policy of a variant cannot work in
/// the scenario, its metrics are undefined.
pub(super) fn starts(comparison: &Comparison<'_>) -> Result<Fair, ComparisonError> {
    let wanted = |key: &str| {
        comparison
            .metrics
            .iter()
            .any(|metric| matches!(&metric.part, MetricPart::Variant(variant) if variant == key))
    };
    let mut fair = Fair::default();
    if comparison.scenario.workload.is_closed() && VARIANTS.iter().any(|(key, ..)| wanted(key)) {
        fair.notes.push("no fair start times: jobs depend on others, and enter the queue of each replay at other instants".into());
        return Ok(fair);
    }
    for &(key, spec, clairvoyant) in VARIANTS.iter().filter(|(key, ..)| wanted(key)) {
        let policy = match comparison.policies.choose(spec) {
            Ok(policy) => policy,
            Err(unknown) => {
                fair.notes.push(format!("no fair start times of the variant {key} here: {unknown}"));
                continue;
            }
        };
        match comparison.to_the_end(&ComparedPolicy { policy, clairvoyant }) {
            Ok(outcome) => fair.starts.push(FairStarts { variant: key.into(), start: outcome.start }),
            Err(ComparisonError::Build(unfit)) => {
                fair.notes.push(format!("no fair start times of the variant {key} here: {unfit}"));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(fair)
}
