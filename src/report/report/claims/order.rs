//! An order of policies.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use super::figure::{apart, enough, figures, unit};
use super::places::{ClaimScope, words};
use super::steps::{Step, Steps, is_same, would_decide};
use super::{Allowed, ClaimPart, Verdict};
use batchlab_study::study::{Answer, ComparedNumber, Family, Question, Study};

/// Policies in the order of a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    pub measure: usize,
    /// The policies, the one with the least value first; then those that are above the last of the order, in any order.
    pub policies: Vec<usize>,
    /// How many of the policies are in the order.
    pub chain: usize,
    /// The relation of each policy behind the first to the one before it, or to the last of the order.
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

/// The word of steps from a policy to one with a higher value.
const LOWER: &str = "lower";

/// The judgement of one pair with a margin.
struct Judged {
    verdict: Verdict,
    reason: String,
}

impl Relation {
    /// All relations, with their words.
    pub const WORDS: [(&str, Relation); 3] =
        [("<", Relation::Below), ("<=", Relation::AtMost), ("=", Relation::Equal)];

    pub fn sign(self) -> &'static str {
        Relation::WORDS.iter().find(|(_, of)| *of == self).map_or("", |(sign, _)| sign)
    }
}

impl Order {
    pub(super) fn check(&self, places: &ClaimScope, study: &Study<'_>) -> Vec<ClaimPart> {
        let design_points = places.design_points();
        let pairs = self.relations.len();
        let question = |at, pair: usize| {
            let policies = self.pair(pair).map(|side| self.policies[side]);
            Question::of_policies(at, policies, self.measure)
        };
        let questions: Vec<Question> =
            design_points.iter().flat_map(|at| (0..pairs).map(move |pair| question(at, pair))).collect();
        let quantity = match self.margin {
            Allowed::Absolute(_) => ComparedNumber::Difference,
            _ => ComparedNumber::default(),
        };
        let family = Family::of(study, &questions, quantity);
        let at = |(asked, answers): (&[Question], &[Answer])| self.at(asked, answers, study);
        questions.chunks(pairs).zip(family.answers.chunks(pairs)).map(at).collect()
    }

    /// Returns the positions of the two policies of a relation.
    fn pair(&self, relation: usize) -> [usize; 2] {
        [relation.min(self.chain - 1), relation + 1]
    }

    fn at(&self, asked: &[Question], answers: &[Answer], study: &Study<'_>) -> ClaimPart {
        let frame = study.frame();
        let design_point = asked[0].design_point();
        let place = words(frame, design_point, |_| true);
        let label = |policy: usize| frame.policies[policy].label.as_str();
        let value = |&policy: &usize| study.estimate(design_point, policy, self.measure).value.ok_or(policy);
        let values = match self.policies.iter().map(value).collect::<Result<Vec<f64>, usize>>() {
            Ok(values) => values,
            Err(policy) => {
                let why = format!("{} has no value", label(policy));
                return ClaimPart::new(place, Verdict::CannotBeChecked, why);
            }
        };
        let (strict, others): (Vec<usize>, Vec<usize>) =
            (0..self.relations.len()).partition(|&at| self.relations[at] == Relation::Below);
        let below = |&at: &usize| {
            let [one, other] = self.pair(at);
            Step {
                name: format!("{} < {}", label(self.policies[one]), label(self.policies[other])),
                is_as_claimed: values[one] < values[other],
                answer: &answers[at],
            }
        };
        let below: Vec<Step<'_>> = strict.iter().map(below).collect();
        let margin = |&at: &usize| {
            let sides = self.pair(at).map(|side| values[side]);
            self.within_margin(at, sides, (&asked[at], &answers[at]), study)
        };
        let margins: Vec<Judged> = others.iter().map(margin).collect();
        let (verdict, reason) = self.judge(&values, &below, &margins, study);
        let steps = (!below.is_empty()).then(|| Steps::count(&below, LOWER, Ordering::Less, frame.level));
        ClaimPart { steps, ..ClaimPart::new(place, verdict, reason) }
    }

    /// Returns the verdict on an order whose policies have these values, and its reason.
    fn judge(
        &self,
        values: &[f64],
        below: &[Step<'_>],
        margins: &[Judged],
        study: &Study<'_>,
    ) -> (Verdict, String) {
        let frame = study.frame();
        let label = |at: usize| frame.policies[self.policies[at]].label.as_str();
        let (unit, numbers) = (unit(frame.measures[self.measure].unit), figures(values));
        let is_wrong = |&at: &usize| {
            let [one, other] = self.pair(at).map(|side| values[side]);
            self.relations[at] == Relation::Below && one >= other
        };
        if let Some(at) = (0..self.relations.len()).find(is_wrong) {
            let [low, high] = self.pair(at);
            let [one, other] = apart([values[low], values[high]]);
            let reason =
                format!("{} with {one}{unit} is not below {} with {other}{unit}", label(low), label(high));
            let wrong = below.iter().find(|step| !step.is_as_claimed);
            let undecided = wrong.filter(|_| self.shown).and_then(|step| would_decide(step.answer));
            return match undecided {
                Some(why) => (Verdict::Open, format!("{reason}; {why}")),
                None => (Verdict::DoesNotHold, reason),
            };
        }
        for verdict in [Verdict::DoesNotHold, Verdict::CannotBeChecked, Verdict::Open] {
            if let Some(pair) = margins.iter().find(|pair| pair.verdict == verdict) {
                return (verdict, pair.reason.clone());
            }
        }
        let sign = |at: usize| match self.relations.get(at) {
            Some(_) if at >= self.chain => ",".to_owned(),
            Some(relation) => format!(" {}", relation.sign()),
            None => String::new(),
        };
        let each =
            numbers.iter().enumerate().map(|(at, number)| format!("{} {number}{}", label(at), sign(at)));
        let mut told = vec![each.collect::<Vec<_>>().join(" ") + &unit];
        let mut verdict = Verdict::Holds;
        if !below.is_empty() {
            let steps = Steps::count(below, LOWER, Ordering::Less, frame.level);
            verdict = steps.verdict(self.shown);
            told.push(steps.words(below, Ordering::Less, frame.level));
        }
        told.extend(margins.iter().map(|pair| pair.reason.clone()));
        (verdict, told.join("; "))
    }

    /// Judges a pair with the relation `<=` or `=`.
    fn within_margin(
        &self,
        at: usize,
        [a, b]: [f64; 2],
        (question, answer): (&Question, &Answer),
        study: &Study<'_>,
    ) -> Judged {
        let frame = study.frame();
        let width = match self.margin {
            Allowed::Absolute(most) => most,
            Allowed::Relative(share) => share * b.abs(),
            Allowed::Interval | Allowed::Draw(_) => 0.0,
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
        Judged { verdict, reason }
    }
}

/// The largest rounding error of a ratio or a difference at its margin.
const ROUNDING: f64 = 1e-12;

/// Returns a bound with at most six digits.
fn plain(number: f64) -> String {
    let rounded = (number * 1e6).round() / 1e6;
    rounded.to_string()
}
