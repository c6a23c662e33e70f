//! Decisions that come in cycles.

use batchlab_traces::Time;

use super::options::CYCLE;
use crate::policy::PolicyError;
use crate::spec::Params;
use crate::turn::Turn;

/// When to decide: at every event, or at multiples of a cycle.
///
/// A cycle is held when something has happened since the last one, be it that one's own starts: they change what is
/// free, and so the ranks of those who still wait. One before which nothing has happened is passed over: it would
/// decide nothing new, as long as no job outlives its estimate. So `cycle=S` gives the schedule that the event order
/// `periodic:S` gives without it, unless jobs are kept overdue; under `periodic` with another period, a cycle is held
/// at the first decision after it is due.
#[derive(Clone, Debug)]
pub struct Cycle {
    length: Option<Time>,
    due: Option<Time>,
}

impl Cycle {
    /// Returns the cycle that the parameters name.
    pub fn from_params(params: &Params) -> Cycle {
        Cycle { length: params.duration(CYCLE.name).filter(|&length| length > Time::ZERO), due: None }
    }

    /// Whether to decide now, where somebody waits; else a decision is asked for when one is due.
    ///
    /// # Errors
    /// Never: the instant asked for lies after now.
    pub fn begins(&mut self, turn: &mut Turn<'_>, waiting: bool) -> Result<bool, PolicyError> {
        if !waiting {
            self.due = None;
            return Ok(false);
        }
        let Some(length) = self.length else { return Ok(true) };
        self.call(turn, multiple_from(turn.now(), length))?;
        if self.due.is_some_and(|due| due > turn.now()) {
            return Ok(false);
        }
        self.due = None;
        Ok(true)
    }

    /// A decision has started somebody and others wait: there is something to decide at the next cycle.
    ///
    /// # Errors
    /// Never: the instant asked for lies after now.
    pub fn goes_on(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let Some(length) = self.length else { return Ok(()) };
        let next = multiple_from(turn.now().saturating_add(Time::from_ticks(1)), length);
        self.call(turn, next)
    }

    /// Asks for a decision at an instant, unless one is due sooner.
    fn call(&mut self, turn: &mut Turn<'_>, at: Time) -> Result<(), PolicyError> {
        if self.due.is_some_and(|due| due <= at) {
            return Ok(());
        }
        self.due = Some(at);
        if at > turn.now() {
            turn.wake_at(at)?;
        }
        Ok(())
    }
}

/// Returns the first multiple of a length at or after an instant.
fn multiple_from(at: Time, length: Time) -> Time {
    let past = Time::from_ticks(at.ticks().rem_euclid(length.ticks()));
    if past == Time::ZERO { at } else { (at - past).saturating_add(length) }
}
