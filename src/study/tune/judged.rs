//! What the units that judge say of a policy.

use super::goal::{Compared, Goal};
use super::score::UnitScore;
use crate::experiment::Frame;

/// The standing of a policy on the workloads of the search, by the results of an experiment on the units that judge.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedStanding {
    /// The numbers of units for each objective, with their groups, in the order of the results.
    numbers: Vec<Vec<(usize, f64)>>,
    /// For each objective.
    pub scores: Vec<Option<UnitScore>>,
    /// The ratios to the baseline.
    pub ratios: Vec<Option<f64>>,
}

impl JudgedStanding {
    /// Computes the standing from the rows of the first `workloads` workloads; later workloads are other conditions. The goal was
    /// read with the frame's measures.
    pub fn of(frame: &Frame, goal: &Goal, label: &str, workloads: usize) -> JudgedStanding {
        let Some(policy) = frame.policy(label) else {
            let none = goal.objectives.len();
            return JudgedStanding {
                numbers: vec![Vec::new(); none],
                scores: vec![None; none],
                ratios: vec![None; none],
            };
        };
        let baseline = frame.baseline.unwrap_or(0);
        let points = frame.design_points();
        let points = points.iter().filter(|point| point.workload < workloads);
        let mut numbers: Vec<Vec<(usize, f64)>> = vec![Vec::new(); goal.objectives.len()];
        for (group, point) in points.enumerate() {
            let rows = |policy| frame.rows(point, policy).iter().filter(|row| row.unit.is_some());
            let mean = |policy: usize, measure: usize| {
                let values: Vec<f64> = rows(policy).filter_map(|row| row.values[measure]).collect();
                (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
            };
            let means: Vec<Vec<Option<f64>>> = (0..frame.policies.len())
                .map(|policy| (0..frame.measures.len()).map(|measure| mean(policy, measure)).collect())
                .collect();
            for (row, base) in rows(policy).zip(rows(baseline)) {
                let mut policies: Vec<&[Option<f64>]> = vec![&[]; frame.policies.len()];
                policies[baseline] = &base.values;
                let compared = Compared { values: &row.values, policies, means: &means, baseline };
                for (numbers, objective) in numbers.iter_mut().zip(&goal.objectives) {
                    numbers.extend(objective.number(&compared).map(|number| (group, number)));
                }
            }
        }
        let scores: Vec<Option<UnitScore>> =
            numbers.iter().map(|of| UnitScore::of(of.iter().copied())).collect();
        let ratio = |(score, at): (&Option<UnitScore>, usize)| {
            (*score).map(|score| goal.objectives[at].ratio(score.mean)).filter(|ratio| ratio.is_finite())
        };
        let ratios = scores.iter().zip(0..).map(ratio).collect();
        JudgedStanding { numbers, scores, ratios }
    }

    /// Returns the score of the first objective against another policy, unit by unit; `None` if they have other units.
    pub fn against(&self, other: &JudgedStanding) -> Option<UnitScore> {
        let (own, others) = (self.numbers.first()?, other.numbers.first()?);
        let pairs = own.iter().zip(others);
        let is_paired = own.len() == others.len() && pairs.clone().all(|(a, b)| a.0 == b.0);
        is_paired.then(|| UnitScore::of(pairs.map(|(a, b)| (a.0, a.1 - b.1)))).flatten()
    }
}
