//! The result of a crossing for one policy.

use super::super::Names;
use super::CrossingSpec;
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::pitfalls::{Saturated, saturated};
use batchlab_study::study::{Crossed, CrossingQuestion, Study};

/// A policy's crossing at a workload and at values of the other parameters.
#[derive(Debug)]
pub struct Answer {
    /// The design point at the first value of `along`.
    pub start: DesignPoint,
    pub policy: usize,
    pub numbers: Vec<f64>,
    pub crossed: Crossed,
    /// The numbers at which the machine was saturated under the policy, and how this is known.
    pub saturated: Vec<(f64, Saturated)>,
}

impl Answer {
    /// Returns the answers of a table, row by row, without rows that were not replayed.
    pub fn all(spec: &CrossingSpec, names: &Names, study: &Study<'_>) -> Vec<Answer> {
        let Some(measure) = study.frame().measure(&spec.measure) else { return Vec::new() };
        let numbers = spec.numbers(names);
        let mut answers = Vec::new();
        for start in spec.starts() {
            for &policy in &spec.policies {
                let design_point = |value: usize| {
                    let mut design_point = start.clone();
                    design_point.point[spec.along] = value;
                    design_point
                };
                let points: Vec<(f64, DesignPoint)> =
                    numbers.iter().map(|&(number, value)| (number, design_point(value))).collect();
                if points.iter().all(|(_, at)| study.frame().rows(at, policy).is_empty()) {
                    continue;
                }
                let saturated = |(number, at): &(f64, DesignPoint)| {
                    Some((*number, saturated(study.frame(), at, policy)?))
                };
                let saturated = points.iter().filter_map(saturated).collect();
                let numbers = points.iter().map(|(number, _)| *number).collect();
                let question = CrossingQuestion { points, policy, measure, bound: spec.bound };
                let crossed = Crossed::of(study, &question);
                answers.push(Answer { start: start.clone(), policy, numbers, crossed, saturated });
            }
        }
        answers
    }

    /// Whether a crossing is next to a saturated value: the measured value just above it or just below it.
    pub fn leans_on_saturated(&self, at: f64) -> bool {
        let is_end =
            |pair: &[f64], end: f64| pair[0] <= at && at <= pair[1] && (end == pair[0] || end == pair[1]);
        let leans = |end: f64| self.numbers.windows(2).any(|pair| is_end(pair, end));
        self.saturated.iter().any(|(number, _)| leans(*number))
    }

    /// Returns the saturated numbers, as the table prints them.
    pub fn saturated_words(&self) -> Vec<String> {
        self.saturated.iter().map(|(number, _)| number.to_string()).collect()
    }
}
