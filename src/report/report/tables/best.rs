//! The best policies of a table, and whether tests show that they are best.
//!
//! The best policy is compared with the second: bold marks the best printed value, and a sign says if it is not shown to be
//! the best. The two are known only after looking, so that the test is adjusted for all pairs of the table's policies.

use super::filled::Filled;
use super::layout::CellSubject;
use batchlab_engine::stats::TestKind;
use batchlab_engine::table::{Better, Mark};
use batchlab_study::experiment::DesignPoint;
use batchlab_study::study::{Answer, ContrastResult, Pool, Question, Study, best_in_a_typical_unit, pairs};
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::{SortedMap, SortedSet};

/// The best policies of a table.
#[derive(Debug, Default)]
pub struct Bests {
    /// Marks of cells, each with the positions of its footnotes in `footnotes`.
    pub marks: SortedMap<(usize, usize), Mark>,
    pub footnotes: Vec<String>,
    pub notes: Vec<String>,
}

/// The best policies at one design point by one measure.
struct BestOf {
    design_point: DesignPoint,
    measure: usize,
    /// All policies with the best value.
    winners: SortedSet<usize>,
    /// The first two policies by value, at least one of which is a winner.
    first_two: [usize; 2],
    /// The number of pairs of policies with a value: how many could have been the first two.
    pairs: usize,
    /// The best policy in a typical unit, if it is another one.
    typical: Option<usize>,
}

/// The comparisons of best values with the second ones.
struct Compared {
    best: Vec<BestOf>,
    /// The verdict on each best value against the second, with the kind of its test.
    verdicts: Vec<(ContrastResult, Option<TestKind>)>,
    /// How many pairs of policies tests are adjusted for, in each family that has a test.
    pairs: SortedSet<usize>,
}

/// Finds the best policies; none if fewer than two compete or no direction is good. O(cells · policies).
pub fn bests(filled: &Filled<'_>, study: &Study<'_>) -> Bests {
    let Compared { best: found, verdicts, pairs } = compared(filled, study);
    let untested =
        |(verdict, _): &(ContrastResult, Option<TestKind>)| matches!(verdict, ContrastResult::NoTest(_));
    let mut bests = Bests::default();
    let all_untested = verdicts.iter().all(untested);
    if let (true, Some((ContrastResult::NoTest(reason), _))) = (all_untested, verdicts.first()) {
        bests.notes.push(format!(
            "bold: the best value; whether it is better than the second is not tested: {reason}"
        ));
    } else if !found.is_empty() {
        bests.notes.push(format!("bold: the best value{}", adjustment(&pairs)));
    }
    for (best_of, (verdict, test)) in found.iter().zip(&verdicts) {
        let tested = format!("({} at {} %)", test.map_or("", TestKind::words), percent(study.frame().level));
        let footnote = match verdict {
            ContrastResult::NoTest(_) if all_untested => None,
            ContrastResult::NoTest(reason) => {
                Some(format!("best by its value only, not tested against the second: {reason}"))
            }
            ContrastResult::NoDifferenceShown => {
                Some(format!("not shown to be better than the second {tested}"))
            }
            ContrastResult::Worse => Some(format!(
                "best by its mean only: the second is shown to be better in a typical unit {tested}"
            )),
            ContrastResult::Better | ContrastResult::Differs => None,
        };
        let label = |policy: usize| &study.frame().policies[policy].label;
        let typical = best_of.typical.filter(|_| *verdict != ContrastResult::Worse);
        let typical =
            typical.map(|policy| format!("best by its mean: in a typical unit {} is", label(policy)));
        let footnotes = footnote.into_iter().chain(typical);
        let footnotes: Vec<usize> = footnotes.map(|words| position(&mut bests.footnotes, words)).collect();
        for place in filled.places(|subject| best_of.is_won_by(subject)) {
            bests.marks.insert(place, Mark { best: true, footnotes: footnotes.clone() });
        }
    }
    bests
}

/// Returns how many pairs of policies the tests of the best against the second are adjusted for; empty if there is one pair only.
fn adjustment(pairs: &SortedSet<usize>) -> String {
    let sizes: Vec<String> = pairs.iter().filter(|&&pairs| pairs > 1).map(ToString::to_string).collect();
    match sizes.join(" or ").as_str() {
        "" => String::new(),
        sizes => format!(
            "; its test against the second is adjusted by Bonferroni for all {sizes} pairs of policies"
        ),
    }
}

/// Returns the kind of each test of a best value against the second, and whether one of them is adjusted.
pub(super) fn tests_of_best(filled: &Filled<'_>, study: &Study<'_>) -> (Vec<TestKind>, bool) {
    let of = compared(filled, study);
    let is_adjusted = of.pairs.iter().any(|&pairs| pairs > 1);
    (of.verdicts.into_iter().filter_map(|(_, test)| test).collect(), is_adjusted)
}

/// Compares the best policies with the second ones.
fn compared(filled: &Filled<'_>, study: &Study<'_>) -> Compared {
    let best_of = |(design_point, measure)| best_of(filled, study, design_point, measure);
    let best: Vec<BestOf> = filled.compared_values().into_iter().filter_map(best_of).collect();
    let questions: Vec<Question> = best.iter().map(BestOf::question).collect();
    let mut verdicts = vec![(ContrastResult::NoDifferenceShown, None); questions.len()];
    let mut adjusted = SortedSet::new();
    for family in filled.families(&questions) {
        let asked: Vec<Question> = family.iter().map(|&at| questions[at].clone()).collect();
        let possible = family.iter().map(|&at| best[at].pairs).sum();
        for (&at, answer) in family.iter().zip(Answer::chosen(study, &asked, possible)) {
            adjusted.extend(answer.test.is_ok().then_some(possible));
            verdicts[at] = (answer.verdict, answer.test.ok().map(|test| test.kind));
        }
    }
    Compared { best, verdicts, pairs: adjusted }
}

pub fn percent(level: f64) -> f64 {
    (level * 1e7).round() / 1e5
}

/// Returns the position of a sentence in a list, after appending it if it is not there.
pub fn position(list: &mut Vec<String>, words: String) -> usize {
    list.iter().position(|known| *known == words).unwrap_or_else(|| {
        list.push(words);
        list.len() - 1
    })
}

fn best_of(
    filled: &Filled<'_>,
    study: &Study<'_>,
    design_point: DesignPoint,
    measure: usize,
) -> Option<BestOf> {
    let better = study.frame().measures[measure].better;
    let spec = filled.layout.spec;
    let value =
        |&policy: &usize| Some((policy, spec.pool.estimate(study, &design_point, policy, measure).value?));
    let mut values: Vec<(usize, f64)> = spec.policies.iter().filter_map(value).collect();
    match better {
        Better::Lower => values.arrange_by(|a, b| a.1.total_cmp(&b.1)),
        Better::Higher => values.arrange_by(|a, b| b.1.total_cmp(&a.1)),
        Better::Neither => return None,
    }
    let [first, second, ..] = values[..] else { return None };
    let winners: SortedSet<usize> =
        values.iter().filter(|(_, value)| *value == first.1).map(|(policy, _)| *policy).collect();
    let others: Vec<usize> = values.iter().map(|(policy, _)| *policy).collect();
    let has_one = winners.len() == 1 && spec.pool == Pool::Units;
    let typical =
        has_one.then(|| best_in_a_typical_unit(study, &design_point, first.0, &others, measure)).flatten();
    let first_two = [first.0, second.0];
    Some(BestOf { design_point, measure, winners, first_two, pairs: pairs(values.len()), typical })
}

impl BestOf {
    fn question(&self) -> Question {
        Question::of_policies(&self.design_point, self.first_two, self.measure)
    }

    fn is_won_by(&self, subject: &CellSubject) -> bool {
        subject.design_point == self.design_point
            && subject.measure == Some(self.measure)
            && self.winners.contains(&subject.policy)
    }
}
