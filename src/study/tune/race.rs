//! Races: the candidates of a generation meet the same units, a few at first, and the worse half leaves at each rung (successive
//! halving; Jamieson and Talwalkar, AISTATS 2016). Beside it one leaves whose paired difference to the first is shown.

use std::cmp::Ordering;

use batchlab_traces::seed::{stream, unit};

use super::candidate::{Candidate, CandidateScores, difference, measured};
use super::evaluator::{Evaluation, Evaluator};
use super::goal::Goal;
use super::split::UnitRole;

pub(super) struct Race<'a> {
    evaluator: &'a Evaluator,
    goal: &'a Goal,
    /// The units of each rung, each with those of the rung before.
    rungs: Vec<Vec<usize>>,
}

/// The units of the first rung at least.
const FIRST: usize = 4;

/// The level at which a candidate is worse than the first: 1 in 100 that are equal to it leaves too early.
const LEAVES: f64 = 0.99;

impl<'a> Race<'a> {
    pub(super) fn new(evaluator: &'a Evaluator, goal: &'a Goal, seed: u64) -> Race<'a> {
        let mut units = evaluator.units(UnitRole::Fit);
        let mut random = stream(seed, "race");
        let mut keyed: Vec<(f64, usize)> = units.iter().map(|&one| (unit(&mut random), one)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        units = evaluator.in_turn(&keyed.into_iter().map(|(_, unit)| unit).collect::<Vec<_>>());
        let mut sizes = vec![units.len()];
        let mut size = units.len().div_ceil(8).max(FIRST);
        while size < units.len() {
            sizes.insert(sizes.len() - 1, size);
            size *= 2;
        }
        let rungs = sizes.into_iter().map(|size| units[..size].to_vec()).collect();
        Race { evaluator, goal, rungs }
    }

    /// Returns the candidates, the best first; the number of those that were measured on all units; and the replays that were
    /// made. `None` after an interruption.
    pub(super) fn run(&self, candidates: Vec<Candidate>) -> Option<(Vec<Candidate>, usize, Vec<Evaluation>)> {
        if candidates.is_empty() {
            return Some((candidates, 0, Vec::new()));
        }
        let (mut running, mut left, mut evaluations) = (candidates, Vec::new(), Vec::new());
        for (rung, units) in self.rungs.iter().enumerate() {
            let asked: Vec<(&str, usize)> = running
                .iter()
                .flat_map(|candidate| units.iter().map(|&unit| (candidate.spec.as_str(), unit)))
                .collect();
            evaluations.extend(self.evaluator.replay(&asked));
            if self.evaluator.interrupt.is_requested() {
                return None;
            }
            for candidate in &mut running {
                candidate.fit = measured(self.evaluator, self.goal, &candidate.spec, units);
            }
            rank(&mut running);
            if rung + 1 < self.rungs.len() {
                let stay = self.staying(&running, units);
                left.splice(0..0, running.split_off(stay));
            }
        }
        let full = running.len();
        running.extend(left);
        Some((running, full, evaluations))
    }

    /// Returns how many of the candidates, which are in order, stay after a rung.
    fn staying(&self, ranked: &[Candidate], units: &[usize]) -> usize {
        let half = ranked.len().div_ceil(2);
        let [objective] = &self.goal.objectives[..] else { return half };
        let numbers = |candidate: &Candidate| {
            self.evaluator.numbers(&candidate.spec, units, &|compared| objective.number(compared))
        };
        let first = numbers(&ranked[0]);
        let is_worse = |candidate: &Candidate| {
            let differences = difference(&numbers(candidate), &first);
            self.evaluator.score(units, &differences).is_some_and(|score| score.is_above_zero(LEAVES))
        };
        ranked[1..half].iter().position(is_worse).map_or(half, |at| at + 1)
    }
}

/// Puts candidates in order by what was measured on the units that fit, the best first: those that keep the constraints before
/// others; by the objective, or with several by layers of which none is better in all of them (Deb et al., NSGA-II, 2002), the
/// least crowded first; the smaller of equals.
pub(super) fn rank(candidates: &mut Vec<Candidate>) {
    let objectives = candidates.first().map_or(1, |candidate| candidate.fit.objectives.len());
    let equal = |a: &Candidate, b: &Candidate| a.size.cmp(&b.size).then_with(|| a.spec.cmp(&b.spec));
    let kept = |a: &Candidate, b: &Candidate| a.fit.risk().total_cmp(&b.fit.risk());
    if objectives == 1 {
        let by = |a: &Candidate, b: &Candidate| a.fit.mean(0).total_cmp(&b.fit.mean(0));
        candidates.sort_by(|a, b| kept(a, b).then_with(|| by(a, b)).then_with(|| equal(a, b)));
        return;
    }
    candidates.sort_by(|a, b| kept(a, b).then_with(|| equal(a, b)));
    let mut rest = std::mem::take(candidates);
    while !rest.is_empty() {
        let is_dominated = |one: &Candidate| rest.iter().any(|other| dominates(&other.fit, &one.fit));
        let places: Vec<bool> = rest.iter().map(|one| !is_dominated(one)).collect();
        let mut places = places.iter();
        let (mut layer, others): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|_| places.next().copied().unwrap_or(true));
        let room = rooms(&layer.iter().map(|one| &one.fit).collect::<Vec<_>>(), objectives);
        let mut order: Vec<usize> = (0..layer.len()).collect();
        order.sort_by(|&a, &b| room[b].total_cmp(&room[a]));
        let mut taken: Vec<Option<Candidate>> = layer.drain(..).map(Some).collect();
        candidates.extend(order.into_iter().filter_map(|at| taken[at].take()));
        rest = others;
    }
}

/// Returns those of candidates in order, the best first, that are smaller than all better ones: the front over sizes.
pub(super) fn smaller(ranked: &[Candidate]) -> Vec<Candidate> {
    let mut least = usize::MAX;
    let is_smaller = |candidate: &&Candidate| {
        let is_smaller = candidate.size < least;
        least = least.min(candidate.size);
        is_smaller
    };
    ranked.iter().filter(is_smaller).cloned().collect()
}

/// Whether one breaks less, or as much and is nowhere worse and somewhere better.
pub(super) fn dominates(one: &CandidateScores, other: &CandidateScores) -> bool {
    match one.risk().total_cmp(&other.risk()) {
        Ordering::Less => return true,
        Ordering::Greater => return false,
        Ordering::Equal => {}
    }
    let pairs = || (0..one.objectives.len()).map(|at| (one.mean(at), other.mean(at)));
    pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
}

/// Returns how much room each of a layer has to its neighbours, summed over the objectives; infinite at their ends.
fn rooms(layer: &[&CandidateScores], objectives: usize) -> Vec<f64> {
    let mut rooms = vec![0.0; layer.len()];
    for objective in 0..objectives {
        let mut order: Vec<usize> = (0..layer.len()).collect();
        order.sort_by(|&a, &b| layer[a].mean(objective).total_cmp(&layer[b].mean(objective)));
        let value = |at: usize| layer[order[at]].mean(objective);
        let range = value(order.len() - 1) - value(0);
        for at in 0..order.len() {
            let is_end = at == 0 || at + 1 == order.len();
            rooms[order[at]] += if is_end {
                f64::INFINITY
            } else if range > 0.0 {
                (value(at + 1) - value(at - 1)) / range
            } else {
                0.0
            };
        }
    }
    rooms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::score::UnitScore;
    use crate::tune::space::SearchSpace;

    fn candidate(spec: &str, means: &[f64], broken: f64) -> Candidate {
        let score = |mean: f64| UnitScore::of([(0, mean)].into_iter());
        let fit = CandidateScores {
            objectives: means.iter().map(|&mean| score(mean)).collect(),
            constraints: vec![score(broken)],
        };
        Candidate { fit, ..Candidate::new(spec.into(), SearchSpace::of_numbers(&[]), spec.len()) }
    }

    fn order(mut candidates: Vec<Candidate>) -> Vec<String> {
        rank(&mut candidates);
        candidates.into_iter().map(|candidate| candidate.spec).collect()
    }

    #[test]
    fn those_that_keep_the_constraints_are_first_then_the_better_then_the_smaller() {
        let candidates = vec![
            candidate("breaks", &[0.1], 0.2),
            candidate("breaks-less", &[0.5], 0.1),
            candidate("long-and-good", &[0.7], -1.0),
            candidate("good", &[0.7], 0.0),
            candidate("worse", &[0.8], 0.0),
        ];
        assert_eq!(order(candidates), ["good", "long-and-good", "worse", "breaks-less", "breaks"]);
    }

    #[test]
    fn the_front_over_sizes_has_what_is_smaller_than_all_better_candidates() {
        let mut candidates = vec![
            candidate("longest", &[0.5], 0.0),
            candidate("of-six", &[0.6], 0.0),
            candidate("long-but-worse", &[0.7], 0.0),
            candidate("four", &[0.8], 0.0),
            candidate("five5", &[0.9], 0.0),
        ];
        rank(&mut candidates);
        let specs: Vec<String> = smaller(&candidates).into_iter().map(|one| one.spec).collect();
        assert_eq!(specs, ["longest", "of-six", "four"]);
    }

    #[test]
    fn of_two_objectives_the_front_is_first_and_its_ends_before_its_middle() {
        let candidates = vec![
            candidate("dominated", &[0.6, 0.6], 0.0),
            candidate("middle", &[0.5, 0.5], 0.0),
            candidate("left", &[0.1, 0.9], 0.0),
            candidate("right", &[0.9, 0.1], 0.0),
        ];
        assert_eq!(order(candidates), ["left", "right", "middle", "dominated"]);
    }
}
