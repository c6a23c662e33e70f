//! Workloads with too few units to show any difference.

use super::{AgainstBaseline, words};
use crate::stats::TestKind;

/// Names the workloads at which no difference can be shown; `None` if there are none.
///
/// With n units, the least p-value of a sign-flip test is p = 2/2ⁿ, if all differences have the same sign;
/// Holm's method multiplies it by the number of tests whose p-value is not smaller.
pub fn sentence(against_baseline: &AgainstBaseline<'_>, level: f64) -> Option<String> {
    let tests = || against_baseline.answers.iter().filter_map(|answer| answer.test.as_ref().ok());
    let least = |units: usize| 2.0_f64.powi(1 - i32::try_from(units).unwrap_or(i32::MAX));
    let is_hopeless = |units: usize| {
        let no_clearer = tests().filter(|test| test.p >= least(units)).count();
        least(units) * no_clearer as f64 > 1.0 - level
    };
    let mut names: Vec<String> = Vec::new();
    let mut units = None;
    for (question, answer) in against_baseline.questions.iter().zip(&against_baseline.answers) {
        let Ok(test) = &answer.test else { continue };
        if test.kind == TestKind::SignFlip && is_hopeless(test.units) {
            units = units.max(Some(test.units));
            let name = &against_baseline.study.frame().workloads[question.design_point.workload].name;
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let units = units?;
    Some(format!(
        "{}: {units} units cannot show a difference among {} comparisons at once, however clear it is: by \
            flipped signs {} at least, before Holm's method. More units (shorter windows, more \
            replications) or fewer comparisons could.",
        words::list(&names),
        against_baseline.tests,
        words::p(least(units)),
    ))
}
