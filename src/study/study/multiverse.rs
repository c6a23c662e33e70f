use std::cmp::Ordering;

use super::{Answer, ComparedNumber, Family, Question, Study};
use crate::experiment::DesignPoint;

/// One conclusion, a policy against the baseline by one measure at one design point, under each of several readings; the first
/// reading gives the conclusion itself.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// The design point under the first reading.
    pub design_point: DesignPoint,
    pub policy: usize,
    pub baseline: usize,
    pub measure: usize,
    /// The contrast under each reading, in their order; all are tested as one family.
    pub answers: Vec<Answer>,
}

impl Conclusion {
    /// Returns the direction under a reading by what is tested: less than the baseline, equal, or greater; `None` without a value.
    pub fn direction(&self, reading: usize) -> Option<Ordering> {
        self.answers[reading].compared().direction()
    }

    pub fn is_kept(&self, reading: usize) -> bool {
        self.direction(reading).is_some_and(|direction| Some(direction) == self.direction(0))
    }

    /// Whether the direction of the first reading is shown under a reading, all readings being one family.
    pub fn is_shown(&self, reading: usize) -> bool {
        self.is_kept(reading) && self.answers[reading].is_shown()
    }

    pub fn survives(&self) -> usize {
        (0..self.answers.len()).filter(|&reading| self.is_kept(reading)).count()
    }

    /// Returns the number of readings that show it; `None` if nothing could be tested.
    pub fn shown(&self) -> Option<usize> {
        let is_tested = self.answers.iter().any(|answer| answer.test.is_ok());
        is_tested.then(|| (0..self.answers.len()).filter(|&reading| self.is_shown(reading)).count())
    }
}

/// Returns every conclusion over the values of a parameter: each policy against the baseline, at each design point of the other
/// parameters, by each measure that is not only for findings. O(design points · policies · measures) contrasts.
pub fn conclusions(study: &Study<'_>, parameter: usize) -> Vec<Conclusion> {
    let frame = study.frame();
    let Some(baseline) = frame.baseline else { return Vec::new() };
    let measures: Vec<usize> =
        (0..frame.measures.len()).filter(|&at| !frame.measures[at].is_diagnostic).collect();
    let readings = frame.parameters[parameter].values.len();
    let mut conclusions = Vec::new();
    for at in frame.design_points().into_iter().filter(|at| at.point[parameter] == 0) {
        for policy in (0..frame.policies.len()).filter(|&policy| policy != baseline) {
            for &measure in &measures {
                let question = |reading: usize| {
                    let mut design_point = at.clone();
                    design_point.point[parameter] = reading;
                    Question::of_policies(&design_point, [policy, baseline], measure)
                };
                let questions: Vec<Question> = (0..readings).map(question).collect();
                let answers = Family::of(study, &questions, ComparedNumber::default()).answers;
                let design_point = at.clone();
                conclusions.push(Conclusion { design_point, policy, baseline, measure, answers });
            }
        }
    }
    conclusions
}
