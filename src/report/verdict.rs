//! The verdict on an experiment, in sentences: which policy is best, by how much, how surely, and what is not
//! shown.
//!
//! The verdict is about the main measure: the first one in the file that has a good direction. A reader who
//! stops here must not be misled: untested differences are called untested, a difference that is not shown is
//! not called absent, and problems are stated next to the results they affect. Each workload has at most three
//! sentences; the details have all comparisons. [`figure()`] shows the same comparisons as a forest plot.

mod best_first;
mod classes;
mod figure;
mod limits;
mod many;
mod short;
mod weak;
mod words;

pub(super) use words::list;

use std::collections::BTreeSet;

use crate::experiment::{DesignPoint, Frame, Measure};
use crate::study::pitfalls::Pitfall;
use crate::study::{Answer, ComparedNumber, Question, Study};
use crate::table::Better;
use best_first::BestFirst;
pub use figure::{NAME as FIGURE, figure};
pub use words::design_point as place;

/// The verdict on an experiment.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Conclusion {
    /// What was compared, by which measure, and what intervals and p-values mean.
    pub basis: Vec<String>,
    /// The results, in at most three sentences for each workload.
    pub paragraphs: Vec<Paragraph>,
    /// All comparisons with the baseline, by workload and point of the sweep.
    pub details: Vec<Paragraph>,
    /// Problems of the results, and questions that they do not answer.
    pub limits: Vec<String>,
}

/// The result at one workload, at all points of its sweep or at one.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Paragraph {
    /// The place, such as "KTH-SP2, load 0.9".
    pub about: String,
    /// The result.
    pub sentences: Vec<String>,
}

/// The most sweep points that are described individually; above this, only a summary is printed.
const POINTS: usize = 4;

/// Makes the verdict. O(design points · policies) contrasts, most of which the tables need too.
pub fn conclude(study: &Study<'_>, pitfalls: &[Pitfall]) -> Conclusion {
    let frame = study.frame();
    let mut limits = limits::of(study, pitfalls);
    let Some(measure) = main_measure(frame) else {
        limits.insert(0, "No requested metric has a good direction, so no policy is called best.".into());
        return Conclusion { limits, ..Conclusion::default() };
    };
    let main = &frame.measures[measure];
    let design_points = frame.design_points();
    let against_baseline = AgainstBaseline::new(study, measure, &design_points);
    let (mut paragraphs, mut details) = (Vec::new(), Vec::new());
    for workload in 0..frame.workloads.len() {
        let here: Vec<&DesignPoint> =
            design_points.iter().filter(|design_point| design_point.workload == workload).collect();
        paragraphs.push(short::paragraph(&against_baseline, &here, pitfalls));
        if here.len() > POINTS {
            details.push(many::paragraph(&against_baseline, &here));
        } else {
            details.extend(here.into_iter().map(|design_point| against_baseline.paragraph(design_point)));
        }
    }
    let mut basis = vec![format!("By {} ({}).", words::name(main), main.definition)];
    basis.extend(against_baseline.basis());
    Conclusion { basis, paragraphs, details, limits }
}

/// Returns the position of the main measure: the first in the file that has a good direction, over all jobs.
fn main_measure(frame: &Frame) -> Option<usize> {
    let is_asked = |of: &Measure| !of.is_diagnostic && of.class.is_none();
    frame.measures.iter().position(|of| is_asked(of) && of.better != Better::Neither)
}

/// All policies against the baseline by one measure, at all design points.
struct AgainstBaseline<'a> {
    study: &'a Study<'a>,
    measure: usize,
    questions: Vec<Question>,
    /// The answers; those at one design point are a family, as those of a table are unless the table says otherwise.
    answers: Vec<Answer>,
    /// The contrasts of the best with the second policy, if the second is not the baseline.
    finals: Vec<(Question, Answer)>,
    /// The numbers of tests of all families in which something is tested.
    tests: BTreeSet<usize>,
}

impl<'a> AgainstBaseline<'a> {
    fn new(study: &'a Study<'a>, measure: usize, design_points: &[DesignPoint]) -> AgainstBaseline<'a> {
        let frame = study.frame();
        let mut families: Vec<Vec<Question>> = Vec::new();
        if let Some(baseline) = frame.baseline {
            let others = || (0..frame.policies.len()).filter(move |&policy| policy != baseline);
            let of = |design_point: &DesignPoint| {
                let design_point = design_point.clone();
                others().map(move |policy| Question::of_policies(&design_point, [policy, baseline], measure))
            };
            families.extend(design_points.iter().map(|design_point| of(design_point).collect()));
        }
        let (mut answers, mut tests) = (Vec::new(), BTreeSet::new());
        for questions in &families {
            let family = study.family(questions, ComparedNumber::default());
            answers.extend(family.answers);
            tests.extend(family.has_tests.then_some(family.members));
        }
        let orders = design_points.iter().map(|design_point| BestFirst::new(study, design_point, measure));
        let finals: Vec<Question> =
            orders.filter_map(|best_first| best_first.last_two(frame.baseline)).collect();
        let decide = |question: Question| {
            let family = study.family(std::slice::from_ref(&question), ComparedNumber::default());
            Some((question, family.answers.into_iter().next()?))
        };
        let finals = finals.into_iter().filter_map(decide).collect();
        let questions = families.into_iter().flatten().collect();
        AgainstBaseline { study, measure, questions, answers, finals, tests }
    }

    fn answer(&self, design_point: &DesignPoint, policy: usize) -> Option<&Answer> {
        let at = self
            .questions
            .iter()
            .position(|of| *of.design_point() == *design_point && of.side.policy == policy)?;
        self.answers.get(at)
    }

    /// Returns the contrast of the best with the second policy at a design point, if neither is the baseline.
    fn last_two(&self, design_point: &DesignPoint) -> Option<(&Question, &Answer)> {
        let found = self.finals.iter().find(|(question, _)| question.design_point() == design_point);
        found.map(|(question, answer)| (question, answer))
    }

    /// Returns the sentence about what is compared, and how.
    fn basis(&self) -> Option<String> {
        let frame = self.study.frame();
        let baseline = &frame.policies[frame.baseline?].label;
        let tests: Vec<String> = self.tests.iter().map(ToString::to_string).collect();
        if tests.is_empty() {
            return Some(format!("Compared with {baseline}, paired by unit; nothing is tested."));
        }
        let (level, alpha) = (words::percent(frame.level), ((1.0 - frame.level) * 1e7).round() / 1e7);
        let place = match (frame.workloads.len() > 1, frame.parameters.iter().any(|of| of.values.len() > 1)) {
            (false, false) => "",
            (true, false) => " at each workload",
            (false, true) => " at each point of the sweep",
            (true, true) => " at each workload and point of the sweep",
        };
        let adjusted = match tests.join(" or ").as_str() {
            "1" => format!("Each interval is at {level}, and p is of one test"),
            tests => format!(
                "The intervals{place} hold together at {level}, and p is adjusted by Bonferroni's method for its {tests} \
                 comparisons"
            ),
        };
        Some(format!(
            "Compared with {baseline}, paired by unit: the same unit is the same jobs. A change is the geometric mean of the \
             ratios unit by unit (by Student's t on logarithms): what changes in a typical unit. `Of means` is the change \
             of the mean over units, in which units with large values weigh most. {adjusted}; p is below {alpha} exactly \
             where the interval excludes no change. A difference that is not shown may still exist."
        ))
    }

    /// Returns the paragraph about a design point.
    fn paragraph(&self, design_point: &DesignPoint) -> Paragraph {
        let best_first = BestFirst::new(self.study, design_point, self.measure);
        let mut sentences = best_first.sentences(self);
        sentences.extend(classes::sentence(self, &best_first));
        sentences.extend(limits::of_design_point(self.study.frame(), design_point));
        Paragraph { about: words::design_point(self.study.frame(), design_point), sentences }
    }
}

#[cfg(test)]
mod tests;
