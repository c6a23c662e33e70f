//! Several environments that are stepped together, on all cores.

use std::sync::Arc;

use rayon::prelude::*;

use super::observe::Scales;
use super::{Environment, EnvironmentError, EnvironmentOptions, StepResult};
use batchlab_engine::replay::Scenario;

/// N environments of one scenario. Each has its own stream of episodes, so results do not depend on the number of threads.
///
/// An environment whose episode is over begins the next one at its next step, whose action is ignored and whose reward
/// is 0 (Gymnasium's `AutoresetMode.NEXT_STEP`).
pub struct VectorEnvironment {
    environments: Vec<Environment>,
    observations: Vec<f32>,
    masks: Vec<bool>,
    steps: Vec<StepResult>,
    /// Values of an observation.
    size: usize,
}

impl VectorEnvironment {
    /// Returns `count` environments; the i-th of them is reset with the scenario's seed + i.
    ///
    /// # Errors
    /// As [`Environment::new`], and without any environment.
    pub fn new(
        scenario: &Scenario,
        options: &EnvironmentOptions,
        count: usize,
    ) -> Result<VectorEnvironment, EnvironmentError> {
        if count == 0 {
            return Err(EnvironmentError::Option("a vector has at least one environment".into()));
        }
        let scales = Arc::new(Scales::new(&scenario.workload, &scenario.machine));
        let environment = |_| Environment::with_scales(scenario, options.clone(), scales.clone());
        let environments: Vec<Environment> = (0..count).map(environment).collect::<Result<_, _>>()?;
        let size = environments[0].shape().size();
        let mut vector = VectorEnvironment {
            observations: vec![0.0; size * count],
            masks: vec![false; environments[0].actions() * count],
            steps: vec![StepResult::default(); count],
            size,
            environments,
        };
        vector.reset(Some(scenario.seed))?;
        Ok(vector)
    }

    /// Resets all environments, the i-th with the seed + i; without a seed, each goes on with its own stream.
    pub fn reset(&mut self, seed: Option<u64>) -> Result<(), EnvironmentError> {
        self.each(|at, environment| {
            environment.reset(seed.map(|seed| seed.wrapping_add(at as u64)))?;
            Ok(StepResult::default())
        })
    }

    /// Takes an action in each environment.
    ///
    /// # Errors
    /// When there is not one action for each environment, and as [`Environment::step`].
    pub fn step(&mut self, actions: &[usize]) -> Result<&[StepResult], EnvironmentError> {
        if actions.len() != self.environments.len() {
            let (given, needed) = (actions.len(), self.environments.len());
            let text = format!("{given} actions for {needed} environments; give one for each");
            return Err(EnvironmentError::Option(text));
        }
        self.each(|at, environment| {
            if environment.outcome().is_some() {
                environment.reset(None)?;
                return Ok(StepResult::default());
            }
            environment.step(actions[at])
        })?;
        Ok(&self.steps)
    }

    /// Does something in each environment, and looks at the result.
    fn each(
        &mut self,
        act: impl Fn(usize, &mut Environment) -> Result<StepResult, EnvironmentError> + Sync,
    ) -> Result<(), EnvironmentError> {
        let actions = self.environments[0].actions();
        let seen = self.observations.par_chunks_exact_mut(self.size);
        let masks = self.masks.par_chunks_exact_mut(actions);
        let environments = self.environments.par_iter_mut().zip(&mut self.steps).zip(seen.zip(masks));
        let stepped = environments.enumerate().map(|(at, ((environment, step), (seen, mask)))| {
            *step = act(at, environment)?;
            environment.observe(seen);
            mask.copy_from_slice(environment.mask());
            Ok(())
        });
        // Of several errors, the one of the first environment counts, whatever the threads do.
        let done: Vec<Result<(), EnvironmentError>> = stepped.collect();
        done.into_iter().collect()
    }

    pub fn environments(&self) -> &[Environment] {
        &self.environments
    }

    /// Returns the observations, one after the other.
    pub fn observations(&self) -> &[f32] {
        &self.observations
    }

    /// Exchanges the observations for a slice of as many values, which the next step overwrites: a caller who keeps
    /// observations need not copy them.
    ///
    /// # Panics
    /// When the length is another.
    pub fn swap_observations(&mut self, with: &mut Vec<f32>) {
        assert_eq!(with.len(), self.observations.len(), "as many values as the observations have");
        std::mem::swap(&mut self.observations, with);
    }

    /// Returns the masks of valid actions, one after the other.
    pub fn masks(&self) -> &[bool] {
        &self.masks
    }

    pub fn steps(&self) -> &[StepResult] {
        &self.steps
    }
}
