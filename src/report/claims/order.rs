//! An order of policies.

use std::ops::RangeInclusive;

use super::figure::{enough, figures, unit};
use super::places::{ClaimScope, words};
use super::{Allowed, ClaimPart, Verdict};
use crate::experiment::DesignPoint;
use crate::study::{Answer, ComparedNumber, Question, Side, Study};

/// Policies in the order of a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The measure, by position.
    pub measure: usize,
    /// The policies, the one with the least value first.
    pub policies: Vec<usize>,
    /// The relation of each policy to the next one.
    pub relations: Vec<Relation>,
    /// The margin: how far a policy may be above the next one for `<=`, and apart from it for `=`.
    pub margin: Allowed,
    /// Whether each relation must also be shown by the test or the interval of its pair; all pairs at all places form
    /// one family.
    pub shown: bool,
}

/// The relation of a policy's value to that of the next one in an order.
///
/// Without `shown`, the values decide that a relation holds. If the values of a pair are beyond the margin, they
/// contradict `<=` and `=` only if the whole interval of the pair lies beyond the margin, or if there is no interval;
/// otherwise the units do not decide. With `shown`, `<` needs a test that finds a difference, and `<=` and `=` need an
/// interval that lies completely within the margin: a difference that is not shown does not show that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`: below.
    Below,
    /// `<=`: above by at most the margin.
    AtMost,
    /// `=`: apart by at most the margin.
    Equal,
}

/// The judgement of one pair.
struct Step {
    verdict: Verdict,
    reason: String,
}

impl Relation {
    /// All relations, with their words.
    pub const WORDS: [(&str, Relation); 3] =
        [("<", Relation::Below), ("<=", Relation::AtMost), ("=", Relation::Equal)];

    /// Returns the sign.
    pub fn sign(self) -> &'static str {
        Relation::WORDS.iter().find(|(_, of)| *of == self).map_or("", |(sign, _)| sign)
    }
}

impl Order {
    pub(super) fn check(&self, places: &ClaimScope, study: &Study<'_>) -> Vec<ClaimPart> {
        let design_points = places.design_points();
        let question = |design_point: &DesignPoint, pair: &[usize]| {
            Question::of_policies(design_point, [pair[0], pair[1]], self.measure)
        };
        let pairs = self.policies.len() - 1;
        let questions: Vec<Question> = design_points
            .iter()
            .flat_map(|design_point| self.policies.windows(2).map(move |pair| question(design_point, pair)))
            .collect();
        let quantity = match self.margin {
            Allowed::Absolute(_) => ComparedNumber::Difference,
            _ => ComparedNumber::default(),
        };
        let family = study.family(&questions, quantity);
        let at = |(asked, answers): (&[Question], &[Answer])| self.at(asked, answers, study);
        questions.chunks(pairs).zip(family.answers.chunks(pairs)).map(at).collect()
    }

    fn at(&self, asked: &[Question], answers: &[Answer], study: &Study<'_>) -> ClaimPart {
        let frame = study.frame();
        let design_point = asked[0].design_point();
        let part = |verdict, reason| ClaimPart::new(words(frame, design_point, |_| true), verdict, reason);
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
        let is_strict = |at: &usize| self.relations[*at] == Relation::Below;
        let pairs = 0..self.relations.len();
        if let Some(at) = pairs.clone().filter(is_strict).find(|&at| values[at] >= values[at + 1]) {
            let (low, high) = (label(self.policies[at]), label(self.policies[at + 1]));
            let reason = format!(
                "{low} with {}{unit} is not below {high} with {}{unit}",
                numbers[at],
                numbers[at + 1]
            );
            return match self.undecided(&answers[at]) {
                Some(why) => part(Verdict::Open, format!("{reason}; {why}")),
                None => part(Verdict::DoesNotHold, reason),
            };
        }
        let margins = pairs.clone().filter(|at| !is_strict(at));
        let steps: Vec<Step> = margins
            .map(|at| self.step(at, [values[at], values[at + 1]], (&asked[at], &answers[at]), study))
            .collect();
        for verdict in [Verdict::DoesNotHold, Verdict::CannotBeChecked, Verdict::Open] {
            if let Some(step) = steps.iter().find(|step| step.verdict == verdict) {
                return part(verdict, step.reason.clone());
            }
        }
        let signs = self.relations.iter().map(|relation| relation.sign()).chain([""]);
        let each = self.policies.iter().zip(&numbers).zip(signs);
        let each = each.map(|((&policy, number), sign)| format!("{} {number} {sign}", label(policy)));
        let order = each.collect::<Vec<_>>().join(" ").trim_end().to_owned() + &unit;
        let strict: Vec<&Answer> = pairs.filter(is_strict).map(|at| &answers[at]).collect();
        let mut verdict = Verdict::Holds;
        let mut told = vec![order];
        if !strict.is_empty() {
            let (of_strict, shown) = self.shown(&strict, frame.level);
            verdict = of_strict;
            told.push(shown);
        }
        told.extend(steps.into_iter().map(|step| step.reason));
        part(verdict, told.join("; "))
    }

    /// Returns the verdict of the tests on an order of estimates, and its wording.
    fn shown(&self, answers: &[&Answer], level: f64) -> (Verdict, String) {
        let is_shown = |answer: &&&Answer| {
            let is_below = answer.compared().direction().is_some_and(std::cmp::Ordering::is_lt);
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
            (true, None) => Verdict::Open,
        };
        let undecided =
            answers.iter().filter(|answer| !is_shown(answer)).find_map(|answer| self.undecided(answer));
        match undecided.filter(|_| verdict == Verdict::Open) {
            Some(why) => (verdict, format!("{told}; {why}")),
            None => (verdict, told),
        }
    }

    /// Returns how many units would decide a pair that has to be shown and whose interval has no difference in it; `None`
    /// if it is decided.
    fn undecided(&self, answer: &Answer) -> Option<String> {
        let interval = answer.compared().interval.as_ref().ok()?;
        let logarithm = |of: f64| if answer.quantity == ComparedNumber::Difference { of } else { of.ln() };
        let [low, high, value] = [interval.low, interval.high, answer.compared().value?].map(logarithm);
        let is_open = self.shown && low <= 0.0 && high >= 0.0;
        is_open.then(|| enough(answer.contrast.units, (high - low) / 2.0, value.abs()))
    }

    /// Judges a pair with the relation `<=` or `=`.
    fn step(
        &self,
        at: usize,
        [a, b]: [f64; 2],
        (question, answer): (&Question, &Answer),
        study: &Study<'_>,
    ) -> Step {
        let frame = study.frame();
        let width = match self.margin {
            Allowed::Absolute(most) => most,
            Allowed::Relative(share) => share * b.abs(),
            Allowed::Interval => 0.0,
        };
        let is_equal = self.relations[at] == Relation::Equal;
        let is_ratio = answer.quantity != ComparedNumber::Difference;
        let (middle, value) = if is_ratio { (1.0, a / b) } else { (0.0, a - b) };
        let value = answer.compared().value.unwrap_or(value);
        let width = if is_ratio { width / b.abs() } else { width };
        // A value at the margin may lie beyond it by rounding.
        let is_within =
            value - middle <= width + ROUNDING && (!is_equal || middle - value <= width + ROUNDING);
        let least = if is_equal { middle - width } else { f64::NEG_INFINITY };
        let bounds: RangeInclusive<f64> = least..=middle + width;
        let interval = answer.compared().interval.as_ref().map(|of| [of.low, of.high]).map_err(|why| *why);
        let lies_within = |[low, high]: [f64; 2]| bounds.contains(&low) && bounds.contains(&high);
        let meets = |[low, high]: [f64; 2]| low <= *bounds.end() && high >= *bounds.start();
        let is_shown = || is_same(question, study) || interval.is_ok_and(lies_within);
        let verdict = match interval {
            _ if is_within && (!self.shown || is_shown()) => Verdict::Holds,
            Err(_) if is_within => Verdict::CannotBeChecked,
            Ok(ends) if is_within || meets(ends) => Verdict::Open,
            _ => Verdict::DoesNotHold,
        };
        let unit = if is_ratio { String::new() } else { unit(frame.measures[self.measure].unit) };
        let what = if is_ratio { "ratio" } else { "difference" };
        let ends = interval.ok();
        let numbers = figures(&[[value].as_slice(), ends.as_slice().as_flattened()].concat());
        let measured = match &numbers[..] {
            [value, low, high] => format!("{what} {value} [{low}, {high}]{unit}"),
            _ => format!("{what} {}{unit}", numbers[0]),
        };
        let allowed = match is_equal {
            true if width == 0.0 => format!("allowed {middle}"),
            true => format!("allowed {} to {}", plain(middle - width), plain(middle + width)),
            false => format!("allowed up to {}", plain(middle + width)),
        };
        let judged = match (verdict, interval) {
            (Verdict::CannotBeChecked, Err(why)) => format!(": not shown, as {why}"),
            (Verdict::Open, Ok([low, high])) => {
                let beyond = value - middle;
                let distance = if is_equal { (beyond.abs() - width).abs() } else { (beyond - width).abs() };
                format!(": {}", enough(answer.contrast.units, (high - low) / 2.0, distance))
            }
            (Verdict::DoesNotHold, _) => ": beyond the margin".into(),
            _ => String::new(),
        };
        let labels =
            [&question.side, &question.baseline].map(|side| frame.policies[side.policy].label.as_str());
        let relation = self.relations[at].sign();
        let reason = format!("{} {relation} {}: {measured}, {allowed}{unit}{judged}", labels[0], labels[1]);
        Step { verdict, reason }
    }
}

/// The largest rounding error of a ratio or a difference at its margin.
const ROUNDING: f64 = 1e-12;

/// Whether two policies have the same value in every unit.
fn is_same(question: &Question, study: &Study<'_>) -> bool {
    let units = |side: &Side| study.frame().units(&side.design_point, side.policy, question.measure);
    let units = [&question.side, &question.baseline].map(units);
    !units[0].is_empty() && units[0] == units[1]
}

/// Returns a bound with at most six digits.
fn plain(number: f64) -> String {
    let rounded = (number * 1e6).round() / 1e6;
    rounded.to_string()
}
