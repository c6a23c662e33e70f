//! Several contrasts tested together.

use std::sync::Arc;

use super::{Contrast, Reason, Study, Verdict};
use crate::experiment::DesignPoint;
use crate::stats::{Interval, Test, holm};

/// The tested quantity of a contrast: the one that is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantity {
    /// The difference of means.
    #[default]
    Difference,
    /// Their ratio.
    Ratio,
}

/// A contrast in question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The design point.
    pub design_point: DesignPoint,
    /// The policy.
    pub policy: usize,
    /// The baseline.
    pub baseline: usize,
    /// The measure.
    pub measure: usize,
}

/// The result of a contrast as a member of a family.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The contrast; its intervals are simultaneous.
    pub contrast: Arc<Contrast>,
    /// The test of the quantity.
    pub test: Result<Test, Reason>,
    /// Its p-value, adjusted for the family by Holm's method.
    pub p: Result<f64, Reason>,
    /// The verdict at the frame's level.
    pub verdict: Verdict,
}

/// Contrasts tested together: the level bounds the probability of any false finding among them.
#[derive(Clone, Debug)]
pub struct Family {
    /// Answers in the order of the questions.
    pub answers: Vec<Answer>,
    /// The number of questions that could be tested.
    pub tests: usize,
    /// Level of each interval, such that all hold together at the frame's level.
    pub level: f64,
}

impl Answer {
    /// Returns the simultaneous interval of a quantity.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn interval(&self, quantity: Quantity) -> Result<&Interval, Reason> {
        let interval = match quantity {
            Quantity::Difference => &self.contrast.difference_interval,
            Quantity::Ratio => &self.contrast.ratio_interval,
        };
        interval.as_ref().map_err(|reason| *reason)
    }
}

impl Study<'_> {
    /// Returns the quantity in which contrasts are tested: their ratios, or the differences if one of the
    /// means is 0.
    ///
    /// The verdict and the claims both use this quantity, so that they do not contradict each other.
    pub fn quantity(&self, questions: &[Question]) -> Quantity {
        let level = self.frame().level;
        let has_ratio = |of: &Question| {
            let contrast = self.contrast(&of.design_point, of.policy, of.baseline, of.measure, level);
            contrast.difference.is_none() || contrast.ratio.is_some_and(|ratio| ratio >= 0.0)
        };
        if questions.iter().all(has_ratio) { Quantity::Ratio } else { Quantity::Difference }
    }

    /// Answers questions as one family. O(n log n), plus the contrasts.
    ///
    /// Intervals are at Bonferroni's level, which agrees with Holm's method in one direction: if a t
    /// interval, or Fieller's, excludes the value of no difference, the difference is shown. This need not
    /// hold for a bootstrap interval, which is too short for few units; the test decides. The level accounts
    /// for as many intervals as there are tests.
    pub fn family(&self, questions: &[Question], quantity: Quantity) -> Family {
        let frame = self.frame();
        let ask = |question: &Question, level: f64| {
            self.contrast(&question.design_point, question.policy, question.baseline, question.measure, level)
        };
        let plain: Vec<Result<Test, Reason>> =
            questions.iter().map(|question| test(&ask(question, frame.level), quantity)).collect();
        let tests = plain.iter().filter(|test| test.is_ok()).count();
        let level = holm::simultaneous_level(frame.level, tests);
        let answer = |question: &Question| {
            let contrast = ask(question, level);
            (test(&contrast, quantity), contrast)
        };
        let answers: Vec<(Result<Test, Reason>, Arc<Contrast>)> = questions.iter().map(answer).collect();
        let raw: Vec<f64> =
            answers.iter().map(|(test, _)| test.as_ref().map_or(f64::NAN, |test| test.p)).collect();
        let adjusted = holm::adjust(&raw);
        let answer = |((test, contrast), p): ((Result<Test, Reason>, Arc<Contrast>), f64)| {
            let p = test.as_ref().map(|_| p).map_err(|reason| *reason);
            let verdict = contrast.verdict(p, frame.level);
            Answer { contrast, test, p, verdict }
        };
        Family { answers: answers.into_iter().zip(adjusted).map(answer).collect(), tests, level }
    }
}

fn test(contrast: &Contrast, quantity: Quantity) -> Result<Test, Reason> {
    match quantity {
        Quantity::Difference => contrast.difference_test.clone(),
        Quantity::Ratio => contrast.ratio_test.clone(),
    }
}
