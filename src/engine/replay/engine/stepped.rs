//! Replays that are driven from outside, decision by decision.

use batchlab_support::cluster::Cluster;
use batchlab_support::{Needs, Policy, PolicyError, Turn};
use batchlab_traces::Time;

use super::clock::Clock;
use super::error::ReplayError;
use super::order::EventOrder;
use super::scenario::{Run, Scenario};
use super::setup;
use crate::outcome::Outcome;

/// A replay in the event order `batch` that stops at each decision, for callers who decide themselves.
///
/// [`Stepped::advance`] goes on to the next decision, [`Stepped::turn`] opens it, as often as the caller likes, and
/// the next `advance` carries out what was done there. A policy that decides in each turn gives the starts of
/// [`replay`](super::replay), which is the same loop.
///
/// ```
/// # use batchlab_engine::replay::{ReplayError, Scenario, Stepped};
/// # use batchlab_support::{Needs, Policy};
/// # use batchlab_engine::outcome::Outcome;
/// fn replay(scenario: &Scenario, policy: &mut dyn Policy) -> Result<Outcome, ReplayError> {
///     let mut replay = Stepped::new(scenario, "mine", Needs::NONE)?;
///     while replay.advance(policy)?.is_some() {
///         replay.act(|turn| policy.decide(turn))?;
///     }
///     replay.finish(policy)
/// }
/// ```
pub struct Stepped {
    clock: Clock<'static>,
    open: Option<Time>,
}

impl Stepped {
    /// Begins a replay. `spec` names the caller in errors, and seeds the random stream of its turns.
    ///
    /// # Errors
    /// In another event order than `batch`, with limits, a calendar or priorities, and with a policy that places jobs on
    /// numbered processors: the loop around them is not the caller's.
    pub fn new(scenario: &Scenario, spec: &str, needs: Needs) -> Result<Stepped, ReplayError> {
        let odd = [
            (scenario.order != EventOrder::Batch, "another event order than `batch`"),
            (scenario.limits.is_some(), "limits on usage"),
            (scenario.capacity.is_some(), "a calendar of capacity"),
            (scenario.priorities.is_some(), "priorities that preempt"),
            (needs.processors, "placements on numbered processors"),
        ];
        if let Some(&(_, what)) = odd.iter().find(|(is_odd, _)| *is_odd) {
            return Err(ReplayError::Unsteppable { what });
        }
        let run = Run::default();
        Ok(Stepped { clock: Clock::new(scenario, setup(scenario, spec, needs, run), run), open: None })
    }

    /// Carries out what was done in the open turn, and goes on to the next decision. Returns its instant; `None` when
    /// the replay is over. `policy` is asked only how long jobs that outlive their expectations will run
    /// ([`Policy::expired`]). O(log n) per event.
    pub fn advance(&mut self, policy: &mut dyn Policy) -> Result<Option<Time>, ReplayError> {
        if let Some(now) = self.open.take() {
            self.clock.carry_out(now)?;
        }
        let Some(now) = self.clock.advance(policy) else { return Ok(None) };
        self.clock.ask(now)?;
        self.open = Some(now);
        Ok(self.open)
    }

    /// Returns the open turn, with the events since the decision before; `None` if no decision is open.
    pub fn turn(&mut self) -> Option<Turn<'_>> {
        self.open.map(|now| self.clock.turn(now))
    }

    /// Acts in the open turn. Without one nothing is done.
    pub fn act(
        &mut self,
        action: impl FnOnce(&mut Turn<'_>) -> Result<(), PolicyError>,
    ) -> Result<(), ReplayError> {
        let Some(now) = self.open else { return Ok(()) };
        let acted = action(&mut self.clock.turn(now));
        acted.map_err(|error| self.clock.failed(error))
    }

    /// Returns the machine and the jobs as they are now.
    pub fn cluster(&self) -> &Cluster {
        self.clock.cluster()
    }

    /// Returns the instant of the last decision.
    pub fn now(&self) -> Time {
        self.clock.asked()
    }

    /// Whether something will happen even if nothing more is done in the open turn: an arrival, an end, a wake-up. O(log n).
    pub fn goes_on(&mut self) -> bool {
        self.cluster().resident().next().is_some() || self.clock.upcoming().is_some()
    }

    pub fn finish(mut self, policy: &mut dyn Policy) -> Result<Outcome, ReplayError> {
        if let Some(now) = self.open.take() {
            self.clock.carry_out(now)?;
        }
        Ok(self.clock.close(policy)?.0)
    }
}
