//! An order of policies.

use super::figure::{figures, unit};
use super::places::{Places, words};
use super::{ClaimPart, Verdict};
use crate::experiment::DesignPoint;
use crate::study::{Answer, Question, Study};

/// Policies in strictly ascending order of a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The measure, by position.
    pub measure: usize,
    /// The policies, the one with the least value first.
    pub policies: Vec<usize>,
    /// Whether each neighbouring pair must also be shown to differ by its test; all pairs at all places form
    /// one family.
    pub shown: bool,
}

impl Order {
    pub(super) fn check(&self, places: &Places, study: &Study<'_>) -> Vec<ClaimPart> {
        let design_points = places.design_points();
        let question = |design_point: &DesignPoint, pair: &[usize]| Question {
            design_point: design_point.clone(),
            policy: pair[0],
            baseline: pair[1],
            measure: self.measure,
        };
        let pairs = self.policies.len() - 1;
        let questions: Vec<Question> = design_points
            .iter()
            .flat_map(|design_point| self.policies.windows(2).map(move |pair| question(design_point, pair)))
            .collect();
        let family = study.family(&questions, study.quantity(&questions));
        let of_design_points = design_points.iter().zip(family.answers.chunks(pairs));
        of_design_points.map(|(design_point, answers)| self.at(design_point, answers, study)).collect()
    }

    fn at(&self, design_point: &DesignPoint, answers: &[Answer], study: &Study<'_>) -> ClaimPart {
        let frame = study.frame();
        let part =
            |verdict, reason| ClaimPart { place: words(frame, design_point, |_| true), verdict, reason };
        let label = |policy: usize| frame.policies[policy].label.as_str();
        let mut values = Vec::new();
        for &policy in &self.policies {
            match study.estimate(design_point, policy, self.measure).value {
                Some(value) => values.push(value),
                None => return part(Verdict::CannotBeChecked, format!("{} has no value", label(policy))),
            }
        }
        let unit = unit(frame.measures[self.measure].unit);
        let numbers = figures(&values);
        if let Some(at) = (1..values.len()).find(|&at| values[at - 1] >= values[at]) {
            let (low, high) = (label(self.policies[at - 1]), label(self.policies[at]));
            let reason = format!(
                "{low} with {}{unit} is not below {high} with {}{unit}",
                numbers[at - 1],
                numbers[at]
            );
            return part(Verdict::DoesNotHold, reason);
        }
        let each =
            self.policies.iter().zip(&numbers).map(|(&policy, number)| format!("{} {number}", label(policy)));
        let order = each.collect::<Vec<_>>().join(" < ") + &unit;
        let (verdict, shown) = self.shown(answers, frame.level);
        part(verdict, format!("{order}; {shown}"))
    }

    /// Returns the verdict of the tests on an order of estimates, and its wording.
    fn shown(&self, answers: &[Answer], level: f64) -> (Verdict, String) {
        let is_shown = |answer: &&Answer| {
            let is_below = answer.contrast.difference.is_some_and(|difference| difference < 0.0);
            is_below && answer.p.is_ok_and(|p| p <= 1.0 - level)
        };
        let (shown, all) = (answers.iter().filter(is_shown).count(), answers.len());
        let untested = answers.iter().find_map(|answer| answer.p.err());
        let told = match untested {
            Some(why) => format!("{shown} of {all} neighbouring pairs shown, as {why}"),
            None => {
                let p = answers.iter().filter_map(|answer| answer.p.ok()).fold(0.0, f64::max);
                let p = if p < 0.001 { "below 0.001".into() } else { format!("up to {p:.3}") };
                format!("{shown} of {all} neighbouring pairs shown (p {p})")
            }
        };
        let verdict = match (self.shown && shown < all, untested) {
            (false, _) => Verdict::Holds,
            (true, Some(_)) => Verdict::CannotBeChecked,
            (true, None) => Verdict::DoesNotHold,
        };
        (verdict, told)
    }
}
