//! The best policy in a typical unit, where it is another one than the best by its mean.

use batchlab_traces::arrange::Arrange as _;

use super::best_first::BestFirst;
use super::{AgainstBaseline, words};
use batchlab_study::study::{ContrastResult, Question};

/// Returns the sentence about one design point: "In a typical window another policy is best: SAF, 23.0 % less than EASY-SJBF
/// (p = 0.310, not shown)."
pub fn at_one_point(against_baseline: &AgainstBaseline<'_>, order: &BestFirst) -> Option<String> {
    let frame = against_baseline.study.frame();
    let (question, answer) = against_baseline.typical(&order.design_point)?;
    let label = |policy: usize| frame.policies[policy].label.as_str();
    let change = words::change(&frame.measures[order.measure], answer)?;
    let change = words::than(&change, label(question.baseline.policy));
    let surety = match (answer.p, answer.verdict) {
        (Ok(p), ContrastResult::Better) => format!(" ({}, shown)", words::p(p)),
        (Ok(p), _) => format!(" ({}, not shown)", words::p(p)),
        (Err(_), _) => String::new(),
    };
    let unit = words::unit_word(frame.workloads[order.design_point.workload].units);
    let typical = label(question.side.policy);
    Some(format!("In a typical {unit} another policy is best: {typical}, {change}{surety}."))
}

/// Returns the sentence about several design points: "In a typical window another policy is best at 3 of 8 points: SAF at 2
/// and EASY at 1."
pub fn at_several_points(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst]) -> Option<String> {
    let frame = against_baseline.study.frame();
    let found: Vec<&Question> = orders
        .iter()
        .filter_map(|of| against_baseline.typical(&of.design_point).map(|(question, _)| question))
        .collect();
    let count = |policy: usize| found.iter().filter(|of| of.side.policy == policy).count();
    let mut counts: Vec<(usize, usize)> =
        (0..frame.policies.len()).map(|policy| (policy, count(policy))).filter(|(_, at)| *at > 0).collect();
    counts.arrange_by_key(|&(_, at)| std::cmp::Reverse(at));
    let names = counts.iter().map(|(policy, at)| format!("{} at {at}", frame.policies[*policy].label));
    let unit = words::unit_word(frame.workloads[orders.first()?.design_point.workload].units);
    (!found.is_empty()).then(|| {
        let at = words::points(found.len(), orders.len());
        format!("In a typical {unit} another policy is best at {at}: {}.", words::some(names.collect()))
    })
}
