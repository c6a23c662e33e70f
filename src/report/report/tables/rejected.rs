//! Jobs that policies rejected: a column of their own, and a note where the means of a table are of different jobs.

use std::borrow::Cow;

use batchlab_engine::replay::notes::DIFFERENT_JOBS;
use batchlab_engine::table::{Clause, Sentence};
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::Study;
use batchlab_traces::number::grouped;

use super::{Axis, TableSpec};

/// The metric that counts them, which every experiment measures.
const METRIC: &str = "rejected";

/// Returns the table with the rejected jobs as its last metric: if it shows values by metric, and a policy rejected any.
pub fn with_rejected<'s>(spec: &'s TableSpec, study: &Study<'_>) -> Cow<'s, TableSpec> {
    let has_place = [&spec.rows, &spec.columns].iter().any(|axes| axes.contains(&Axis::Metric));
    if !has_place || !spec.shows(&["value"]) || is_shown(spec) || counts(spec, study).is_empty() {
        return Cow::Borrowed(spec);
    }
    let metrics = spec.metrics.iter().cloned().chain([METRIC.into()]).collect();
    Cow::Owned(TableSpec { metrics, ..spec.clone() })
}

/// Returns how many jobs each policy rejected, if no column has it, and whether the means are of different jobs.
pub fn notes(spec: &TableSpec, study: &Study<'_>) -> Vec<Sentence> {
    let counts = counts(spec, study);
    let mut neighbours = counts.windows(2);
    let differs = neighbours.any(|pair| pair[0].0 == pair[1].0 && pair[0].2 != pair[1].2);
    let words = spec.policies.iter().filter_map(|policy| {
        let count: f64 = counts.iter().filter(|(_, of, _)| of == policy).map(|(.., count)| count).sum();
        let label = &study.frame().policies[*policy].label;
        (count > 0.0).then(|| format!("{} {}", spec.called(label).unwrap_or(label), grouped(count as u64)))
    });
    let words: Vec<String> = words.collect();
    let listed = (!words.is_empty() && !is_shown(spec)).then(|| {
        let head = Clause::prose("jobs rejected, which count in no mean");
        Sentence { joint: ": ", ..Sentence::new("", [head, words.join(", ").into()]) }
    });
    listed.into_iter().chain(differs.then(|| Clause::prose(DIFFERENT_JOBS).into())).collect()
}

fn is_shown(spec: &TableSpec) -> bool {
    spec.metrics.iter().any(|metric| metric == METRIC)
}

/// Returns the number of rejected jobs of each policy at each design point of the table; nothing if no job was rejected.
fn counts(spec: &TableSpec, study: &Study<'_>) -> Vec<(DesignPoint, usize, f64)> {
    let frame = study.frame();
    let Some(measure) = frame.measure(METRIC) else { return Vec::new() };
    let is_of_table = |at: &DesignPoint| {
        let mut values = spec.values.iter().zip(&at.point);
        spec.workloads.contains(&at.workload) && values.all(|(values, value)| values.contains(value))
    };
    let mut counts = Vec::new();
    for at in frame.design_points().into_iter().filter(is_of_table) {
        let is_replayed = |policy: &usize| !frame.rows(&at, *policy).is_empty();
        for policy in spec.policies.iter().copied().filter(is_replayed) {
            let units = || frame.units(&at, policy, measure).iter().map(|(_, count)| count).sum();
            counts.push((at.clone(), policy, frame.whole(&at, policy, measure).unwrap_or_else(units)));
        }
    }
    if counts.iter().all(|(.., count)| *count == 0.0) { Vec::new() } else { counts }
}
