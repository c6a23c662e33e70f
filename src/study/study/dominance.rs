//! Trade-offs: which policies others dominate in several metrics at once.

use super::{Answer, ContrastResult, Question, Study, pairs};
use crate::experiment::DesignPoint;
use batchlab_engine::table::Better;

/// How a policy stands among others in several metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParetoStanding {
    pub policy: usize,
    /// The policies that dominate it by their means: none is worse in any of the metrics, and each is better in one.
    pub by: Vec<usize>,
    /// Those of them that are shown to be better in every one of the metrics.
    pub shown: Vec<usize>,
}

/// Returns how policies stand at a design point; those without a value of each metric are left out. `None` if a metric has no good
/// direction.
///
/// A policy is dominated beyond its intervals if the paired test of each metric shows the other one to be better. All tests have to
/// agree, so that p needs no adjustment for the number of metrics (the intersection-union test: Berger, Technometrics 24, 1982). It
/// is adjusted for the pairs of policies by Bonferroni's method. O(policies² · metrics), and the contrasts.
pub fn standings(
    study: &Study<'_>,
    design_point: &DesignPoint,
    policies: &[usize],
    measures: &[usize],
) -> Option<Vec<ParetoStanding>> {
    let frame = study.frame();
    if measures.iter().any(|&measure| frame.measures[measure].better == Better::Neither) {
        return None;
    }
    let cost = |policy: usize, measure: usize| {
        let has_rows = !frame.rows(design_point, policy).is_empty();
        let value = has_rows.then(|| study.estimate(design_point, policy, measure).value)??;
        value.is_finite().then_some(if frame.measures[measure].better == Better::Higher {
            -value
        } else {
            value
        })
    };
    let costs = |&policy: &usize| -> Option<(usize, Vec<f64>)> {
        Some((policy, measures.iter().map(|&measure| cost(policy, measure)).collect::<Option<_>>()?))
    };
    let known: Vec<(usize, Vec<f64>)> = policies.iter().filter_map(costs).collect();
    let is_shown = |one: usize, other: usize| {
        let ask = |&measure: &usize| Question::of_policies(design_point, [one, other], measure);
        let questions: Vec<Question> = measures.iter().map(ask).collect();
        let answers = Answer::chosen(study, &questions, pairs(known.len()));
        answers.iter().all(|answer| answer.verdict == ContrastResult::Better)
    };
    let standing = |(policy, own): &(usize, Vec<f64>)| {
        let by = known.iter().filter(|(_, costs)| dominates(costs, own)).map(|(other, _)| *other);
        let by: Vec<usize> = by.collect();
        let shown = by.iter().copied().filter(|&other| is_shown(other, *policy)).collect();
        ParetoStanding { policy: *policy, by, shown }
    };
    Some(known.iter().map(standing).collect())
}

/// Whether costs are nowhere above others, and below them somewhere.
pub fn dominates(one: &[f64], other: &[f64]) -> bool {
    let pairs = || one.iter().zip(other);
    pairs().all(|(one, other)| one <= other) && pairs().any(|(one, other)| one < other)
}
