//! A whole search: generations of candidates until the budget is spent, then the choice among the best.

use std::collections::HashSet;
use std::time::Duration;

use super::budget::Budget;
use super::candidate::{Candidate, CandidateScores, difference, measured};
use super::evaluator::{Evaluation, Evaluator};
use super::goal::{Goal, Objective};
use super::race::{Race, dominates, rank, smaller};
use super::search::{SearchKind, search};
use super::space::{Genome, SearchSpace};
use super::split::UnitRole;

/// What is searched, and how.
pub struct Tuning<'a> {
    pub evaluator: &'a Evaluator,
    pub space: &'a SearchSpace,
    pub goal: &'a Goal,
    /// The spec of candidates, with names of the space in braces.
    pub spec: &'a str,
    pub search: SearchKind,
    pub budget: Budget,
    /// The number of searches that run apart, each with its share of the budget, before the best of all are chosen from.
    pub islands: usize,
    pub seed: u64,
    /// The level at which constraints are shown to be kept, such as .95.
    pub level: f64,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct SearchProgress<'a> {
    pub candidates: usize,
    pub replays: usize,
    /// The best so far of those that were measured on all units for fitting.
    pub best: Option<&'a Candidate>,
    /// The replays since the last report.
    pub evaluations: &'a [Evaluation],
}

/// The result of a search, before it is judged.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Those that were measured on units for choosing, the chosen one first, the others by their order in fitting.
    pub finalists: Vec<Candidate>,
    /// How many of the first finalists are the result: one; with several objectives a front.
    pub chosen: usize,
    /// The spec from which the chosen one was simplified.
    pub before: Option<String>,
    /// Of one objective the front over sizes: each is better in fitting than all smaller candidates. The largest first.
    pub sizes: Vec<Candidate>,
    /// After each generation: candidates, replays, and the best one's ratio to the baseline in the first objective.
    pub history: Vec<(usize, usize, f64)>,
    pub candidates: usize,
    pub replays: usize,
    /// Whether an island ended because it proposed nothing new.
    pub is_exhausted: bool,
}

/// The number of candidates that go on from fitting to choosing.
const FINALISTS: usize = 16;

/// The candidates that are remembered as the best.
const KEPT: usize = 64;

/// The mean distance of units' numbers, as a share of the baseline, below which two candidates order jobs alike.
const NEAR: f64 = 0.01;

/// Generations without anything new after which a space counts as exhausted.
const STALE: usize = 50;

/// The most members of a front that are judged.
const FRONT: usize = 8;

/// The most that one step may cost in the objective, where its standard error allows it: half a per cent of the baseline.
const COST: f64 = 0.005;

/// The most simpler candidates that are tried at a step.
const TRIED: usize = 24;

impl Tuning<'_> {
    /// Searches until the budget is spent. `elapsed` returns the time since the beginning; `progress` hears of each generation and
    /// may end the search with an error. Returns nothing after an interruption.
    ///
    /// # Errors
    /// Those of `progress`.
    pub fn run<E>(
        &self,
        elapsed: &dyn Fn() -> Duration,
        progress: &mut dyn FnMut(&SearchProgress<'_>) -> Result<(), E>,
    ) -> Result<Option<Found>, E> {
        let (mut best, mut found) = (Vec::new(), Found::default());
        for island in 1..=self.islands {
            if !self.search(island, (&mut best, &mut found), elapsed, progress)? {
                return Ok(None);
            }
        }
        let (candidates, replays) = (found.candidates, found.replays);
        let mut tell = |evaluations: &[Evaluation]| {
            progress(&SearchProgress { candidates, replays, best: best.first(), evaluations })
        };
        let chosen = self.choose(best.clone(), found, &mut tell)?;
        Ok(chosen.filter(|_| !self.evaluator.interrupt.is_requested()))
    }

    /// Searches one island, from 1 on, so that [`Tuning::run`] finds its replays in memory. Returns whether it came to its end.
    ///
    /// # Errors
    /// Those of `progress`.
    pub fn run_island<E>(
        &self,
        island: usize,
        elapsed: &dyn Fn() -> Duration,
        progress: &mut dyn FnMut(&SearchProgress<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.search(island, (&mut Vec::new(), &mut Found::default()), elapsed, progress)
    }

    /// Searches an island, whose candidates do not depend on those of other islands, and adds its best to the best of all.
    fn search<E>(
        &self,
        island: usize,
        (best_of_all, found): (&mut Vec<Candidate>, &mut Found),
        elapsed: &dyn Fn() -> Duration,
        progress: &mut dyn FnMut(&SearchProgress<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let race = Race::new(self.evaluator, self.goal, self.seed);
        let mut search = search(self.search, self.space, self.seed, island);
        let budget = self.budget.share(island, self.islands);
        let (mut seen, mut best): (_, Vec<Candidate>) = (HashSet::new(), Vec::new());
        let (mut proposed, mut stale) = (0, 0);
        while !budget.is_spent(proposed, found.replays, elapsed()) && !self.evaluator.interrupt.is_requested()
        {
            let asked = search.ask();
            let mut new: Vec<Candidate> = asked
                .into_iter()
                .map(|genome| self.candidate(genome))
                .filter(|candidate| seen.insert(candidate.spec.clone()))
                .collect();
            if let Budget::Candidates(most) = budget {
                new.truncate(most - proposed);
            }
            stale = if new.is_empty() { stale + 1 } else { 0 };
            if stale == STALE {
                found.is_exhausted = true;
                break;
            }
            proposed += new.len();
            found.candidates += new.len();
            let Some((ranked, full, evaluations)) = race.run(new) else { return Ok(false) };
            found.replays = self.evaluator.asked();
            best.extend(ranked[..full].iter().cloned());
            self.keep(&mut best);
            let genomes =
                |of: &[Candidate]| -> Vec<Genome> { of.iter().map(|one| one.genome.clone()).collect() };
            let (generation, kept) = (genomes(&ranked), genomes(&best));
            search.tell(&generation.iter().collect::<Vec<_>>(), &kept.iter().collect::<Vec<_>>());
            let mut firsts: Vec<Candidate> =
                best_of_all.first().into_iter().chain(best.first()).cloned().collect();
            rank(&mut firsts);
            let (candidates, replays) = (found.candidates, found.replays);
            if let Some(ratio) = firsts.first().and_then(|best| self.ratio(&best.fit, 0)) {
                found.history.push((candidates, replays, ratio));
            }
            progress(&SearchProgress {
                candidates,
                replays,
                best: firsts.first(),
                evaluations: &evaluations,
            })?;
        }
        best_of_all.append(&mut best);
        self.keep(best_of_all);
        Ok(!self.evaluator.interrupt.is_requested())
    }

    /// Puts candidates in order and keeps the best, beside the front over sizes. What is near a better candidate on the units that
    /// fit, and no smaller, is left out: a search would end with many forms of one formula, and nothing to choose from.
    /// O(candidates² units).
    fn keep(&self, best: &mut Vec<Candidate>) {
        rank(best);
        let units = self.evaluator.units(UnitRole::Fit);
        let (mut kept, mut least): (Vec<Vec<Option<f64>>>, _) = (Vec::new(), usize::MAX);
        best.retain(|candidate| {
            let numbers = |objective: &Objective| {
                self.evaluator.numbers(&candidate.spec, &units, &|compared| objective.number(compared))
            };
            let numbers: Vec<Option<f64>> = self.goal.objectives.iter().flat_map(numbers).collect();
            let is_smaller = candidate.size < least;
            least = least.min(candidate.size);
            let stays = is_smaller || kept.len() < KEPT && !kept.iter().any(|known| is_near(known, &numbers));
            if stays {
                kept.push(numbers);
            }
            stays
        });
    }

    fn candidate(&self, genome: Genome) -> Candidate {
        let size = self.space.size(&genome);
        Candidate::new(self.space.spec(self.spec, &genome), genome, size)
    }

    /// Returns the ratio to the baseline in an objective: below 1 is better.
    pub fn ratio(&self, measured: &CandidateScores, objective: usize) -> Option<f64> {
        let score = (*measured.objectives.get(objective)?)?;
        Some(self.goal.objectives[objective].ratio(score.mean)).filter(|ratio| ratio.is_finite())
    }

    /// Returns what was measured of a policy of the experiment on the units of a part.
    pub fn of_policy(&self, policy: usize, part: UnitRole) -> CandidateScores {
        let spec = &self.evaluator.plan.experiment.policies[policy].spec;
        measured(self.evaluator, self.goal, spec, &self.evaluator.units(part))
    }

    /// Measures the best on the units for choosing, and puts the chosen one first: the smallest of those that are within a
    /// standard error of the best there (Breiman et al., 1984, for trees), simplified as far as that costs nothing.
    fn choose<E>(
        &self,
        mut best: Vec<Candidate>,
        mut found: Found,
        tell: &mut dyn FnMut(&[Evaluation]) -> Result<(), E>,
    ) -> Result<Option<Found>, E> {
        if self.goal.objectives.len() > 1 {
            let front = best.iter().filter(|one| !best.iter().any(|other| dominates(&other.fit, &one.fit)));
            best = front.cloned().collect();
        }
        let units = self.evaluator.units(UnitRole::Choose);
        if self.goal.objectives.len() == 1 {
            let mut sizes = smaller(&best);
            self.measure(&mut sizes, &units, &mut found.replays, tell)?;
            found.sizes = sizes;
        }
        best.truncate(FINALISTS);
        self.measure(&mut best, &units, &mut found.replays, tell)?;
        let mut kept: Vec<Candidate> =
            best.iter().filter(|candidate| self.keeps(candidate)).cloned().collect();
        let is_kept = |candidate: &Candidate| kept.iter().any(|one| one.spec == candidate.spec);
        let broken: Vec<Candidate> = best.into_iter().filter(|candidate| !is_kept(candidate)).collect();
        if let [objective] = &self.goal.objectives[..] {
            if let Some(at) = self.smallest(&kept, objective, &units) {
                let chosen = kept.remove(at);
                let simpler = self.simplified(&chosen, objective, &mut found.replays, tell)?;
                if simpler.spec != chosen.spec {
                    found.before = Some(chosen.spec.clone());
                    kept.insert(0, chosen);
                }
                kept.retain(|candidate| candidate.spec != simpler.spec);
                kept.insert(0, simpler);
                found.chosen = 1;
            }
        } else {
            let front = |one: &Candidate| !kept.iter().any(|other| dominates(&other.choice, &one.choice));
            let places: Vec<bool> = kept.iter().map(front).collect();
            let mut places = places.into_iter();
            let (front, others): (Vec<_>, Vec<_>) =
                kept.into_iter().partition(|_| places.next().unwrap_or(false));
            found.chosen = front.len().min(FRONT);
            kept = front.into_iter().chain(others).collect();
        }
        found.finalists = kept.into_iter().chain(broken).collect();
        Ok(Some(found))
    }

    /// Replays candidates on units, and notes what was measured on those for choosing.
    fn measure<E>(
        &self,
        candidates: &mut [Candidate],
        units: &[usize],
        replays: &mut usize,
        tell: &mut dyn FnMut(&[Evaluation]) -> Result<(), E>,
    ) -> Result<(), E> {
        let asked: Vec<(&str, usize)> = candidates
            .iter()
            .flat_map(|candidate| units.iter().map(|&unit| (candidate.spec.as_str(), unit)))
            .collect();
        let evaluations = self.evaluator.replay(&asked);
        *replays = self.evaluator.asked();
        tell(&evaluations)?;
        let parts = [UnitRole::Fit, UnitRole::Choose].map(|part| self.evaluator.units(part));
        for candidate in candidates {
            candidate.fit = measured(self.evaluator, self.goal, &candidate.spec, &parts[0]);
            candidate.choice = measured(self.evaluator, self.goal, &candidate.spec, &parts[1]);
        }
        Ok(())
    }

    /// Whether a candidate keeps the constraints: on the units for choosing, and on all units as shown at the level.
    fn keeps(&self, candidate: &Candidate) -> bool {
        let units = [UnitRole::Fit, UnitRole::Choose].map(|part| self.evaluator.units(part)).concat();
        let all = measured(self.evaluator, self.goal, &candidate.spec, &units);
        candidate.choice.broken() == 0.0 && all.is_shown_to_keep(self.level)
    }

    fn smallest(&self, kept: &[Candidate], objective: &Objective, units: &[usize]) -> Option<usize> {
        let mean =
            |candidate: &Candidate| candidate.choice.objectives[0].map_or(f64::INFINITY, |score| score.mean);
        let least = (0..kept.len()).min_by(|&a, &b| mean(&kept[a]).total_cmp(&mean(&kept[b])))?;
        let numbers =
            |at: usize| self.evaluator.numbers(&kept[at].spec, units, &|compared| objective.number(compared));
        let best = numbers(least);
        let is_near = |&at: &usize| {
            let score = self.evaluator.score(units, &difference(&numbers(at), &best));
            at == least || score.is_some_and(|score| score.error.is_some_and(|error| score.mean <= error))
        };
        let near = (0..kept.len()).filter(is_near);
        near.min_by(|&a, &b| kept[a].size.cmp(&kept[b].size).then(mean(&kept[a]).total_cmp(&mean(&kept[b]))))
    }

    /// Returns a candidate without the terms whose removal is within noise: as long as there is a candidate with a part less that is
    /// worse by less than the standard error of the paired difference, and by less than [`COST`], on all units of the search.
    fn simplified<E>(
        &self,
        chosen: &Candidate,
        objective: &Objective,
        replays: &mut usize,
        tell: &mut dyn FnMut(&[Evaluation]) -> Result<(), E>,
    ) -> Result<Candidate, E> {
        let evaluator = self.evaluator;
        let units = [UnitRole::Fit, UnitRole::Choose].map(|part| evaluator.units(part)).concat();
        let numbers = |candidate: &Candidate| {
            evaluator.numbers(&candidate.spec, &units, &|compared| objective.number(compared))
        };
        let mut current = chosen.clone();
        loop {
            let mut simpler: Vec<Candidate> = Vec::new();
            for genome in self.space.simpler(&current.genome) {
                let size = self.space.size(&genome);
                let candidate = Candidate::new(self.space.spec(self.spec, &genome), genome, size);
                let is_new = simpler.iter().all(|known| known.spec != candidate.spec);
                if is_new && size < current.size && simpler.len() < TRIED {
                    simpler.push(candidate);
                }
            }
            self.measure(&mut simpler, &units, replays, tell)?;
            if evaluator.interrupt.is_requested() {
                return Ok(current);
            }
            let now = numbers(&current);
            let costs = simpler.into_iter().filter_map(|candidate| {
                let score = evaluator.score(&units, &difference(&numbers(&candidate), &now))?;
                let is_cheap = score.mean <= COST
                    && (score.mean <= 0.0 || score.error.is_some_and(|error| score.mean <= error));
                (is_cheap && self.keeps(&candidate)).then_some((score.mean, candidate))
            });
            match costs.min_by(|a, b| a.1.size.cmp(&b.1.size).then(a.0.total_cmp(&b.0))) {
                Some((_, candidate)) => current = candidate,
                None => return Ok(current),
            }
        }
    }
}

/// Whether the mean of the absolute differences of units' numbers is below [`NEAR`].
fn is_near(one: &[Option<f64>], other: &[Option<f64>]) -> bool {
    let differences = difference(one, other);
    let known: Vec<f64> = differences.into_iter().flatten().map(f64::abs).collect();
    known.iter().sum::<f64>() < NEAR * known.len() as f64
}
