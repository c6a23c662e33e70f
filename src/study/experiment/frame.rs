//! The results of an experiment in memory: what tables, plots, claims and findings read.

use batchlab_traces::Time;
use batchlab_traces::reading::parse_duration;
use serde::{Deserialize, Serialize};

use super::stated::Stated;
use batchlab_engine::metrics::Domain;
use batchlab_engine::stats::dependence::Dependence;
use batchlab_engine::table::{Better, Unit};

/// The results of an experiment: one row for each workload, point of the sweep, policy and unit of inference.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub name: String,
    pub seed: u64,
    /// Level of confidence, such as .95.
    pub level: f64,
    /// The policy with which others are compared, by its position; `None` if there is nothing to compare.
    pub baseline: Option<usize>,
    /// The swept parameters, in the order of the file; if there are readings, one of them is `reading`.
    pub parameters: Vec<Parameter>,
    pub workloads: Vec<WorkloadFacts>,
    pub policies: Vec<PolicyFacts>,
    /// The measures, in the order of the values of each row.
    pub measures: Vec<Measure>,
    /// The workloads on which a policy is not replayed.
    pub absent: Vec<AbsentPolicy>,
    /// The rows by workload, point, policy and unit, in that order.
    pub rows: Vec<FrameRow>,
}

/// A workload on which a policy is not replayed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AbsentPolicy {
    pub workload: usize,
    pub policy: usize,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    /// Its values as the file writes them, in that order.
    pub values: Vec<String>,
}

/// The kind of a unit of inference. A unit is never a job: jobs of one replay depend on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnitKind {
    /// The only replay; there is no interval.
    #[default]
    One,
    /// Independent replications of a model.
    Replications,
    Windows,
    /// Blocks of submission time of one long replay.
    Blocks,
    /// Random draws (weeks, users, resources) from one log: conditional on that log.
    Draws,
    /// Small noise on one log: a measure of instability, never of confidence.
    Shaken,
}

impl UnitKind {
    /// Returns how values of neighbouring units depend on each other; `None` for units that do not follow one another in a log.
    pub fn dependence(self, values: &[f64]) -> Option<Dependence> {
        matches!(self, UnitKind::Windows | UnitKind::Blocks).then(|| Dependence::of(values)).flatten()
    }
}

/// What separates the length of windows from how far apart they are, as in `7d, every 8`.
pub const EVERY: &str = ", every ";

/// What separates the length of windows from the jobs with which they begin, as in `1024 jobs, from 1982 2757`.
pub const STARTS: &str = ", from ";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadFacts {
    pub name: String,
    pub units: UnitKind,
    /// Length or number of the units in words, such as `7d` or `20 replications`; empty for one replay.
    pub units_words: String,
    /// The conditions at each point: trace and version, machine, readings, trimming.
    pub conditions: Vec<Stated>,
    /// What it stands in for, if it is not the workload that claims are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitute: Option<String>,
}

impl WorkloadFacts {
    /// Returns the length or number of the units for sentences: "28 d" for windows of `28d`, "7 d, one in 8" for those of
    /// `7d, every 8`, "1024 jobs from given starts" for those of `1024 jobs, from 1982 2757`. A number of jobs is in words already.
    pub fn units_length(&self) -> String {
        let words = |length: &str| parse_duration(length).map_or_else(|_| length.to_owned(), Time::words);
        if let Some((length, _)) = self.units_words.split_once(STARTS) {
            return format!("{} from given starts", words(length.trim()));
        }
        match self.units_words.split_once(EVERY) {
            Some((length, every)) => format!("{}, one in {}", words(length.trim()), every.trim()),
            None => words(&self.units_words),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyFacts {
    pub label: String,
    /// Its spec as the file writes it, with the names of swept parameters in braces.
    pub spec: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// Its key: that of the metric, followed by `@CLASS` for the jobs of a class.
    pub key: String,
    pub metric: String,
    /// The class of jobs; `None` for all.
    pub class: Option<String>,
    pub unit: Unit,
    pub better: Better,
    #[serde(default)]
    pub domain: Domain,
    pub definition: String,
    /// Whether it is measured for the findings only and not because the user asked for it.
    pub is_diagnostic: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FrameRow {
    /// Key of the replay, from which it can be reproduced.
    pub key: String,
    pub workload: usize,
    /// The value of each parameter, by position.
    pub point: Vec<usize>,
    pub policy: usize,
    /// The unit, from 0; `None` means the whole of a replay that is also measured in blocks.
    pub unit: Option<u32>,
    pub seed: u64,
    /// One value for each measure; `None` if it is undefined.
    pub values: Vec<Option<f64>>,
}

/// A workload at a point of the sweep: the place in the results to which units belong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DesignPoint {
    pub workload: usize,
    /// The value of each parameter, by position.
    pub point: Vec<usize>,
}

impl DesignPoint {
    /// Returns every combination of some workloads and some values of each parameter, in the order of the results.
    pub fn all(workloads: &[usize], values: &[Vec<usize>]) -> Vec<DesignPoint> {
        let mut points: Vec<Vec<usize>> = vec![Vec::new()];
        for values in values {
            let longer = |point: &Vec<usize>| -> Vec<Vec<usize>> {
                values.iter().map(|&at| [&point[..], &[at]].concat()).collect()
            };
            points = points.iter().flat_map(longer).collect();
        }
        let at = |&workload: &usize| {
            points.iter().map(move |point| DesignPoint { workload, point: point.clone() })
        };
        workloads.iter().flat_map(at).collect()
    }
}

impl AbsentPolicy {
    /// Returns the fact in words, with the labels of workload and policy: "NASA has no EASY++: its `workloads` leave it out".
    pub fn words(&self, workload: &str, policy: &str) -> String {
        format!("{workload} has no {policy}: {}", self.why)
    }
}

impl Frame {
    pub fn measure(&self, key: &str) -> Option<usize> {
        self.measures.iter().position(|measure| measure.key == key)
    }

    pub fn policy(&self, label: &str) -> Option<usize> {
        self.policies.iter().position(|policy| policy.label == label)
    }

    pub fn workload(&self, name: &str) -> Option<usize> {
        self.workloads.iter().position(|workload| workload.name == name)
    }

    /// Returns all design points that have rows, in the order of the rows.
    pub fn design_points(&self) -> Vec<DesignPoint> {
        let mut design_points: Vec<DesignPoint> = Vec::new();
        for row in &self.rows {
            let is_last = |design_point: &DesignPoint| {
                design_point.workload == row.workload && design_point.point == row.point
            };
            if !design_points.last().is_some_and(is_last) {
                design_points.push(DesignPoint { workload: row.workload, point: row.point.clone() });
            }
        }
        design_points
    }

    /// Returns the rows of a policy at a design point, in the order of the units. O(log n), plus the rows returned.
    pub fn rows(&self, design_point: &DesignPoint, policy: usize) -> &[FrameRow] {
        let wanted = (design_point.workload, &design_point.point[..], policy);
        let place = |row: &FrameRow| (row.workload, &row.point[..], row.policy).cmp(&wanted);
        let from = self.rows.partition_point(|row| place(row).is_lt());
        let count = self.rows[from..].partition_point(|row| place(row).is_eq());
        &self.rows[from..from + count]
    }

    /// Returns the units of a policy at a design point with their values of a measure, without the units for which it is
    /// undefined. For a replay that is measured in blocks, the units are the blocks.
    pub fn units(&self, design_point: &DesignPoint, policy: usize, measure: usize) -> Vec<(u32, f64)> {
        let value = |row: &FrameRow| row.unit.zip(row.values[measure]);
        self.rows(design_point, policy).iter().filter_map(value).collect()
    }

    /// Returns the value for the whole replay, if there is one replay.
    pub fn whole(&self, design_point: &DesignPoint, policy: usize, measure: usize) -> Option<f64> {
        let rows = self.rows(design_point, policy);
        let whole = rows.iter().find(|row| row.unit.is_none()).or(match rows {
            [only] => Some(only),
            _ => None,
        });
        whole.and_then(|row| row.values[measure])
    }

    pub fn value(&self, design_point: &DesignPoint, parameter: usize) -> &str {
        &self.parameters[parameter].values[design_point.point[parameter]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(workload: usize, point: usize, policy: usize, unit: Option<u32>, value: f64) -> FrameRow {
        let (key, seed) = (String::new(), 1);
        FrameRow { key, workload, point: vec![point], policy, unit, seed, values: vec![Some(value), None] }
    }

    #[test]
    fn lengths_of_units_are_words_with_a_unit() {
        let length = |units_words: &str| {
            WorkloadFacts { units_words: units_words.into(), ..WorkloadFacts::default() }.units_length()
        };
        let written = ["28d", "1w", "5000 jobs", "", "1w, every 8", "2 jobs, from 1 3"];
        assert_eq!(
            written.map(length),
            ["28 d", "7 d", "5000 jobs", "", "7 d, one in 8", "2 jobs from given starts"]
        );
    }

    #[test]
    fn rows_are_found_by_design_point_and_policy() {
        let rows = vec![
            row(0, 0, 0, None, 7.0),
            row(0, 0, 0, Some(0), 6.0),
            row(0, 0, 0, Some(1), 9.0),
            row(0, 0, 1, None, 1.0),
            row(0, 1, 0, None, 3.0),
            row(1, 0, 0, Some(0), 4.0),
        ];
        let frame = Frame { rows, ..Frame::default() };
        let design_points = frame.design_points();
        assert_eq!(design_points.len(), 3);
        assert_eq!(frame.units(&design_points[0], 0, 0), [(0, 6.0), (1, 9.0)]);
        let whole = |at: usize, policy, measure| frame.whole(&design_points[at], policy, measure);
        assert_eq!([whole(0, 0, 0), whole(0, 0, 1)], [Some(7.0), None]);
        assert_eq!([whole(0, 1, 0), whole(2, 0, 0)], [Some(1.0), Some(4.0)]);
        assert!(frame.rows(&design_points[1], 1).is_empty());
    }
}
