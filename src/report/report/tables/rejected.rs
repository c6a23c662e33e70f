//! Jobs that policies rejected: a column of their own, and a note where the means of a table are of different jobs.

use std::borrow::Cow;

use batchlab_engine::replay::notes::DIFFERENT_JOBS;
use batchlab_engine::table::{Clause, Sentence};
use batchlab_study::experiment::{DesignPoint, FrameRow};
use batchlab_study::study::Study;
use batchlab_traces::number::grouped;

use super::{Axis, Baseline, TableSpec};

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

/// Returns how many jobs each policy rejected, if the table has no column for them, and whether its means are of different
/// jobs.
pub fn notes(spec: &TableSpec, study: &Study<'_>) -> Vec<Sentence> {
    let counts = counts(spec, study);
    let differs = counts.chunk_by(|one, other| one.0 == other.0).any(|of_point| {
        let first = of_point[0].2;
        of_point.iter().any(|(.., count)| *count != first)
    });
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
    let value = |row: &FrameRow| row.values[measure].unwrap_or(0.0);
    let is_of_table = |row: &&FrameRow| {
        let is_policy =
            spec.policies.contains(&row.policy) || spec.baselines.contains(&Baseline::Policy(row.policy));
        let mut at = spec.values.iter().zip(&row.point);
        is_policy && spec.workloads.contains(&row.workload) && at.all(|(values, at)| values.contains(at))
    };
    let rows: Vec<&FrameRow> = frame.rows.iter().filter(is_of_table).collect();
    if rows.iter().all(|row| value(row) == 0.0) {
        return Vec::new();
    }
    let is_one = |one: &&FrameRow, other: &&FrameRow| {
        (one.workload, &one.point, one.policy) == (other.workload, &other.point, other.policy)
    };
    let count = |rows: &[&FrameRow]| {
        // The whole of a replay that is measured in blocks is no further unit.
        let is_unit = |row: &&&FrameRow| rows.len() == 1 || row.unit.is_some();
        let sum = rows.iter().filter(is_unit).map(|row| value(row)).sum();
        (DesignPoint { workload: rows[0].workload, point: rows[0].point.clone() }, rows[0].policy, sum)
    };
    rows.chunk_by(is_one).map(count).collect()
}
