//! One policy on one case, in isolation.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use batchlab_support::external::Fault;
use batchlab_support::policy::Aside;
use batchlab_support::spec::{BuildError, Chosen};
use batchlab_support::wrapper::{Wrapped, Wrapper};
use batchlab_support::{Policy, PolicyError, Turn};
use batchlab_traces::reading::Overrun;
use batchlab_traces::{JobId, Time};

use batchlab_engine::outcome::Outcome;
use batchlab_engine::replay::capability;
use batchlab_engine::replay::engine::{self, Run, Scenario};

/// A case, ready for a replay.
#[derive(Clone, Debug)]
pub struct Play {
    pub scenario: Scenario,
    pub overrun: Overrun,
}

/// The result of a policy on a case.
#[derive(Clone, Debug)]
pub struct Played {
    /// The schedule, or the reason why there is none.
    pub outcome: Result<Outcome, String>,
    /// The result of the policy's final call, which may fail.
    pub finish: Result<(), String>,
    pub spent: bool,
}

/// The reason why a case does not count in favour of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Miss {
    /// The case does not suit the policy, for this reason.
    Skipped(String),
    /// The policy breaks a rule.
    Broken(String),
    /// A replay of the case exceeded its budget; each further one would take as long.
    Spent(String),
}

pub type Trial = Result<(), Miss>;

impl Play {
    /// Builds the policy for the case, if the jobs have what it needs and it works in the setting.
    pub fn build(&self, chosen: &Chosen) -> Result<Box<dyn Policy>, Miss> {
        capability::check(chosen, &self.scenario).map_err(|unmet| Miss::Skipped(unmet.to_string()))?;
        if let Some(why) = self.untold(chosen) {
            return Err(Miss::Skipped(why.into()));
        }
        match contained(|| chosen.build(&self.scenario.setting(self.overrun))) {
            Err(panic) => Err(Miss::Broken(format!("it panics when it is made: {panic}"))),
            // A plug-in that declines a case gives its own reason.
            Ok(Err(BuildError::Fault { fault: Fault::GaveUp(why), .. })) => Err(Miss::Skipped(why)),
            Ok(Err(error @ BuildError::Fault { .. })) => Err(Miss::Broken(error.to_string())),
            Ok(Err(error)) => Err(Miss::Skipped(error.to_string())),
            Ok(Ok(policy)) => Ok(policy),
        }
    }

    /// Builds the policy and replays the case under it. Errors of the replay are part of the result, but for an exceeded budget.
    pub fn replay(&self, chosen: &Chosen) -> Result<Played, Miss> {
        let played = self.run(chosen, self.build(chosen)?, None);
        match played.outcome {
            Err(what) if played.spent => Err(Miss::Spent(what)),
            _ => Ok(played),
        }
    }

    /// Replays the case under a policy built for it; stops it after `most` decisions.
    pub fn run(&self, chosen: &Chosen, policy: Box<dyn Policy>, most: Option<u64>) -> Played {
        let mut watched = Wrapped(Watched { policy, left: most, finish: Ok(()) });
        let spec = chosen.canonical();
        let replay = || engine::replay(&self.scenario, &spec, chosen.needs(), &mut watched, Run::default());
        let mut spent = false;
        let outcome = match contained(replay) {
            Err(panic) => Err(format!("policy `{spec}` panics: {panic}")),
            Ok(Err(error)) => {
                spent = error.is_spent();
                Err(error.to_string())
            }
            Ok(Ok((outcome, _))) => Ok(outcome),
        };
        Played { outcome, finish: watched.0.finish, spent }
    }

    /// Returns what a case has and the protocol of Batsim cannot tell, for a scheduler of Batsim. O(jobs).
    fn untold(&self, chosen: &Chosen) -> Option<&'static str> {
        if !is_of_batsim(chosen) {
            return None;
        }
        let workload = &self.scenario.workload;
        let is_zero = |job: JobId| workload.estimate(job) == Time::ZERO;
        let machine = &self.scenario.machine;
        let has_large_nodes = !machine.is_pool() && machine.procs() > machine.nodes() as i64;
        let outlives = |job: JobId| workload.run(job) > workload.estimate(job);
        let told = [
            (
                self.overrun == Overrun::Overdue && workload.jobs().any(outlives),
                "Batsim ends jobs at their limits",
            ),
            (has_large_nodes, "Batsim's protocol tells of no nodes of several processors"),
            (machine.kinds() > 1, "Batsim's protocol tells of no resources but hosts"),
            (
                workload.jobs().any(|job| workload.layout(job).task > 1),
                "Batsim's protocol tells of no tasks of several processors",
            ),
            (workload.jobs().any(is_zero), "Batsim has no limits of zero"),
        ];
        told.into_iter().find(|of| of.0).map(|of| of.1)
    }
}

/// Whether a policy is a scheduler of Batsim.
pub fn is_of_batsim(chosen: &Chosen) -> bool {
    chosen.canonical().starts_with("batsim:")
}

/// A policy that is stopped after some decisions, and whose final result is kept apart from its decisions.
struct Watched {
    policy: Box<dyn Policy>,
    left: Option<u64>,
    finish: Result<(), String>,
}

impl Wrapper for Watched {
    fn inner(&self) -> &dyn Policy {
        self.policy.as_ref()
    }

    fn inner_mut(&mut self) -> &mut dyn Policy {
        self.policy.as_mut()
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        if let Some(left) = &mut self.left {
            *left = left
                .checked_sub(1)
                .ok_or_else(|| PolicyError::Failed("the replay was stopped here on purpose".into()))?;
        }
        self.policy.decide(turn)
    }

    fn finish(&mut self) -> Result<(), PolicyError> {
        self.finish = match contained(|| self.policy.finish()) {
            Err(panic) => Err(format!("it panics: {panic}")),
            Ok(done) => done.map_err(|error| error.to_string()),
        };
        Ok(())
    }

    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        self.policy.take_over(turn, job, room)
    }

    fn aside(&mut self) -> Option<&mut dyn Aside> {
        self.policy.aside()
    }
}

/// Runs something that may panic; state that a panic may have left inconsistent is not used afterwards.
fn contained<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| words(panic.as_ref()))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without words").into()
}
