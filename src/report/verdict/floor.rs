//! Where units are too few to show anything, however clear it is.

use super::{Contest, words};
use crate::stats::TestKind;

/// Says of which workloads nothing can be shown; `None` where everywhere something could be.
///
/// Of n units that are all on one side, flipped signs show p = 2/2ⁿ; Holm's method multiplies it by the number of tests
/// that are no clearer.
pub fn sentence(contest: &Contest<'_>, level: f64) -> Option<String> {
    let tests = || contest.answers.iter().filter_map(|answer| answer.test.as_ref().ok());
    let least = |units: usize| 2.0_f64.powi(1 - i32::try_from(units).unwrap_or(i32::MAX));
    let is_hopeless = |units: usize| {
        let no_clearer = tests().filter(|test| test.p >= least(units)).count();
        least(units) * no_clearer as f64 > 1.0 - level
    };
    let mut names: Vec<String> = Vec::new();
    let mut units = None;
    for (question, answer) in contest.questions.iter().zip(&contest.answers) {
        let Ok(test) = &answer.test else { continue };
        if test.kind == TestKind::SignFlip && is_hopeless(test.units) {
            units = units.max(Some(test.units));
            let name = &contest.study.frame().workloads[question.site.workload].name;
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let units = units?;
    Some(format!(
        "{}: {units} units can show no difference among {} comparisons at once, however clear it is: by flipped signs \
         {} at least, before Holm's method. More units would (shorter windows, more replications), or fewer \
         comparisons.",
        words::list(&names),
        contest.tests,
        words::p(least(units)),
    ))
}
