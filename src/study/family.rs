//! Several contrasts tested together.

use std::sync::Arc;

use super::{Comparison, Contrast, Quantity, Reason, Study, Verdict};
use crate::experiment::DesignPoint;
use crate::stats::{Test, bonferroni};

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
    /// The quantity that was tested.
    pub quantity: Quantity,
    /// Its test.
    pub test: Result<Test, Reason>,
    /// Its p-value, adjusted for the family by Bonferroni's method.
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
    /// Returns the comparison that was tested.
    pub fn compared(&self) -> &Comparison {
        self.contrast.by(self.quantity)
    }

    /// Whether a difference is shown.
    pub fn is_shown(&self) -> bool {
        matches!(self.verdict, Verdict::Better | Verdict::Worse | Verdict::Differs)
    }
}

impl Study<'_> {
    /// Answers questions as one family, each by the quantity that is asked for, or by the difference where a unit's value
    /// has no logarithm ([`Contrast::tested`]). O(n), and the contrasts.
    ///
    /// What says whether something is shown asks by [`Quantity::default`], in words, as a claim, over readings or of the
    /// best; a table asks by the quantity that it prints. Intervals are at Bonferroni's level and p-values are his, so
    /// that p is below 1 − level exactly where the interval excludes no difference; Holm's method finds a little more and
    /// has no such intervals (`examples/coverage.md`). The family counts those that have a test.
    pub fn family(&self, questions: &[Question], quantity: Quantity) -> Family {
        let frame = self.frame();
        let ask = |question: &Question, level: f64| {
            self.contrast(&question.design_point, question.policy, question.baseline, question.measure, level)
        };
        let has_test = |question: &&Question| {
            let contrast = ask(question, frame.level);
            contrast.by(contrast.tested(quantity)).test.is_ok()
        };
        let tests = questions.iter().filter(has_test).count();
        let level = bonferroni::level(frame.level, tests);
        let contrasts: Vec<Arc<Contrast>> = questions.iter().map(|question| ask(question, level)).collect();
        let test = |contrast: &Arc<Contrast>| contrast.by(contrast.tested(quantity)).test.clone();
        let raw: Vec<f64> = contrasts.iter().map(|of| test(of).map_or(f64::NAN, |test| test.p)).collect();
        let answer = |(contrast, p): (Arc<Contrast>, f64)| {
            let (quantity, test) = (contrast.tested(quantity), test(&contrast));
            let p = test.as_ref().map(|_| p).map_err(|reason| *reason);
            let verdict = contrast.verdict(quantity, p, frame.level);
            Answer { contrast, quantity, test, p, verdict }
        };
        let answers = contrasts.into_iter().zip(bonferroni::adjust(&raw)).map(answer).collect();
        Family { answers, tests, level }
    }
}
