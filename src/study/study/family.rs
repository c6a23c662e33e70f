//! Several contrasts tested together.
//!
//! Intervals and p-values are adjusted by Bonferroni's method alike. Holm's method finds 1 to 2 % more of the differences
//! (`examples/coverage.md`), but has no intervals that agree with it. A family is what is asked at once: a metric at a
//! workload and point, with all baselines of a table, and for `ratio_to` with all values of its parameters. A to B and B
//! to A are one test. Intervals of single values stay at the plain level, because they compare nothing.
//!
//! The best policy and the second are known only after looking, and so is a pair of which the mean and a typical unit give
//! opposite orders. Such a question is one of all pairs of policies that could have been asked instead: its family is all of
//! them ([`pairs`], [`Answer::chosen`]). `tests/report/chosen.rs` simulates how often it then finds what is not there.

use std::sync::Arc;

use super::{ComparedNumber, Comparison, Contrast, ContrastResult, Question, Reason, Study};
use batchlab_engine::stats::{Test, bonferroni};
use batchlab_traces::sorted::SortedSet;

#[derive(Clone, Debug)]
pub struct Answer {
    /// The contrast; its intervals are simultaneous.
    pub contrast: Arc<Contrast>,
    pub quantity: ComparedNumber,
    pub test: Result<Test, Reason>,
    /// Its p-value, adjusted for the family, or for all that could have been chosen, by Bonferroni's method.
    pub p: Result<f64, Reason>,
    pub verdict: ContrastResult,
}

/// Contrasts tested together: the level bounds the probability of any false finding among them.
#[derive(Clone, Debug)]
pub struct Family {
    /// Answers in the order of the questions.
    pub answers: Vec<Answer>,
    /// The number of questions that have a test or an interval, that of A to B and of B to A being one: p-values and
    /// intervals are adjusted for all of them.
    pub members: usize,
    /// Whether one of them has a test; few units have an interval and no test.
    pub has_tests: bool,
    /// Level of each interval, such that all hold together at the frame's level.
    pub level: f64,
}

impl Answer {
    /// Answers questions that were chosen after looking at the results, from `possible` ones: p-values and intervals are
    /// adjusted for all of these by Bonferroni's method. O(n), and the contrasts.
    pub fn chosen(study: &Study<'_>, questions: &[Question], possible: usize) -> Vec<Answer> {
        adjusted(study, questions, possible.max(1), ComparedNumber::default())
    }

    pub fn compared(&self) -> &Comparison {
        self.contrast.by(self.quantity)
    }

    pub fn is_shown(&self) -> bool {
        matches!(self.verdict, ContrastResult::Better | ContrastResult::Worse | ContrastResult::Differs)
    }
}

/// Returns the number of pairs of policies: how many questions could have been chosen after looking.
pub fn pairs(policies: usize) -> usize {
    policies * policies.saturating_sub(1) / 2
}

impl Family {
    /// Answers questions as one family, each by the quantity that is asked for, or by the difference where a unit's value
    /// has no logarithm ([`Contrast::tested`]). O(n), and the contrasts.
    ///
    /// What says whether something is shown asks by [`ComparedNumber::default`]: words, claims, conclusions over readings and about
    /// the best policy; a table asks by the quantity that it prints. Intervals are at Bonferroni's level and p-values are his, so
    /// that p is below 1 − level exactly where the interval excludes no difference; Holm's method finds a little more and has no
    /// such intervals (`examples/coverage.md`). The family counts the questions that have a test or an interval.
    pub fn of(study: &Study<'_>, questions: &[Question], quantity: ComparedNumber) -> Family {
        let frame = study.frame();
        let is_member = |question: &&Question| {
            let contrast = study.contrast(question, frame.level);
            let compared = contrast.by(contrast.tested(quantity));
            compared.test.is_ok() || compared.interval.is_ok()
        };
        let hypotheses: SortedSet<_> = questions.iter().filter(is_member).map(Question::hypothesis).collect();
        let members = hypotheses.len();
        let level = bonferroni::level(frame.level, members);
        let answers = adjusted(study, questions, members, quantity);
        let has_tests = answers.iter().any(|answer| answer.test.is_ok());
        Family { answers, members, has_tests, level }
    }
}

/// Answers questions as a part of a family with this number of members.
fn adjusted(
    study: &Study<'_>,
    questions: &[Question],
    members: usize,
    quantity: ComparedNumber,
) -> Vec<Answer> {
    let frame = study.frame();
    let level = bonferroni::level(frame.level, members);
    let answer = |question: &Question| {
        let contrast = study.contrast(question, level);
        let quantity = contrast.tested(quantity);
        let test = contrast.by(quantity).test.clone();
        let p = test.as_ref().map(|test| bonferroni::adjusted(test.p, members)).map_err(|reason| *reason);
        let verdict = contrast.verdict(quantity, p, frame.level);
        Answer { contrast, quantity, test, p, verdict }
    };
    questions.iter().map(answer).collect()
}
