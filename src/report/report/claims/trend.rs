//! A measure that rises or falls with a parameter.

use std::cmp::Ordering;

use super::figure::{figures, unit};
use super::places::{ClaimScope, Dimension, words};
use super::steps::{Step, Steps, is_same};
use super::{ClaimPart, Verdict};
use batchlab_study::experiment::{DesignPoint, UnitKind};
use batchlab_study::study::{Answer, ComparedNumber, Family, Question, Reason, Side, Study};

/// A measure that rises or falls with a parameter, for each of several policies.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    pub measure: usize,
    pub policies: Vec<usize>,
    pub parameter: usize,
    /// The values of the parameter: the numbers in ascending order, each with its position.
    pub steps: Vec<(f64, usize)>,
    /// Whether the measure must fall rather than rise.
    pub falls: bool,
    /// Whether equal neighbouring values violate the trend.
    pub strict: bool,
    /// Whether each step has to be shown by its paired test.
    pub shown: bool,
}

impl Trend {
    pub(super) fn check(&self, places: &ClaimScope, study: &Study<'_>) -> Vec<ClaimPart> {
        let chosen = &places.values[self.parameter];
        let steps: Vec<usize> =
            self.steps.iter().map(|&(_, at)| at).filter(|at| chosen.contains(at)).collect();
        let Some(&first) = steps.first() else { return Vec::new() };
        let design_points = places.only(self.parameter, first).design_points();
        let sides: Vec<Side> = design_points
            .iter()
            .flat_map(|at| self.policies.iter().map(|&policy| Side { design_point: at.clone(), policy }))
            .collect();
        let questions: Vec<Vec<Question>> = sides.iter().map(|side| self.questions(side, &steps)).collect();
        let asked = if self.shown { questions.concat() } else { Vec::new() };
        let mut answers = Family::of(study, &asked, ComparedNumber::default()).answers.into_iter();
        let at = |(side, questions): (&Side, &Vec<Question>)| {
            let answers: Vec<Answer> = answers.by_ref().take(questions.len()).collect();
            self.at(side, &steps, (questions, &answers), study)
        };
        sides.iter().zip(&questions).map(at).collect()
    }

    /// Returns the questions how a policy's value at each step compares with that at the step before.
    fn questions(&self, side: &Side, steps: &[usize]) -> Vec<Question> {
        let moved = |step| Side { design_point: self.moved(&side.design_point, step), policy: side.policy };
        let question = |pair: &[usize]| Question {
            side: moved(pair[1]),
            baseline: moved(pair[0]),
            measure: self.measure,
        };
        steps.windows(2).map(question).collect()
    }

    fn at(
        &self,
        side: &Side,
        steps: &[usize],
        (questions, answers): (&[Question], &[Answer]),
        study: &Study<'_>,
    ) -> ClaimPart {
        let frame = study.frame();
        let label = &frame.policies[side.policy].label;
        let is_told = |dimension| dimension != Dimension::Parameter(self.parameter);
        let place = words(frame, &side.design_point, is_told);
        let unchecked =
            |why: String| ClaimPart::new(place.clone(), Verdict::CannotBeChecked, format!("{label}{why}"));
        let parameter = &frame.parameters[self.parameter];
        if steps.len() < 2 {
            return unchecked(format!(": there is one value of {} only", parameter.name));
        }
        let mut values = Vec::new();
        for &step in steps {
            match study.estimate(&self.moved(&side.design_point, step), side.policy, self.measure).value {
                Some(value) => values.push(value),
                None => {
                    let at = &parameter.values[step];
                    return unchecked(format!(" has no value at {} = {at}", parameter.name));
                }
            }
        }
        let of_blocks = frame.workloads[side.design_point.workload].units == UnitKind::Blocks;
        if self.shown && of_blocks {
            let course = self.course(&values, steps, study);
            return unchecked(format!(": {course}; not tested, as {}", Reason::Blocks));
        }
        let (verdict, reason, steps) = match (1..values.len()).find(|&at| !self.goes_on(&values, at)) {
            _ if self.shown => self.tested(&values, steps, (questions, answers), study),
            Some(at) => (Verdict::DoesNotHold, self.step(&values, steps, at, study), None),
            None => (Verdict::Holds, self.course(&values, steps, study), None),
        };
        ClaimPart { steps, ..ClaimPart::new(place, verdict, format!("{label}: {reason}")) }
    }

    /// Returns a design point with another value of the parameter.
    fn moved(&self, design_point: &DesignPoint, step: usize) -> DesignPoint {
        let mut moved = design_point.clone();
        moved.point[self.parameter] = step;
        moved
    }

    /// Whether the value at a step may follow the one before.
    fn goes_on(&self, values: &[f64], at: usize) -> bool {
        let [before, after] = [values[at - 1], values[at]];
        let step = if self.falls { before - after } else { after - before };
        step > 0.0 || (step == 0.0 && !self.strict)
    }

    /// Returns one step in words.
    fn step(&self, values: &[f64], steps: &[usize], at: usize, study: &Study<'_>) -> String {
        let (frame, numbers) = (study.frame(), figures(values));
        let (parameter, unit) = (&frame.parameters[self.parameter], unit(frame.measures[self.measure].unit));
        let [before, after] = [at - 1, at].map(|at| &parameter.values[steps[at]]);
        let (from, to) = (&numbers[at - 1], &numbers[at]);
        format!("{from}{unit} at {} = {before}, {to}{unit} at {after}", parameter.name)
    }

    /// Returns all values in words.
    fn course(&self, values: &[f64], steps: &[usize], study: &Study<'_>) -> String {
        let (frame, numbers) = (study.frame(), figures(values).join(", "));
        let (parameter, unit) = (&frame.parameters[self.parameter], unit(frame.measures[self.measure].unit));
        let [first, last] = [0, steps.len() - 1].map(|at| &parameter.values[steps[at]]);
        format!("{numbers}{unit} from {} = {first} to {last}", parameter.name)
    }

    /// Judges steps that have to be shown: a step that is shown to go the other way contradicts the trend. A trend that is
    /// not strict has nothing to show where both values are the same in every unit.
    fn tested(
        &self,
        values: &[f64],
        steps: &[usize],
        (questions, answers): (&[Question], &[Answer]),
        study: &Study<'_>,
    ) -> (Verdict, String, Option<Steps>) {
        let frame = study.frame();
        let (direction, word) = if self.falls { (Ordering::Less, "down") } else { (Ordering::Greater, "up") };
        let parameter = &frame.parameters[self.parameter];
        let test = |at: usize| {
            let [before, after] = [at, at + 1].map(|at| &parameter.values[steps[at]]);
            Step {
                name: format!("{} = {before} to {after}", parameter.name),
                is_as_claimed: self.goes_on(values, at + 1),
                answer: &answers[at],
            }
        };
        let moving = |at: &usize| self.strict || !is_same(&questions[*at], study);
        let tests: Vec<Step<'_>> = (0..answers.len()).filter(moving).map(test).collect();
        let counts = Steps::count(&tests, word, direction, frame.level);
        let against = (0..answers.len()).find(|&at| test(at).shows(direction.reverse(), frame.level));
        let course = self.course(values, steps, study);
        let (verdict, reason) = match against {
            Some(at) => {
                let step = self.step(values, steps, at + 1, study);
                (Verdict::DoesNotHold, format!("{step}: shown ({})", test(at).p()))
            }
            None if tests.is_empty() => (Verdict::Holds, course),
            None => {
                let told = counts.words(&tests, direction, frame.level);
                (counts.verdict(true), format!("{course}; {told}"))
            }
        };
        (verdict, reason, Some(counts))
    }
}
