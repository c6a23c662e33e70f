//! What weakens the verdict on a workload, in one sentence.

use batchlab_traces::Level;
use batchlab_traces::arrange::Arrange as _;

use super::best_first::BestFirst;
use super::{AgainstBaseline, limits, words};
use batchlab_engine::stats::caution::Caution;
use batchlab_study::experiment::Frame;
use batchlab_study::study::pitfalls::{Pitfall, saturated};
use batchlab_study::study::{Answer, ComparedNumber};

/// The most facts that are listed; the details and the findings have the others.
const SHOWN: usize = 4;

/// Returns the sentence about a workload; `None` if nothing weakens the verdict.
pub fn sentence(
    against_baseline: &AgainstBaseline<'_>,
    orders: &[BestFirst],
    pitfalls: &[Pitfall],
) -> Option<String> {
    let mut facts: Vec<String> = Vec::new();
    facts.extend(saturation(against_baseline.study.frame(), orders));
    facts.extend(disagreements(against_baseline, orders));
    facts.extend(coverage(against_baseline, orders));
    facts.extend(found(against_baseline.study.frame(), orders, pitfalls));
    let more = facts.len().saturating_sub(SHOWN);
    facts.truncate(SHOWN);
    let rest = if more > 0 { format!("; {more} more in the details and findings") } else { String::new() };
    (!facts.is_empty()).then(|| format!("What weakens this: {}{rest}.", facts.join("; ")))
}

/// Returns the policies under which the machine is saturated, with the number of points if there are several.
fn saturation(frame: &Frame, orders: &[BestFirst]) -> Option<String> {
    let points = |policy: usize| {
        orders.iter().filter(|of| saturated(frame, &of.design_point, policy).is_some()).count()
    };
    let name = |policy: usize| {
        let label = &frame.policies[policy].label;
        match points(policy) {
            0 => None,
            _ if orders.len() == 1 => Some(label.clone()),
            points => Some(format!("{label} at {}", words::points(points, orders.len()))),
        }
    };
    let names: Vec<String> = (0..frame.policies.len()).filter_map(name).collect();
    (!names.is_empty()).then(|| {
        format!(
            "the machine is saturated under {}, where values grow with the length of the replay",
            words::some(names)
        )
    })
}

/// Returns where means and typical units, or the test and its check, disagree, and where differences are compared.
fn disagreements(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst]) -> Vec<String> {
    let frame = against_baseline.study.frame();
    let met = |is_met: &dyn Fn(&Answer) -> bool| {
        let is_met_by = |policy: &usize| {
            orders.iter().any(|of| against_baseline.answer(&of.design_point, *policy).is_some_and(is_met))
        };
        let labels =
            (0..frame.policies.len()).filter(is_met_by).map(|policy| frame.policies[policy].label.clone());
        words::some(labels.collect())
    };
    let unit =
        orders.first().map_or("unit", |of| words::unit_word(frame.workloads[of.design_point.workload].units));
    let two = met(&|answer| answer.contrast.has_two_answers());
    let doubted = met(&|answer| answer.compared().is_doubted(frame.level));
    let differences = met(&|answer| answer.quantity == ComparedNumber::Difference);
    let told = [
        (two, format!("the mean and a typical {unit} disagree about")),
        (doubted, "exact sign flips, which assume less than the t-test, disagree about".to_owned()),
        (differences, format!("a {unit} has the value 0, so that differences are compared, not ratios, for")),
    ];
    told.into_iter()
        .filter(|(names, _)| !names.is_empty())
        .map(|(names, words)| format!("{words} {names}"))
        .collect()
}

/// Returns how often intervals like these hold the true value, where that is less often than their level.
fn coverage(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst]) -> Option<String> {
    let frame = against_baseline.study.frame();
    let answers = orders.iter().flat_map(|of| {
        (0..frame.policies.len()).filter_map(|policy| against_baseline.answer(&of.design_point, policy))
    });
    let cautions = answers.filter_map(|answer| answer.compared().caution);
    let least = |one: Caution, other: Caution| if other.covered < one.covered { other } else { one };
    let Caution { units, covered, .. } = cautions.reduce(least)?;
    let kind = frame.workloads[orders.first()?.design_point.workload].units;
    Some(format!(
        "95 % intervals of {units} {}s like these held the true value in {covered:.1} % of simulations",
        words::unit_word(kind)
    ))
}

/// Returns the pitfalls of this workload that are more than notes.
fn found(frame: &Frame, orders: &[BestFirst], pitfalls: &[Pitfall]) -> Vec<String> {
    let Some(of) = orders.first() else { return Vec::new() };
    let name = &frame.workloads[of.design_point.workload].name;
    let is_here = |met: &&Pitfall| {
        met.cases.iter().any(|case| case.about.workload.as_ref().is_some_and(|workload| workload == name))
    };
    let is_grave = |met: &&Pitfall| met.spec.level > Level::Note && met.spec.code != limits::SATURATED;
    let mut grave: Vec<&Pitfall> = pitfalls.iter().filter(is_grave).filter(is_here).collect();
    grave.arrange_by_key(|met| std::cmp::Reverse(met.spec.level));
    grave.into_iter().map(|met| met.spec.title.to_owned()).collect()
}
