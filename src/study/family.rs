//! Several contrasts tested together.

use std::sync::Arc;

use super::{Contrast, Reason, Study, Verdict};
use crate::experiment::DesignPoint;
use crate::stats::{Interval, Test, holm};

/// Which of a contrast's two numbers is tested: the one that is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantity {
    /// The difference of means.
    #[default]
    Difference,
    /// Their ratio.
    Ratio,
}

/// One contrast that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Where.
    pub design_point: DesignPoint,
    /// The policy.
    pub policy: usize,
    /// What it is compared with.
    pub baseline: usize,
    /// By which measure.
    pub measure: usize,
}

/// What is known about one contrast as a member of a family.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The contrast; its intervals are simultaneous ones.
    pub contrast: Arc<Contrast>,
    /// The test of the quantity.
    pub test: Result<Test, Reason>,
    /// Its p-value, adjusted for the family by Holm's method.
    pub p: Result<f64, Reason>,
    /// What it shows at the frame's level.
    pub verdict: Verdict,
}

/// Contrasts tested together: any false finding among them is as unlikely as the level says.
#[derive(Clone, Debug)]
pub struct Family {
    /// Answers in the order of the questions.
    pub answers: Vec<Answer>,
    /// Tests made: questions that could be tested.
    pub tests: usize,
    /// Level of each interval, so that all hold together at the frame's level.
    pub level: f64,
}

impl Answer {
    /// Returns the simultaneous interval of a quantity.
    ///
    /// # Errors
    /// Why there is none.
    pub fn interval(&self, quantity: Quantity) -> Result<&Interval, Reason> {
        let interval = match quantity {
            Quantity::Difference => &self.contrast.difference_interval,
            Quantity::Ratio => &self.contrast.ratio_interval,
        };
        interval.as_ref().map_err(|reason| *reason)
    }
}

impl Study<'_> {
    /// Returns which quantity tells of some contrasts: their ratios, or the differences where one is of a mean that is 0.
    ///
    /// What says whether something is shown, in words or as a claim, asks by this one, so that nobody contradicts another.
    pub fn quantity(&self, questions: &[Question]) -> Quantity {
        let level = self.frame().level;
        let has_ratio = |of: &Question| {
            let contrast = self.contrast(&of.design_point, of.policy, of.baseline, of.measure, level);
            contrast.difference.is_none() || contrast.ratio.is_some_and(|ratio| ratio >= 0.0)
        };
        if questions.iter().all(has_ratio) { Quantity::Ratio } else { Quantity::Difference }
    }

    /// Answers questions as one family. O(n log n), and the contrasts.
    ///
    /// Intervals are at Bonferroni's level, which matches Holm's method one way: where a t interval, or Fieller's, leaves out
    /// no difference, the difference is shown. Of a bootstrap interval that need not be so: it is too short for few units,
    /// and what is shown is decided by the test. Intervals are made for as many as have a test.
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
