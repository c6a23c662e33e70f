//! Steps of an order or a trend, and which of them their paired tests show.

use std::cmp::Ordering;

use super::Verdict;
use super::figure::enough;
use batchlab_study::study::{Answer, ComparedNumber, Question, Side, Study};

/// How many steps go as claimed, and how many of them are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The direction in a word: lower, up or down.
    pub word: &'static str,
    pub all: usize,
    /// The steps whose values go in the direction.
    pub as_claimed: usize,
    /// The steps that are shown by their test; `None` if one has no test.
    pub shown: Option<usize>,
}

/// A step with its paired test, which may show it.
#[derive(Clone)]
pub(super) struct Step<'a> {
    /// What it leads from and to, in words.
    pub(super) name: String,
    /// Whether its values go in the direction.
    pub(super) is_as_claimed: bool,
    pub(super) answer: &'a Answer,
}

impl Step<'_> {
    /// Whether the test shows a difference in a direction at a level.
    pub(super) fn shows(&self, direction: Ordering, level: f64) -> bool {
        self.answer.compared().direction() == Some(direction) && self.answer.p.is_ok_and(|p| p <= 1.0 - level)
    }

    /// Returns the p-value, and how many units would decide the step.
    fn undecided(&self) -> String {
        let would = would_decide(self.answer).unwrap_or_else(|| "not shown".into());
        format!("{}, {would}", self.p())
    }

    /// Returns the p-value in words.
    pub(super) fn p(&self) -> String {
        self.answer.p.map_or_else(|why| format!("not tested, as {why}"), |p| format!("p {}", p_words(p)))
    }
}

impl Steps {
    /// Counts steps that have to go in a direction, which is called by a word.
    pub(super) fn count(steps: &[Step<'_>], word: &'static str, direction: Ordering, level: f64) -> Steps {
        let is_tested = steps.iter().all(|step| step.answer.p.is_ok());
        Steps {
            word,
            all: steps.len(),
            as_claimed: steps.iter().filter(|step| step.is_as_claimed).count(),
            shown: is_tested.then(|| steps.iter().filter(|step| step.shows(direction, level)).count()),
        }
    }

    /// Returns the verdict on steps that go as claimed, where each may have to be shown.
    pub(super) fn verdict(self, shown: bool) -> Verdict {
        match self.shown {
            _ if !shown => Verdict::Holds,
            None => Verdict::CannotBeChecked,
            Some(shown) if shown == self.all => Verdict::Holds,
            Some(_) => Verdict::Open,
        }
    }

    /// Returns what the tests of one place say, for steps that go as claimed.
    pub(super) fn words(self, steps: &[Step<'_>], direction: Ordering, level: f64) -> String {
        let untested = steps.iter().find_map(|step| step.answer.p.err());
        let open = steps.iter().find(|step| !step.shows(direction, level));
        let p = steps.iter().filter_map(|step| step.answer.p.ok()).fold(0.0, f64::max);
        let Steps { word, all, as_claimed, shown } = self;
        match (untested, open, all) {
            (Some(why), _, 1) => format!("not tested, as {why}"),
            (Some(why), _, _) => format!("{as_claimed} of {all} steps {word}, not tested, as {why}"),
            (None, None, 1) => format!("shown (p {})", p_words(p)),
            (None, None, _) => {
                format!("{as_claimed} of {all} steps {word}, all shown (p {})", up_to(p))
            }
            (None, Some(step), 1) => step.undecided(),
            (None, Some(step), _) => format!(
                "{as_claimed} of {all} steps {word}, {} shown; {}: {}",
                shown.unwrap_or(0),
                step.name,
                step.undecided()
            ),
        }
    }

    /// Returns what all places say together; `None` of one place.
    pub(super) fn over(places: &[Steps]) -> Option<String> {
        let first = places.first().filter(|_| places.len() > 1)?;
        let sum = |of: fn(&Steps) -> usize| places.iter().map(of).sum::<usize>();
        let (all, as_claimed) = (sum(|steps| steps.all), sum(|steps| steps.as_claimed));
        let shown = places.iter().map(|steps| steps.shown).sum::<Option<usize>>();
        let word = first.word;
        Some(if places.iter().all(|steps| steps.all == 1) {
            let shown = shown.map_or_else(String::new, |shown| format!(", shown at {shown}"));
            format!("{word} at {as_claimed} of {all}{shown}")
        } else {
            let shown = shown.map_or_else(String::new, |shown| format!(", {shown} shown"));
            format!("{as_claimed} of {all} steps {word} at {} places{shown}", places.len())
        })
    }
}

/// Returns how many units would decide a comparison whose interval includes no difference; `None` if it is decided or has no
/// interval.
pub(super) fn would_decide(answer: &Answer) -> Option<String> {
    let interval = answer.compared().interval.as_ref().ok()?;
    let logarithm = |of: f64| if answer.quantity == ComparedNumber::Difference { of } else { of.ln() };
    let [low, high, value] = [interval.low, interval.high, answer.compared().value?].map(logarithm);
    (low <= 0.0 && high >= 0.0).then(|| enough(answer.contrast.units, (high - low) / 2.0, value.abs()))
}

/// Whether both sides have the same value in every unit.
pub(super) fn is_same(question: &Question, study: &Study<'_>) -> bool {
    let units = |side: &Side| study.frame().units(&side.design_point, side.policy, question.measure);
    let units = [&question.side, &question.baseline].map(units);
    !units[0].is_empty() && units[0] == units[1]
}

fn p_words(p: f64) -> String {
    if p < 0.001 { "below 0.001".into() } else { format!("{p:.3}") }
}

fn up_to(p: f64) -> String {
    if p < 0.001 { p_words(p) } else { format!("up to {}", p_words(p)) }
}
