//! For whom the leading policy is better, and at whose expense: the other metrics and classes that were measured.
//!
//! The policy that leads by the main measure is compared by all other measures, at the points where it leads, with the baseline, or
//! with the second where it is the baseline itself. A measure is tested at each of these points and at all of them together: by the
//! t-test of what a unit changes in the mean of its points, since a unit has the same jobs at each point. The leader is known only
//! after looking, so that the least p is adjusted by Bonferroni's method for all measures, tests, and policies that could have led.

use batchlab_engine::stats::{Test, bonferroni};
use batchlab_engine::table::Better;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;

use super::best_first::BestFirst;
use super::{AgainstBaseline, words};
use batchlab_study::experiment::{Frame, Measure};
use batchlab_study::study::{Answer, ComparedNumber, Comparison, Question};

/// The most measures that are named by which the policy is worse without a test that shows it.
const NOT_SHOWN: usize = 4;

/// What is said if no class of jobs was measured: a mean does not show who waits for it.
const NO_CLASS: &str = "No class of jobs was measured, so it is not known whether wide or long jobs pay: add classes to [measure].";

/// The comparisons by one measure at the points where the policy leads.
struct ByMeasure<'a> {
    measure: &'a Measure,
    answers: Vec<Answer>,
    /// The least p-value of the points and of all of them together, adjusted; `None` if nothing can be tested.
    p: Option<f64>,
    /// Whether p shows a difference at the level of the experiment.
    is_shown: bool,
}

/// Returns whom the policy that leads at most of these points serves, and at whose expense, or that it is not known; `None` if no other
/// policy was replayed, or nothing is there to compare.
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
    let is_other = |&at: &usize| {
        let measure = &frame.measures[at];
        at != against_baseline.measure && !measure.is_diagnostic && measure.better != Better::Neither
    };
    let measures: Vec<usize> = (0..frame.measures.len()).filter(is_other).collect();
    let tests = if leads.len() > 1 { leads.len() + 1 } else { 1 };
    let looks = measures.len() * tests * (frame.policies.len() - 1);
    let of = |&measure: &usize| {
        let pairs = leads.iter().zip(&rivals);
        let ask = |(of, &rival): (&&BestFirst, _)| {
            Question::of_policies(&of.design_point, [leader, rival], measure)
        };
        let questions: Vec<Question> = pairs.map(ask).collect();
        let answers = Answer::chosen(study, &questions, looks);
        let together = together(frame, &questions).map(|test| bonferroni::adjusted(test.p, looks));
        let p = answers.iter().filter_map(|answer| answer.p.ok()).chain(together).reduce(f64::min);
        let is_shown = p.is_some_and(|p| p <= 1.0 - frame.level);
        ByMeasure { measure: &frame.measures[measure], answers, p, is_shown }
    };
    let all: Vec<ByMeasure<'_>> = measures.iter().map(of).collect();
    let main = &frame.measures[against_baseline.measure];
    let of_main = all.iter().filter(|of| of.measure.class.is_some() && of.measure.metric == main.metric);
    let gains = strongest(of_main.filter(|of| of.is_shown && of.gains()).collect(), true);
    let gains: Vec<String> = gains.iter().filter_map(|of| of.words(true)).collect();
    let is_baseline = rivals.iter().all(|&rival| rival == baseline);
    let whom = if is_baseline { frame.policies[baseline].label.as_str() } else { "the second" };
    let gains = if gains.is_empty() {
        String::new()
    } else {
        format!("For whom, against {whom}: {}. ", gains.join("; "))
    };
    let told = (!all.is_empty())
        .then(|| format!("{gains}At whose expense, against {whom}: {}.", harm(&all, frame, looks)));
    let unknown = frame.measures.iter().all(|measure| measure.class.is_none()).then(|| NO_CLASS.to_owned());
    let sentences: Vec<String> = told.into_iter().chain(unknown).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Tests what a unit changes in the mean of several questions about the same policies: logarithms of ratios, or differences
/// where a value has no logarithm.
fn together(frame: &Frame, questions: &[Question]) -> Option<Test> {
    let kind = frame.workloads[questions.first()?.design_point().workload].units;
    // Of each unit, the sums of both sides as they are and of their logarithms, and the number of points that have it.
    let mut units: SortedMap<u32, ([f64; 2], [f64; 2], usize)> = SortedMap::new();
    for question in questions {
        let [side, other] = [&question.side, &question.baseline]
            .map(|side| frame.units(&side.design_point, side.policy, question.measure));
        let other: SortedMap<u32, f64> = other.into_iter().collect();
        for (unit, a) in side {
            let Some(&b) = other.get(&unit) else { continue };
            let (plain, logs, points) = units.entry(unit).or_default();
            *plain = [plain[0] + a, plain[1] + b];
            *logs = [logs[0] + a.ln(), logs[1] + b.ln()];
            *points += 1;
        }
    }
    let whole = || units.values().filter(|(_, _, points)| *points == questions.len());
    let mean = |sum: f64| sum / questions.len() as f64;
    let has_logs = whole().all(|(_, logs, _)| logs.iter().all(|sum| sum.is_finite()));
    let side = |at: usize| {
        whole().map(move |(plain, logs, _)| if has_logs { mean(logs[at]).exp() } else { mean(plain[at]) })
    };
    let [a, b]: [Vec<f64>; 2] = [0, 1].map(|at| side(at).collect());
    let quantity = if has_logs { ComparedNumber::Ratio } else { ComparedNumber::Difference };
    Comparison::new(quantity, [&a, &b], None, frame.level, (kind, true)).test.ok()
}

/// Returns by which measures the policy is worse, the strongest first: those that a test shows, and of those that it does not show the
/// ones that are worse at each of several points, or of which nothing can be tested.
fn harm(all: &[ByMeasure<'_>], frame: &Frame, looks: usize) -> String {
    let is_tested = all.iter().any(|of| of.p.is_some());
    let (shown, other): (Vec<_>, Vec<_>) = all.iter().partition(|of| of.is_shown && !of.gains());
    let is_named = |of: &&ByMeasure<'_>| {
        let is_everywhere = of.in_direction(false).count() == of.answers.len();
        is_everywhere && (!is_tested || of.answers.len() > 1)
    };
    let mut parts: Vec<String> = strongest(shown, false).iter().filter_map(|of| of.words(false)).collect();
    let other = strongest(other.into_iter().filter(is_named).collect(), false);
    parts.extend(other.iter().take(NOT_SHOWN).filter_map(|of| of.words(false)));
    if let Some(more) = other.len().checked_sub(NOT_SHOWN).filter(|&more| more > 0) {
        parts.push(format!("{more} more in the tables"));
    }
    let what = match (parts.is_empty(), is_tested) {
        (false, _) => parts.join("; "),
        (true, true) => "by no other metric or class that was measured is it shown to be worse".to_owned(),
        (true, false) => "by no other metric or class that was measured is it worse".to_owned(),
    };
    match (looks, is_tested) {
        (_, false) => format!("{what}; nothing of this is tested"),
        (1, true) => what,
        (looks, true) => {
            format!("{what}; p is adjusted for {looks} looks at {}", words::percent(frame.level))
        }
    }
}

/// Sorts comparisons by their strongest change for the better or the worse.
fn strongest<'a, 'b>(mut of: Vec<&'a ByMeasure<'b>>, is_gain: bool) -> Vec<&'a ByMeasure<'b>> {
    of.arrange_by(|a, b| b.strength(is_gain).total_cmp(&a.strength(is_gain)));
    of
}

impl ByMeasure<'_> {
    /// Whether the policy is better at most points.
    fn gains(&self) -> bool {
        self.in_direction(true).count() > self.in_direction(false).count()
    }

    fn in_direction(&self, is_gain: bool) -> impl Iterator<Item = &Answer> {
        let is_less_good = self.measure.better == Better::Lower;
        self.answers.iter().filter(move |answer| {
            let direction = answer.compared().direction();
            direction.is_some_and(|of| of.is_ne() && (of.is_lt() == is_less_good) == is_gain)
        })
    }

    /// Returns the largest change in a direction, as the logarithm of a ratio; a difference has none and comes last.
    fn strength(&self, is_gain: bool) -> f64 {
        let is_ratio = |answer: &&Answer| answer.quantity != ComparedNumber::Difference;
        let ratios = self.in_direction(is_gain).filter(is_ratio).filter_map(|answer| answer.compared().value);
        ratios.map(|ratio| ratio.ln().abs()).fold(0.0, f64::max)
    }

    /// Returns the changes in words: "mean wait of class wide 20.2 % to 69.8 % more at all 5 points (shown, p < 0.001)".
    fn words(&self, is_gain: bool) -> Option<String> {
        let answers: Vec<&Answer> = self.in_direction(is_gain).collect();
        let change = words::changes(self.measure, &answers)?;
        let shown = match (self.p, self.is_shown) {
            (None, _) => String::new(),
            (Some(p), true) => format!(" (shown, {})", words::p(p)),
            (Some(p), false) => format!(" (not shown, {})", words::p(p)),
        };
        let at = match self.answers.len() {
            1 => String::new(),
            all => format!(" at {}", words::points(answers.len(), all)),
        };
        Some(format!("{} {change}{at}{shown}", words::name(self.measure)))
    }
}
