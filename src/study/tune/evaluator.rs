//! The units of a search, loaded once, and what is known of replays on them.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use batchlab_engine::Inventory;
use batchlab_engine::metrics::Measurement;
use batchlab_engine::replay::comparison::ComparisonError;
use batchlab_engine::replay::engine::Interrupt;
use batchlab_support::spec::Chosen;
use batchlab_traces::sorted::SortedMap;
use rayon::prelude::*;

use super::goal::Compared;
use super::score::UnitScore;
use super::split::{Split, UnitRole};
use crate::experiment::execute::{Ready, ready};
use crate::experiment::{ExperimentPlan, Loader};

/// The units on which candidates are fitted and chosen.
pub struct Evaluator {
    pub plan: ExperimentPlan,
    registry: Inventory,
    units: Vec<Unit>,
    /// The values of the experiment's policies: for each policy, for each unit.
    anchors: Vec<Vec<Vec<Option<f64>>>>,
    /// For each group, policy and measure the mean over its units.
    means: Vec<Vec<Vec<Option<f64>>>>,
    known: Mutex<Known>,
    pub interrupt: Interrupt,
}

struct Unit {
    /// The workload at a point of the sweep to which it belongs.
    group: usize,
    part: UnitRole,
    batch: usize,
    ready: Ready,
}

/// One replay of a candidate: its values, none if it failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    pub spec: String,
    pub unit: usize,
    pub values: Option<Vec<Option<f64>>>,
}

#[derive(Default)]
struct Known {
    values: HashMap<(String, usize), Option<Vec<Option<f64>>>>,
    /// Those that this search has asked for, of an earlier run or not.
    asked: HashSet<(String, usize)>,
    /// The first error of a candidate that could not be replayed.
    failure: Option<String>,
}

impl Evaluator {
    /// Loads the units that are not kept for judging, and replays the experiment's policies on them. Workloads named in
    /// `judged` only judge. Memory: all these units.
    pub fn load<L: Loader>(
        plan: ExperimentPlan,
        registry: Inventory,
        loader: &L,
        (split, judged): (Split, &[String]),
        interrupt: Interrupt,
    ) -> Result<Evaluator, L::Error>
    where
        L::Error: From<ComparisonError>,
    {
        let mut groups: SortedMap<(usize, Vec<usize>), Vec<usize>> = SortedMap::new();
        for entry in &plan.entries {
            let batch = plan.tasks[entry.task].batch;
            let units = groups.entry((entry.workload, entry.point.clone())).or_default();
            if !units.contains(&batch) {
                units.push(batch);
            }
        }
        let is_fitted = |workload: usize| !judged.contains(&plan.workloads[workload].name);
        let fitted = groups.into_iter().filter(|((workload, _), _)| is_fitted(*workload));
        let parts: Vec<(usize, UnitRole, usize)> = fitted
            .enumerate()
            .flat_map(|(group, (_, batches))| {
                let parts = split.roles(batches.len());
                batches.into_iter().zip(parts).map(move |(batch, part)| (group, part, batch))
            })
            .filter(|(_, part, _)| *part != UnitRole::Judge)
            .collect();
        let load = |&(group, part, batch): &(usize, UnitRole, usize)| {
            Ok(Unit { group, part, batch, ready: ready(&plan, &registry, loader, batch)? })
        };
        let units = parts.par_iter().map(load).collect::<Result<Vec<Unit>, L::Error>>()?;
        let mut evaluator = Evaluator {
            plan,
            registry,
            units,
            anchors: Vec::new(),
            means: Vec::new(),
            known: Mutex::default(),
            interrupt,
        };
        evaluator.anchors = evaluator.replay_anchors()?;
        evaluator.means = evaluator.group_means();
        Ok(evaluator)
    }

    fn replay_anchors<E: From<ComparisonError> + Send>(&self) -> Result<Vec<Vec<Vec<Option<f64>>>>, E> {
        let tasks: HashMap<(usize, usize), &Chosen> = self
            .plan
            .entries
            .iter()
            .map(|entry| (entry.policy, &self.plan.tasks[entry.task]))
            .map(|(policy, task)| ((policy, task.batch), &*task.policy))
            .collect();
        let values = |policy: usize| {
            // A policy may be absent on a workload.
            let on = |unit: &Unit| match tasks.get(&(policy, unit.batch)) {
                Some(chosen) => Ok(unit.ready.values(&self.plan, self.registry.policies(), chosen)?),
                None => Ok(Vec::new()),
            };
            self.units.par_iter().map(on).collect()
        };
        (0..self.plan.experiment.policies.len()).map(values).collect()
    }

    fn group_means(&self) -> Vec<Vec<Vec<Option<f64>>>> {
        let groups = self.units.iter().map(|unit| unit.group + 1).max().unwrap_or(0);
        let mean = |group: usize, policy: usize, measure: usize| {
            let of_group = self.units.iter().enumerate().filter(|(_, unit)| unit.group == group);
            let values: Vec<f64> = of_group
                .filter_map(|(at, _)| self.anchors[policy][at].get(measure).copied().flatten())
                .collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let measures = self.plan.measures.len();
        let of_policy = |group, policy| (0..measures).map(|measure| mean(group, policy, measure)).collect();
        (0..groups)
            .map(|group| (0..self.anchors.len()).map(|policy| of_policy(group, policy)).collect())
            .collect()
    }

    /// Returns the units of a part, by position.
    pub fn units(&self, part: UnitRole) -> Vec<usize> {
        (0..self.units.len()).filter(|&unit| self.units[unit].part == part).collect()
    }

    /// Returns units with those of groups in turn, so that each beginning has some of each group.
    pub(super) fn in_turn(&self, units: &[usize]) -> Vec<usize> {
        let mut seen = vec![0usize; self.means.len()];
        let mut keyed: Vec<(usize, usize, usize)> = Vec::new();
        for &unit in units {
            let group = self.units[unit].group;
            keyed.push((seen[group], group, unit));
            seen[group] += 1;
        }
        keyed.sort_unstable();
        keyed.into_iter().map(|(.., unit)| unit).collect()
    }

    /// Takes replays of an earlier run, which need no repetition.
    pub fn remember(&self, evaluations: impl IntoIterator<Item = Evaluation>) {
        let mut known = self.known();
        for Evaluation { spec, unit, values } in evaluations {
            known.values.insert((spec, unit), values);
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many replays this search has asked for, each counted once: the same number if it was interrupted.
    pub fn asked(&self) -> usize {
        self.known().asked.len()
    }

    /// Replays specs on units, on all threads; what is known already is not replayed again. Returns the new replays, in the order
    /// of what was asked; none after an interruption.
    pub(super) fn replay(&self, asked: &[(&str, usize)]) -> Vec<Evaluation> {
        let new: Vec<(&str, usize)> = {
            let mut known = self.known();
            known.asked.extend(asked.iter().map(|(spec, unit)| ((*spec).to_owned(), *unit)));
            let is_new =
                |(spec, unit): &&(&str, usize)| !known.values.contains_key(&((*spec).to_owned(), *unit));
            asked.iter().filter(is_new).copied().collect()
        };
        let chosen: HashMap<&str, Result<Chosen, String>> = new
            .iter()
            .map(|(spec, _)| (*spec, self.registry.choose(spec).map_err(|error| error.to_string())))
            .collect();
        let replayed = |&(spec, unit): &(&str, usize)| {
            if self.interrupt.is_requested() {
                return None;
            }
            let values = match &chosen[spec] {
                Ok(chosen) => {
                    let ready = &self.units[unit].ready;
                    ready
                        .values(&self.plan, self.registry.policies(), chosen)
                        .map_err(|error| error.to_string())
                }
                Err(error) => Err(error.clone()),
            };
            Some((
                Evaluation { spec: spec.to_owned(), unit, values: values.as_ref().ok().cloned() },
                values.err(),
            ))
        };
        let replayed: Vec<_> = new.par_iter().map(replayed).collect();
        if self.interrupt.is_requested() {
            // A replay that the interruption ended has failed for no fault of its own.
            return Vec::new();
        }
        let mut known = self.known();
        let mut evaluations = Vec::new();
        for (evaluation, failure) in replayed.into_iter().flatten() {
            if known.failure.is_none() {
                known.failure = failure.map(|failure| format!("{}: {failure}", evaluation.spec));
            }
            known.values.insert((evaluation.spec.clone(), evaluation.unit), evaluation.values.clone());
            evaluations.push(evaluation);
        }
        evaluations
    }

    /// Returns why a spec could not be replayed, if so.
    pub(super) fn failure_of(&self, spec: &str) -> Option<String> {
        let known = self.known();
        let has_failed = known.values.iter().any(|((of, _), values)| of == spec && values.is_none());
        has_failed.then(|| known.failure.clone()).flatten()
    }

    /// Returns why a candidate could not be replayed, of the first that could not.
    pub fn failure(&self) -> Option<String> {
        self.known().failure.clone()
    }

    /// Returns the number that a function makes of a spec's values on each of some units; of units without a replay and of failed
    /// replays it is infinite.
    pub(super) fn numbers(
        &self,
        spec: &str,
        units: &[usize],
        number: &dyn Fn(&Compared<'_>) -> Option<f64>,
    ) -> Vec<Option<f64>> {
        let baseline = self.plan.experiment.baseline.unwrap_or(0);
        let known = self.known();
        let none = Vec::new();
        let of_unit = |&unit: &usize| {
            let group = self.units[unit].group;
            let values = known.values.get(&(spec.to_owned(), unit)).and_then(Option::as_ref);
            let values = values.or_else(|| self.anchor(spec, unit));
            let policies = self.anchors.iter().map(|policy| &*policy[unit]).collect();
            let values_here = values.unwrap_or(&none);
            let compared = Compared { values: values_here, policies, means: &self.means[group], baseline };
            if values.is_some() { number(&compared) } else { Some(f64::INFINITY) }
        };
        units.iter().map(of_unit).collect()
    }

    /// Pools the numbers of units; `None` if none has a number.
    pub(super) fn score(&self, units: &[usize], numbers: &[Option<f64>]) -> Option<UnitScore> {
        let grouped =
            units.iter().zip(numbers).map(|(&unit, number)| Some((self.units[unit].group, (*number)?)));
        UnitScore::of(grouped.flatten())
    }

    fn anchor(&self, spec: &str, unit: usize) -> Option<&Vec<Option<f64>>> {
        let at = self.plan.experiment.policies.iter().position(|policy| policy.spec == spec)?;
        self.anchors[at].get(unit).filter(|values| !values.is_empty())
    }

    /// Replays a spec on a unit and hands on what is measured of it.
    pub(super) fn look<T>(
        &self,
        spec: &str,
        unit: usize,
        of: impl FnOnce(&Measurement<'_>) -> T,
    ) -> Result<T, String> {
        let chosen = self.registry.choose(spec).map_err(|error| error.to_string())?;
        let ready = &self.units[unit].ready;
        ready.measured(self.registry.policies(), &chosen, false, of).map_err(|error| error.to_string())
    }

    pub(super) fn machine(&self, unit: usize) -> &batchlab_traces::Machine {
        &self.units[unit].ready.scenario().machine
    }
}
