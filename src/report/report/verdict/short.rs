//! The verdict on a workload in at most five sentences: which policy is best and by how much, for whom and at whose expense, how
//! surely, which other one is best in a typical unit, and what weakens that.

use std::cmp::Ordering;

use super::best_first::{BestFirst, wins, workload};
use super::{AgainstBaseline, Paragraph, payers, typical, weak, words};
use batchlab_engine::table::Better;
use batchlab_study::experiment::UnitKind;
use batchlab_study::study::pitfalls::Pitfall;
use batchlab_study::study::{Answer, ComparedNumber, ContrastResult, Reason};

/// Returns the verdict on a workload at one or several points of a sweep.
pub fn paragraph(
    against_baseline: &AgainstBaseline<'_>,
    orders: &[BestFirst],
    pitfalls: &[Pitfall],
) -> Paragraph {
    let frame = against_baseline.study.frame();
    let mut sentences = match orders {
        [only] => at_one_point(against_baseline, only),
        several => at_several_points(against_baseline, several),
    };
    // Who pays stands beside who wins; what is said of other policies comes after.
    let at = sentences.len().min(1);
    sentences.splice(at..at, payers::sentence(against_baseline, orders));
    sentences.extend(match orders {
        // The first sentence compares the best with the baseline, or the baseline with the second, in a typical unit.
        [only] if is_told(against_baseline, only) => None,
        [only] => typical::at_one_point(against_baseline, only),
        several => typical::at_several_points(against_baseline, several),
    });
    sentences.extend(weak::sentence(against_baseline, orders, pitfalls));
    Paragraph { about: workload(frame, orders).to_owned(), sentences }
}

/// Whether the first sentence about a design point says how the best policy in a typical unit compares with the best by its
/// mean.
fn is_told(against_baseline: &AgainstBaseline<'_>, order: &BestFirst) -> bool {
    let baseline = against_baseline.study.frame().baseline;
    against_baseline.typical(&order.design_point).is_some_and(|(question, _)| {
        let (typical, best) = (question.side.policy, question.baseline.policy);
        let is_second = order.order.get(1).is_some_and(|(policy, _)| *policy == typical);
        Some(typical) == baseline || Some(best) == baseline && is_second
    })
}

/// Returns the sentences about one design point: the best policy with its change, and how surely it is the best.
fn at_one_point(against_baseline: &AgainstBaseline<'_>, order: &BestFirst) -> Vec<String> {
    let frame = against_baseline.study.frame();
    let measure = &frame.measures[order.measure];
    let label = |policy: usize| frame.policies[policy].label.as_str();
    let (name, best) = (words::name(measure), words::best(measure.better));
    let Some(&(first, value)) = order.order.first() else {
        return vec![format!("No policy has a {name} here.")];
    };
    let value = words::value(measure, value);
    let Some(baseline) = frame.baseline else {
        let interval = order.interval(against_baseline, first);
        return vec![format!("{} has a {name} of {value}{interval}.", label(first))];
    };
    let winners = order.winners();
    if winners.len() > 1 {
        let names: Vec<String> = winners.iter().map(|&policy| label(policy).to_owned()).collect();
        return vec![format!("{} share the {best} {name}, {value}.", words::list(&names))];
    }
    // One of two policies is the baseline: the sentence says how the other one compares with it.
    let other = if first == baseline { order.order.get(1).map(|(policy, _)| *policy) } else { Some(first) };
    let answer = other.and_then(|other| against_baseline.answer(&order.design_point, other));
    let change = answer.and_then(|answer| {
        let change = words::than(&words::change(measure, answer)?, label(baseline));
        let unit = match frame.workloads[order.design_point.workload].units {
            _ if answer.quantity != ComparedNumber::Ratio || answer.contrast.units < 2 => String::new(),
            kind => format!(" in a typical {}", words::unit_word(kind)),
        };
        let level = words::percent(frame.level);
        let ends = words::interval(measure, answer);
        let ends = ends.map_or_else(String::new, |ends| format!(" ({level} interval {ends})"));
        Some(format!("{change}{unit}{ends}"))
    });
    // The mean and the geometric mean of ratios may lead to opposite answers.
    let is_worse = match measure.better {
        Better::Higher => Ordering::Less,
        _ => Ordering::Greater,
    };
    let is_opposite = answer.is_some_and(|answer| answer.compared().direction() == Some(is_worse));
    let lead = if first == baseline {
        format!("{}, the baseline, has the {best} {name}, {value}", label(first))
    } else {
        format!("{} has the {best} {name}, {value}", label(first))
    };
    let first_sentence = match (change, other) {
        (Some(change), Some(other)) if other != first => {
            format!("{lead}; the second, {}, has {change}.", label(other))
        }
        (Some(change), _) if is_opposite => format!("{lead}, but {change}."),
        (Some(change), _) => format!("{lead}: {change}."),
        (None, _) => lead + ".",
    };
    let mut sentences = vec![first_sentence];
    let unit = words::unit_word(frame.workloads[order.design_point.workload].units);
    sentences.extend(answer.map(|answer| {
        let is_baseline = first == baseline;
        let last = against_baseline.last_two(&order.design_point);
        surely(
            answer,
            is_baseline,
            [label(baseline), unit],
            last.map(|(question, of)| (label(question.baseline.policy), of)),
        )
    }));
    sentences
}

/// Returns how surely the best policy is the best.
fn surely(
    answer: &Answer,
    is_baseline: bool,
    [baseline, unit]: [&str; 2],
    last: Option<(&str, &Answer)>,
) -> String {
    let p = match answer.p {
        Ok(p) => words::p(p),
        Err(reason) => return untested(reason),
    };
    if is_baseline {
        return match answer.verdict {
            ContrastResult::Worse => format!("The second is shown to be worse ({p})."),
            ContrastResult::Better => format!("In a typical {unit} the second is shown to be better ({p})."),
            _ => format!("The second is not shown to be worse ({p})."),
        };
    }
    let against = format!("{baseline} ({p})");
    if answer.verdict == ContrastResult::Worse {
        return format!("In a typical {unit} it is shown to be worse than {against}.");
    }
    let is_better = answer.verdict == ContrastResult::Better;
    let last = last.and_then(|(second, of)| {
        let p = words::p(of.p.ok()?);
        Some((format!("the second, {second} ({p})"), of.verdict == ContrastResult::Better))
    });
    match (is_better, last) {
        (true, None) => format!("It is shown to be better than {against}."),
        (false, None) => format!("It is not shown to be better than {against}."),
        (true, Some((second, true))) => {
            format!("It is shown to be better than {against} and than {second}.")
        }
        (true, Some((second, false))) => {
            format!("It is shown to be better than {against}, but not than {second}.")
        }
        (false, Some((second, true))) => {
            format!("It is shown to be better than {second}, but not than {against}.")
        }
        (false, Some((second, false))) => {
            format!("It is not shown to be better than {against} or than {second}.")
        }
    }
}

/// Returns the sentences about several design points: how often which policy is the best, with the range of its
/// changes, and at how many points it is shown to be better.
fn at_several_points(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst]) -> Vec<String> {
    let frame = against_baseline.study.frame();
    let measure = &frame.measures[against_baseline.measure];
    let label = |policy: usize| frame.policies[policy].label.as_str();
    let (name, best, points) = (words::name(measure), words::best(measure.better), orders.len());
    if frame.policies.len() == 1 {
        let values: Vec<f64> = orders.iter().filter_map(|of| Some(of.order.first()?.1)).collect();
        let ends = values.iter().copied().reduce(f64::min).zip(values.iter().copied().reduce(f64::max));
        return ends.map_or_else(Vec::new, |(low, high)| {
            let [low, high] = [low, high].map(|value| words::value(measure, value));
            let at = words::points(values.len(), points);
            vec![format!("{} has a {name} of {low} to {high} at {at}.", label(0))]
        });
    }
    let ranked = wins(orders, frame.policies.len());
    let Some(&(leader, won)) = ranked.first() else {
        return vec![format!("No policy has a {name} at any of {points} points.")];
    };
    let shared = orders[0].winners();
    if shared.len() > 1 && orders.iter().all(|of| of.winners() == shared) {
        let names: Vec<String> = shared.iter().map(|&policy| label(policy).to_owned()).collect();
        return vec![format!(
            "{} share the {best} {name} at {}.",
            words::list(&names),
            words::points(points, points)
        )];
    }
    let at = words::points(won, points);
    let role = if Some(leader) == frame.baseline { ", the baseline," } else { "" };
    let mut first = format!("{}{role} has the {best} {name} at {at}", label(leader));
    let rest = ranked[1..].iter().map(|(policy, wins)| format!("{} at {wins}", label(*policy)));
    let rest: Vec<String> = rest.collect();
    if !rest.is_empty() {
        first.extend([" (", &words::list(&rest), ")"]);
    }
    let leads: Vec<&BestFirst> = orders.iter().filter(|of| of.winners().contains(&leader)).collect();
    first += &range(against_baseline, &leads, leader).unwrap_or_default();
    let mut sentences = vec![first + "."];
    sentences.extend(counted(against_baseline, orders, leader));
    sentences
}

/// Returns the range of a policy's changes over the points that the sentence names, which are those at which it is the best:
/// ": 29.9 % to 42.8 % less than EASY in a typical window".
fn range(against_baseline: &AgainstBaseline<'_>, leads: &[&BestFirst], policy: usize) -> Option<String> {
    let frame = against_baseline.study.frame();
    let baseline = frame.baseline?;
    let answers = leads.iter().filter_map(|of| against_baseline.answer(&of.design_point, policy));
    let compared: Vec<_> = answers.map(|answer| answer.contrast.as_ratio().clone()).collect();
    let ratios = || compared.iter().filter_map(|of| of.value);
    let (low, high) = (ratios().reduce(f64::min)?, ratios().reduce(f64::max)?);
    let change = if low == high { words::ratio(low) } else { words::ratios(low, high) };
    let change = words::than(&change, &frame.policies[baseline].label);
    let unit = match frame.workloads[leads.first()?.design_point.workload].units {
        UnitKind::One | UnitKind::Shaken => String::new(),
        kind if compared.iter().all(|of| of.quantity == ComparedNumber::Ratio) => {
            format!(" in a typical {}", words::unit_word(kind))
        }
        _ => String::new(),
    };
    Some(format!(": {change}{unit}"))
}

/// Returns at how many points the leader is shown to be better than the baseline, and than the second.
fn counted(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst], leader: usize) -> Option<String> {
    let frame = against_baseline.study.frame();
    let baseline = frame.baseline?;
    let leads: Vec<&BestFirst> = orders.iter().filter(|of| of.winners() == [leader]).collect();
    if leader == baseline {
        let second = |of: &&BestFirst| {
            let (policy, _) = of.order.get(1)?;
            against_baseline.answer(&of.design_point, *policy)
        };
        let answers: Vec<&Answer> = leads.iter().filter_map(second).collect();
        if let Some(reason) = all_untested(&answers) {
            return Some(untested(reason));
        }
        let worse = answers.iter().filter(|of| of.verdict == ContrastResult::Worse).count();
        return (!answers.is_empty()).then(|| match worse {
            0 => "The second is not shown to be worse at any of them.".into(),
            worse => format!("The second is shown to be worse at {}.", words::points(worse, answers.len())),
        });
    }
    let answers: Vec<&Answer> =
        orders.iter().filter_map(|of| against_baseline.answer(&of.design_point, leader)).collect();
    if let Some(reason) = all_untested(&answers) {
        return Some(untested(reason));
    }
    let count = |answers: &[&Answer], verdict| answers.iter().filter(|of| of.verdict == verdict).count();
    let than = |count: usize, all: usize, whom: &str| match count {
        0 => format!("not shown to be better than {whom} at any point"),
        some => format!("shown to be better than {whom} at {}", words::points(some, all)),
    };
    let against =
        than(count(&answers, ContrastResult::Better), answers.len(), &frame.policies[baseline].label);
    let worse = match count(&answers, ContrastResult::Worse) {
        0 => String::new(),
        worse => format!(" and to be worse at {worse}"),
    };
    Some(format!("It is {against}{worse}{}.", second(against_baseline, &leads, leads.len() == orders.len())))
}

/// Returns at how many of the points at which the leader is the best it is shown to be better than the second; empty if
/// the second is the baseline everywhere.
fn second(against_baseline: &AgainstBaseline<'_>, leads: &[&BestFirst], leads_everywhere: bool) -> String {
    let leader = leads.first().and_then(|of| of.winners().first().copied());
    let last = |of: &BestFirst| against_baseline.last_two(&of.design_point).map(|(_, answer)| answer);
    if leads.iter().all(|of| last(of).is_none()) {
        return String::new();
    }
    let answer = |of: &&&BestFirst| last(of).or_else(|| against_baseline.answer(&of.design_point, leader?));
    let is_better =
        |of: &&&BestFirst| answer(of).is_some_and(|answer| answer.verdict == ContrastResult::Better);
    match (leads.iter().filter(is_better).count(), leads.len()) {
        (0, _) => ", and nowhere shown to be better than the second".into(),
        (1, 1) => ", and shown to be better than the second where it is the best".into(),
        (some, all) if leads_everywhere => {
            format!(", and than the second at {}", words::points(some, all))
        }
        (some, all) => {
            format!(
                ", and shown to be better than the second at {} where it is the best",
                words::points(some, all)
            )
        }
    }
}

fn all_untested(answers: &[&Answer]) -> Option<Reason> {
    answers.iter().all(|of| of.p.is_err()).then(|| answers.first()?.p.err()).flatten()
}

fn untested(reason: Reason) -> String {
    format!("Nothing is tested: {reason}; another input might reverse the order.")
}
