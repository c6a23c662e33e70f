use batchlab_traces::Time;

use super::options::CYCLE;
use crate::policy::PolicyError;
use crate::spec::Params;
use crate::turn::Turn;

/// When to decide: at every event, or at multiples of a cycle.
///
/// A cycle is held if something has happened since the last one, including starts by the policy itself: they
/// change what is free, and thus the ranks of the waiting jobs. A cycle before which nothing has happened is
/// skipped: it would decide nothing new, as long as no job outlives its estimate. Thus `cycle=S` gives the
/// schedule that the event order `periodic:S` gives without it, unless jobs are kept overdue. Under
/// `periodic` with another period, a cycle is held at the first decision after it is due.
#[derive(Clone, Debug)]
pub struct SchedulingInterval {
    length: Option<Time>,
    due: Option<Time>,
}

impl SchedulingInterval {
    pub fn from_params(params: &Params) -> SchedulingInterval {
        SchedulingInterval {
            length: params.duration(CYCLE.name).filter(|&length| length > Time::ZERO),
            due: None,
        }
    }

    pub fn is_every_event(&self) -> bool {
        self.length.is_none()
    }

    /// Whether to decide now, given that jobs wait; otherwise requests a decision when the next cycle is due.
    ///
    /// # Errors
    /// Never: the requested instant lies in the future.
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

    /// A decision has started a job and others still wait: the next cycle must decide again.
    ///
    /// # Errors
    /// Never: the requested instant lies in the future.
    pub fn goes_on(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let Some(length) = self.length else { return Ok(()) };
        let next = multiple_from(turn.now().saturating_add(Time::from_ticks(1)), length);
        self.call(turn, next)
    }

    /// Requests a decision at an instant, unless one is due sooner.
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
