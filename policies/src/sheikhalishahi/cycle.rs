//! Decisions that come in cycles.

use batchlab_traces::Time;

use super::options::CYCLE;
use crate::policy::PolicyError;
use crate::spec::Params;
use crate::turn::Turn;

/// When to decide: at every event, or at the first multiple of a cycle after one.
///
/// A cycle in which nothing has happened is passed over, as it would decide nothing new. So `cycle=S` gives the
/// schedule that the event order `periodic:S` gives without it; under `periodic` with another period, a cycle is
/// held at the first decision after it is due.
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
        let now = turn.now();
        if self.due.is_none() {
            let due = multiple_from(now, length);
            self.due = Some(due);
            if due > now {
                turn.wake_at(due)?;
            }
        }
        if self.due.is_some_and(|due| due > now) {
            return Ok(false);
        }
        self.due = None;
        Ok(true)
    }
}

/// Returns the first multiple of a length at or after an instant.
fn multiple_from(at: Time, length: Time) -> Time {
    let past = Time::from_ticks(at.ticks().rem_euclid(length.ticks()));
    if past == Time::ZERO { at } else { (at - past).saturating_add(length) }
}
