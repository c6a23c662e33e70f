//! For whom the leading policy is better, and at whose expense: the other metrics and classes that were measured.
//!
//! The policy that leads by the main measure is compared by all other measures, at the points where it leads, with the baseline, or
//! with the second where it is the baseline itself. It was chosen after looking, so that p is adjusted by Bonferroni's method for
//! all comparisons of this kind that could have been made: measures × points × other policies.

use batchlab_engine::table::Better;
use batchlab_traces::arrange::Arrange as _;

use super::best_first::BestFirst;
use super::{AgainstBaseline, words};
use batchlab_study::experiment::{Frame, Measure};
use batchlab_study::study::{Answer, ContrastResult, Question};

/// From this number of points on, harm at all of them is named even if it is shown at none.
const POINTS: usize = 3;
/// The most measures that are named by which the policy is worse without a test that shows it.
const NOT_SHOWN: usize = 4;

/// The comparisons by one measure at the points where the policy leads.
struct ByMeasure<'a> {
    measure: &'a Measure,
    answers: &'a [Answer],
}

/// Returns whom the policy that leads at most of these points serves, and at whose expense; `None` if nothing else was
/// measured, or no other policy was replayed.
pub fn sentence(against_baseline: &AgainstBaseline<'_>, orders: &[BestFirst]) -> Option<String> {
    let study = against_baseline.study;
    let frame = study.frame();
    let baseline = frame.baseline?;
    let &(leader, _) = super::best_first::wins(orders, frame.policies.len()).first()?;
    let leads: Vec<&BestFirst> = orders.iter().filter(|of| of.winners() == [leader]).collect();
    let rivals: Vec<usize> = leads.iter().filter_map(|of| of.rival(leader, baseline)).collect();
    if leads.is_empty() || rivals.len() < leads.len() {
        return None;
    }
    let main = &frame.measures[against_baseline.measure];
    let is_other = |&at: &usize| {
        let measure = &frame.measures[at];
        at != against_baseline.measure && !measure.is_diagnostic && measure.better != Better::Neither
    };
    let measures: Vec<usize> = (0..frame.measures.len()).filter(is_other).collect();
    let of = |&measure: &usize| {
        let pairs = leads.iter().zip(&rivals);
        pairs.map(move |(of, &rival)| Question::of_policies(&of.design_point, [leader, rival], measure))
    };
    let questions: Vec<Question> = measures.iter().flat_map(of).collect();
    let looks = questions.len() * (frame.policies.len() - 1);
    let answers = Answer::chosen(study, &questions, looks);
    let by_measure = measures.iter().zip(answers.chunks(leads.len().max(1)));
    let all: Vec<ByMeasure<'_>> =
        by_measure.map(|(&at, answers)| ByMeasure { measure: &frame.measures[at], answers }).collect();
    if all.is_empty() {
        return None;
    }
    let gains = all.iter().filter(|of| of.measure.class.is_some() && of.measure.metric == main.metric);
    let gains: Vec<String> =
        strongest(gains.filter(|of| of.shown(ContrastResult::Better) > 0).collect(), true)
            .iter()
            .filter_map(|of| of.words(true))
            .collect();
    let whom = if rivals.iter().all(|&rival| rival == baseline) {
        frame.policies[baseline].label.as_str()
    } else {
        "the second"
    };
    let mut parts = Vec::new();
    if !gains.is_empty() {
        parts.push(format!("For whom, against {whom}: {}", gains.join("; ")));
    }
    parts.push(format!("At whose expense, against {whom}: {}", harm(&all, frame, looks)));
    Some(parts.join(". ") + ".")
}

/// Returns by which measures the policy is worse, the strongest first.
fn harm(all: &[ByMeasure<'_>], frame: &Frame, looks: usize) -> String {
    let (shown, other): (Vec<_>, Vec<_>) = all.iter().partition(|of| of.shown(ContrastResult::Worse) > 0);
    let is_tested = all.iter().any(|of| of.answers.iter().any(|answer| answer.p.is_ok()));
    let is_named = |of: &&ByMeasure<'_>| {
        let enough = !is_tested || of.answers.len() >= POINTS;
        enough && of.worse().count() == of.answers.len()
    };
    let mut parts: Vec<String> = strongest(shown, false).iter().filter_map(|of| of.words(false)).collect();
    let other = strongest(other.into_iter().filter(is_named).collect(), false);
    let more = other.len().saturating_sub(NOT_SHOWN);
    parts.extend(other.iter().take(NOT_SHOWN).filter_map(|of| of.words(false)));
    if more > 0 {
        parts.push(format!("{more} more in the tables"));
    }
    let looks = match (looks, is_tested) {
        (_, false) => "; nothing of this is tested".to_owned(),
        (1, true) => String::new(),
        (looks, true) => format!("; p is adjusted for {looks} looks at {}", words::percent(frame.level)),
    };
    let what = match (parts.is_empty(), is_tested) {
        (false, _) => parts.join("; "),
        (true, true) => "by no other metric or class that was measured is it shown to be worse".to_owned(),
        (true, false) => "by no other metric or class that was measured is it worse".to_owned(),
    };
    what + &looks
}

/// Sorts comparisons by their strongest change for the better or the worse.
fn strongest<'a, 'b>(mut of: Vec<&'a ByMeasure<'b>>, is_gain: bool) -> Vec<&'a ByMeasure<'b>> {
    of.arrange_by(|a, b| b.strength(is_gain).total_cmp(&a.strength(is_gain)));
    of
}

impl ByMeasure<'_> {
    /// Returns at how many points a test has this result.
    fn shown(&self, result: ContrastResult) -> usize {
        self.answers.iter().filter(|answer| answer.verdict == result).count()
    }

    fn in_direction(&self, is_gain: bool) -> impl Iterator<Item = &Answer> {
        let is_less_good = self.measure.better == Better::Lower;
        self.answers.iter().filter(move |answer| {
            let direction = answer.compared().direction();
            direction.is_some_and(|of| of.is_ne() && (of.is_lt() == is_less_good) == is_gain)
        })
    }

    fn worse(&self) -> impl Iterator<Item = &Answer> {
        self.in_direction(false)
    }

    /// Returns the largest change in a direction, as the logarithm of a ratio; a difference has none and comes last.
    fn strength(&self, is_gain: bool) -> f64 {
        let ratios = self.in_direction(is_gain).filter_map(|answer| answer.contrast.as_ratio().value);
        ratios.map(|ratio| ratio.ln().abs()).fold(0.0, f64::max)
    }

    /// Returns the changes in words: "mean wait of class wide 20.2 % to 69.8 % more at all 5 points, shown at 4".
    fn words(&self, is_gain: bool) -> Option<String> {
        let answers: Vec<&Answer> = self.in_direction(is_gain).collect();
        let change = words::changes(self.measure, &answers)?;
        let result = if is_gain { ContrastResult::Better } else { ContrastResult::Worse };
        let name = words::name(self.measure);
        let is_tested = self.answers.iter().any(|answer| answer.p.is_ok());
        let shown = match (self.shown(result), answers.len()) {
            _ if !is_tested => String::new(),
            (0, _) => ", not shown".to_owned(),
            (1, 1) if self.answers.len() == 1 => {
                let p = answers[0].p.ok().map_or_else(String::new, |p| format!(", {}", words::p(p)));
                format!(" (shown{p})")
            }
            (some, at) if some == at => ", shown at each".to_owned(),
            (some, _) => format!(", shown at {some}"),
        };
        let at = match self.answers.len() {
            1 => String::new(),
            all => format!(" at {}", words::points(answers.len(), all)),
        };
        Some(format!("{name} {change}{at}{shown}"))
    }
}
