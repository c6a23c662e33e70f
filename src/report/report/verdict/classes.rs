//! The classes of jobs for which a policy is better.

use super::best_first::BestFirst;
use super::{AgainstBaseline, words};
use batchlab_study::study::{ComparedNumber, ContrastResult, Family, Question};

/// The most classes that are listed.
const SHOWN: usize = 6;

/// Returns a sentence that compares the paragraph's policy with the baseline class by class: the best policy,
/// or the second if the baseline is best. `None` if no classes are measured.
pub fn sentence(against_baseline: &AgainstBaseline<'_>, best_first: &BestFirst) -> Option<String> {
    let frame = against_baseline.study.frame();
    let baseline = frame.baseline?;
    let policy = best_first.order.iter().map(|(policy, _)| *policy).find(|&policy| policy != baseline)?;
    let metric = &frame.measures[best_first.measure].metric;
    let of_class =
        |(_, of): &(usize, &batchlab_study::experiment::Measure)| of.metric == *metric && of.class.is_some();
    let ask = |(measure, _)| Question::of_policies(&best_first.design_point, [policy, baseline], measure);
    let questions: Vec<Question> = frame.measures.iter().enumerate().filter(of_class).map(ask).collect();
    let family = Family::of(against_baseline.study, &questions, ComparedNumber::default());
    let mut parts = Vec::new();
    for (question, answer) in questions.iter().zip(&family.answers) {
        let measure = &frame.measures[question.measure];
        let Some(change) = words::change(measure, answer) else { continue };
        let shown = match (answer.verdict, answer.p) {
            (ContrastResult::NoTest(_), _) | (_, Err(_)) => String::new(),
            (verdict, Ok(p)) => format!(" ({}, {})", words::shown(verdict), words::p(p)),
        };
        parts.push(format!("{} {change}{shown}", measure.class.as_deref().unwrap_or_default()));
    }
    let more = parts.len().saturating_sub(SHOWN);
    parts.truncate(SHOWN);
    let rest = if more > 0 { format!("; {more} more classes in the tables") } else { String::new() };
    let (label, baseline) = (&frame.policies[policy].label, &frame.policies[baseline].label);
    (!parts.is_empty()).then(|| {
        format!("For whom: {label} against {baseline} by class of jobs: {}{rest}.", parts.join("; "))
    })
}
