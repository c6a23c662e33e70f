//! The policies at one design point in order of merit, and what tests say of the best.

use super::{AgainstBaseline, typical, words};
use batchlab_engine::table::Better;
use batchlab_study::experiment::{DesignPoint, Frame, UnitKind};
use batchlab_study::study::{
    Answer, ComparedNumber, ContrastResult, Question, Study, best_in_a_typical_unit, pairs,
};
use batchlab_traces::arrange::Arrange as _;

/// The policies at one design point, the best first.
pub struct BestFirst {
    pub design_point: DesignPoint,
    pub measure: usize,
    /// Policies with their values, the best first.
    pub order: Vec<(usize, f64)>,
}

impl BestFirst {
    /// Sorts the policies; those without a value are left out. O(policies log policies).
    pub fn new(study: &Study<'_>, design_point: &DesignPoint, measure: usize) -> BestFirst {
        let frame = study.frame();
        let value = |policy: usize| Some((policy, study.estimate(design_point, policy, measure).value?));
        let mut order: Vec<(usize, f64)> = (0..frame.policies.len()).filter_map(value).collect();
        match frame.measures[measure].better {
            Better::Higher => order.arrange_by(|a, b| b.1.total_cmp(&a.1)),
            _ => order.arrange_by(|a, b| a.1.total_cmp(&b.1)),
        }
        BestFirst { design_point: design_point.clone(), measure, order }
    }

    /// Returns all policies with the best value.
    pub fn winners(&self) -> Vec<usize> {
        let best = self.order.first().map(|(_, value)| *value);
        self.order.iter().filter(|(_, value)| Some(*value) == best).map(|(policy, _)| *policy).collect()
    }

    /// Returns with whom the leading policy is compared: the baseline, or the second where it is the baseline itself.
    pub fn rival(&self, leader: usize, baseline: usize) -> Option<usize> {
        let others = || self.order.iter().map(|(policy, _)| *policy);
        if leader == baseline { others().find(|&policy| policy != leader) } else { Some(baseline) }
    }

    /// Returns the question whether the best is better than the second; `None` if one of them is the
    /// baseline, as that question is asked anyway.
    pub fn last_two(&self, baseline: Option<usize>) -> Option<Question> {
        let [(policy, _), (second, _), ..] = self.order[..] else { return None };
        let is_asked = baseline.is_none_or(|baseline| baseline == policy || baseline == second);
        let question = || Question::of_policies(&self.design_point, [policy, second], self.measure);
        (!is_asked && self.winners().len() == 1).then(question)
    }

    /// Returns the question whether the best policy in a typical unit is better than the best by its mean; `None` if they are
    /// the same.
    pub fn typical(&self, study: &Study<'_>) -> Option<Question> {
        let [best] = self.winners()[..] else { return None };
        let policies: Vec<usize> = self.order.iter().map(|(policy, _)| *policy).collect();
        let typical = best_in_a_typical_unit(study, &self.design_point, best, &policies, self.measure)?;
        Some(Question::of_policies(&self.design_point, [typical, best], self.measure))
    }

    /// Returns how many questions like these two could have been asked: the pairs of policies with a value.
    pub fn pairs(&self) -> usize {
        pairs(self.order.len())
    }

    /// Returns sentences on which policy is best, by how much, and how surely.
    pub(super) fn sentences(&self, against_baseline: &AgainstBaseline<'_>) -> Vec<String> {
        let frame = against_baseline.study.frame();
        let measure = &frame.measures[self.measure];
        let label = |policy: usize| frame.policies[policy].label.as_str();
        let (name, best) = (words::name(measure), words::best(measure.better));
        let Some(&(first, value)) = self.order.first() else {
            return vec![format!("No policy has a {name} here.")];
        };
        let value = words::value(measure, value);
        let Some(baseline) = frame.baseline else {
            return vec![format!(
                "{} has a {name} of {value}{}.",
                label(first),
                self.interval(against_baseline, first)
            )];
        };
        let winners = self.winners();
        let mut sentences = Vec::new();
        if winners.len() > 1 {
            let names: Vec<String> = winners.iter().map(|&policy| label(policy).to_owned()).collect();
            sentences.push(format!("{} share the {best} {name}: {value}.", words::list(&names)));
        } else if first == baseline {
            sentences.push(format!("{}, the baseline, has the {best} {name}: {value}.", label(first)));
        } else {
            sentences.push(self.won(against_baseline, first, &value));
        }
        if let Some((question, answer)) = against_baseline.last_two(&self.design_point) {
            sentences.push(second(label(question.side.policy), label(question.baseline.policy), answer));
        }
        sentences.extend(typical::at_one_point(against_baseline, self));
        sentences.extend(self.others(against_baseline, (winners.len() == 1).then_some(first)));
        sentences.extend(self.remarks(against_baseline));
        sentences.extend(self.untested(against_baseline));
        sentences
    }

    fn won(&self, against_baseline: &AgainstBaseline<'_>, policy: usize, value: &str) -> String {
        let frame = against_baseline.study.frame();
        let measure = &frame.measures[self.measure];
        let label = &frame.policies[policy].label;
        let lead =
            format!("{label} has the {} {}: {value}", words::best(measure.better), words::name(measure));
        let Some(answer) = against_baseline.answer(&self.design_point, policy) else { return lead + "." };
        let baseline = frame.baseline.map_or("the baseline", |at| frame.policies[at].label.as_str());
        let Some(change) = words::change(measure, answer).map(|change| words::than(&change, baseline)) else {
            return lead + ".";
        };
        let surety = words::surety(measure, answer);
        let end = match answer.verdict {
            ContrastResult::NoTest(_) => return format!("{lead}, {change}, the baseline."),
            ContrastResult::NoDifferenceShown => "it is not shown to be better",
            verdict => words::shown(verdict),
        };
        format!("{lead}, {change}, the baseline ({surety}): {end}.")
    }

    /// Returns a sentence on how the other policies compare with the baseline.
    fn others(&self, against_baseline: &AgainstBaseline<'_>, told: Option<usize>) -> Option<String> {
        let frame = against_baseline.study.frame();
        let baseline = frame.baseline?;
        let measure = &frame.measures[self.measure];
        let mut parts = Vec::new();
        for &(policy, _) in
            self.order.iter().filter(|(policy, _)| Some(*policy) != told && *policy != baseline)
        {
            let Some(answer) = against_baseline.answer(&self.design_point, policy) else { continue };
            let Some(change) = words::change(measure, answer) else { continue };
            let label = &frame.policies[policy].label;
            parts.push(match answer.verdict {
                ContrastResult::NoTest(_) => format!("{label} {change}"),
                verdict => {
                    let surety = words::surety(measure, answer);
                    format!("{label} {change} ({surety}; {})", words::shown(verdict))
                }
            });
        }
        let more = parts.len().saturating_sub(SHOWN);
        parts.truncate(SHOWN);
        let rest = if more > 0 { format!("; {more} more in the tables") } else { String::new() };
        let baseline = &frame.policies[baseline].label;
        (!parts.is_empty()).then(|| format!("Against {baseline}: {}{rest}.", parts.join("; ")))
    }

    /// Returns remarks on the comparisons: where geometric mean and means give different answers, where differences are
    /// compared instead of ratios, and where the check by sign flips disagrees with the test.
    fn remarks(&self, against_baseline: &AgainstBaseline<'_>) -> Vec<String> {
        let frame = against_baseline.study.frame();
        let measure = &frame.measures[self.measure];
        let (mut two, mut differences, mut doubted) = (Vec::new(), Vec::new(), Vec::new());
        for &(policy, _) in &self.order {
            let Some(answer) = against_baseline.answer(&self.design_point, policy) else { continue };
            let (label, contrast) = (&frame.policies[policy].label, &answer.contrast);
            if let (true, Some(means), Some(change)) =
                (contrast.has_two_answers(), contrast.ratio_of_means.value, words::change(measure, answer))
            {
                let greatest = contrast.greatest.map_or_else(String::new, |share| {
                    format!(", where one unit makes up to {:.0} % of a sum", share * 100.0)
                });
                two.push(format!(
                    "{label} {change} in a typical unit and {} of means{greatest}",
                    words::ratio(means)
                ));
            }
            if answer.quantity == ComparedNumber::Difference {
                differences.push(label.clone());
            }
            if let (true, Ok(test), Some(signs)) =
                (answer.compared().is_doubted(frame.level), &answer.test, &answer.compared().signs)
            {
                doubted.push(format!("{label} ({} for {})", words::p(signs.p), words::p(test.p)));
            }
        }
        let mut sentences = Vec::new();
        if !two.is_empty() {
            sentences
                .push(format!("A typical unit and the means give different answers: {}.", two.join("; ")));
        }
        if !differences.is_empty() {
            sentences.push(format!(
                "{}: the difference of means is compared, as the value of a unit is 0, which has no logarithm.",
                words::list(&differences)
            ));
        }
        if !doubted.is_empty() {
            sentences.push(format!(
                "Exact sign flips, which assume less than the t-test, disagree about {}; both p unadjusted.",
                words::list(&doubted)
            ));
        }
        sentences
    }

    /// Returns the reason why none or only some of the comparisons were tested.
    fn untested(&self, against_baseline: &AgainstBaseline<'_>) -> Option<String> {
        let frame = against_baseline.study.frame();
        let answers: Vec<&Answer> = (0..frame.policies.len())
            .filter_map(|policy| against_baseline.answer(&self.design_point, policy))
            .collect();
        let reason = answers.iter().find_map(|answer| answer.p.err())?;
        let all = answers.iter().all(|answer| answer.p.is_err());
        let what = if all { "Nothing here was" } else { "Not all of this was" };
        let flips = answers.iter().filter_map(|answer| answer.contrast.flips).fold(0.0, f64::max);
        Some(match frame.workloads[self.design_point.workload].units {
            UnitKind::Shaken if flips > 0.0 => format!(
                "{what} tested: {reason}. Small noise reverses the order of a policy and the baseline in up \
                 to {:.0} % of the runs.",
                flips * 100.0
            ),
            UnitKind::Shaken => format!("{what} tested: {reason}."),
            _ => format!("{what} tested: {reason}; another input might reverse the order."),
        })
    }

    /// Returns the interval of a policy's value, or why there is none.
    pub(super) fn interval(&self, against_baseline: &AgainstBaseline<'_>, policy: usize) -> String {
        let frame = against_baseline.study.frame();
        let measure = &frame.measures[self.measure];
        match &against_baseline.study.estimate(&self.design_point, policy, self.measure).interval {
            Ok(of) => format!(
                " ({} interval {} to {})",
                words::percent(frame.level),
                words::value(measure, of.low),
                words::value(measure, of.high)
            ),
            Err(reason) => format!("; no interval: {reason}"),
        }
    }
}

/// Returns the policies that are the best at some of the points, with the number of these, the most frequent ones first.
pub fn wins(orders: &[BestFirst], policies: usize) -> Vec<(usize, usize)> {
    let mut wins: Vec<(usize, usize)> = (0..policies).map(|policy| (policy, 0)).collect();
    orders.iter().flat_map(BestFirst::winners).for_each(|policy| wins[policy].1 += 1);
    wins.retain(|(_, points)| *points > 0);
    wins.arrange_by_key(|(_, points)| std::cmp::Reverse(*points));
    wins
}

/// Returns the name of the workload of the points.
pub fn workload<'f>(frame: &'f Frame, orders: &[BestFirst]) -> &'f str {
    orders.first().map_or("", |of| frame.workloads[of.design_point.workload].name.as_str())
}

/// The most policies that are listed besides the best.
const SHOWN: usize = 5;

fn second(best: &str, second: &str, answer: &Answer) -> String {
    match (answer.verdict, answer.p) {
        (ContrastResult::Better, Ok(p)) => {
            format!("That {best} is better than the second, {second}, is shown ({}).", words::p(p))
        }
        (_, Ok(p)) => {
            format!("That {best} is better than the second, {second}, is not shown ({}).", words::p(p))
        }
        (_, Err(_)) => format!("{second} is the second."),
    }
}
