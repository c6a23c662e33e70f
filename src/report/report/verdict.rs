//! The verdict on an experiment, in sentences: which policy is best, by how much, how surely, and what is not
//! shown.
//!
//! The verdict is about the main measure: the first one in the file that has a good direction. A reader who
//! stops here must not be misled: untested differences are called untested, a difference that is not shown is
//! not called absent, and problems are stated next to the results they affect. Each workload has at most five
//! sentences; the details have all comparisons. [`figure()`] shows the same comparisons as a forest plot. How often a verdict claims
//! what is not so, and finds what is: `examples/verdicts.md`.

mod best_first;
mod classes;
mod figure;
mod limits;
mod many;
mod payers;
mod short;
mod typical;
mod weak;
mod words;

pub(super) use words::list;

use std::cmp::Ordering;

use batchlab_engine::table::Better;
use batchlab_study::experiment::{DesignPoint, Frame, Measure};
use batchlab_study::study::copies::copies;
use batchlab_study::study::pitfalls::Pitfall;
use batchlab_study::study::{Answer, ComparedNumber, Family, Question, Study};
use batchlab_traces::sorted::SortedSet;
use best_first::BestFirst;
pub use figure::{NAME as FIGURE, figure};
pub use words::design_point as place;

/// The verdict on an experiment.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Conclusion {
    /// What was compared, by which measure, and what intervals and p-values mean.
    pub basis: Vec<String>,
    /// The results, in at most five sentences for each workload.
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
    // A point with the results of another one is no second result.
    let copies: SortedSet<DesignPoint> = copies(frame).into_iter().map(|(copy, _)| copy).collect();
    let design_points: Vec<DesignPoint> =
        frame.design_points().into_iter().filter(|design_point| !copies.contains(design_point)).collect();
    let against_baseline = AgainstBaseline::new(study, measure, &design_points);
    let (mut paragraphs, mut details) = (Vec::new(), Vec::new());
    for workload in 0..frame.workloads.len() {
        let here = design_points.iter().filter(|design_point| design_point.workload == workload);
        let orders: Vec<BestFirst> = here.map(|at| BestFirst::new(study, at, measure)).collect();
        paragraphs.push(short::paragraph(&against_baseline, &orders, pitfalls));
        if orders.len() > POINTS {
            details.push(many::paragraph(&against_baseline, &orders));
        } else {
            details.extend(orders.iter().map(|order| against_baseline.paragraph(order)));
        }
    }
    let mut basis = vec![format!("By {} ({}).", words::name(main), main.definition)];
    basis.extend(against_baseline.basis());
    basis.extend(against_baseline.chosen());
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
    /// The questions with their answers; those at one design point are a family, as those of a table are unless the table
    /// says otherwise.
    answers: Vec<(Question, Answer)>,
    /// The contrasts of the best with the second policy, if neither is the baseline.
    finals: Vec<(Question, Answer)>,
    /// The contrasts of the best policy in a typical unit with the best by its mean, where they differ.
    typical: Vec<(Question, Answer)>,
    /// For how many pairs of policies the tests of `finals` and `typical` are adjusted.
    pairs: SortedSet<usize>,
    /// The numbers of tests of all families in which something is tested.
    tests: SortedSet<usize>,
}

impl<'a> AgainstBaseline<'a> {
    fn new(study: &'a Study<'a>, measure: usize, design_points: &[DesignPoint]) -> AgainstBaseline<'a> {
        let frame = study.frame();
        let mut against = AgainstBaseline {
            study,
            measure,
            answers: Vec::new(),
            finals: Vec::new(),
            typical: Vec::new(),
            pairs: SortedSet::new(),
            tests: SortedSet::new(),
        };
        for design_point in design_points {
            if let Some(baseline) = frame.baseline {
                let others = (0..frame.policies.len()).filter(|&policy| policy != baseline);
                let ask = |policy| Question::of_policies(design_point, [policy, baseline], measure);
                let questions: Vec<Question> = others.map(ask).collect();
                let family = Family::of(study, &questions, ComparedNumber::default());
                against.answers.extend(questions.into_iter().zip(family.answers));
                against.tests.extend(family.has_tests.then_some(family.members));
            }
            against.choose(&BestFirst::new(study, design_point, measure));
        }
        against
    }

    /// Answers the questions of a design point that are known only after looking.
    fn choose(&mut self, order: &BestFirst) {
        let decide = |question: Question| {
            let answers = Answer::chosen(self.study, std::slice::from_ref(&question), order.pairs());
            Some((question, answers.into_iter().next()?))
        };
        let last_two = order.last_two(self.study.frame().baseline).and_then(decide);
        let is_better = |(_, answer): &(Question, Answer)| self.is_better(answer);
        let typical = order.typical(self.study).and_then(decide).filter(is_better);
        let is_tested = last_two.iter().chain(&typical).any(|(_, answer)| answer.p.is_ok());
        self.pairs.extend(is_tested.then_some(order.pairs()));
        self.finals.extend(last_two);
        self.typical.extend(typical);
    }

    /// Whether the value of what was compared is the better one, shown or not.
    fn is_better(&self, answer: &Answer) -> bool {
        let direction = answer.compared().direction();
        match self.study.frame().measures[self.measure].better {
            Better::Lower => direction == Some(Ordering::Less),
            Better::Higher => direction == Some(Ordering::Greater),
            Better::Neither => false,
        }
    }

    fn answer(&self, design_point: &DesignPoint, policy: usize) -> Option<&Answer> {
        let is_it = |of: &Question| of.design_point() == design_point && of.side.policy == policy;
        self.answers.iter().find(|(question, _)| is_it(question)).map(|(_, answer)| answer)
    }

    /// Returns the contrast of the best with the second policy at a design point, if neither is the baseline.
    fn last_two(&self, design_point: &DesignPoint) -> Option<&(Question, Answer)> {
        self.finals.iter().find(|(question, _)| question.design_point() == design_point)
    }

    /// Returns the contrast of the best policy in a typical unit with the best by its mean at a design point, if they differ.
    fn typical(&self, design_point: &DesignPoint) -> Option<&(Question, Answer)> {
        self.typical.iter().find(|(question, _)| question.design_point() == design_point)
    }

    /// Returns the sentence about tests whose policies are known only after looking.
    fn chosen(&self) -> Option<String> {
        let sizes: Vec<String> =
            self.pairs.iter().filter(|&&pairs| pairs > 1).map(ToString::to_string).collect();
        (!sizes.is_empty()).then(|| {
            format!(
                "Which policy is the second, and which is the best in a typical unit, is known only after looking: there p is \
                 adjusted by Bonferroni's method for all {} pairs of policies.",
                sizes.join(" or ")
            )
        })
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
    fn paragraph(&self, best_first: &BestFirst) -> Paragraph {
        let (frame, at) = (self.study.frame(), &best_first.design_point);
        let mut sentences = best_first.sentences(self);
        sentences.extend(classes::sentence(self, best_first));
        sentences.extend(limits::of_design_point(frame, at));
        Paragraph { about: words::design_point(frame, at), sentences }
    }
}

#[cfg(test)]
mod tests;
