//! Instants on a grid, and the grid on which reservations begin.

use batchlab_traces::Time;

/// Returns the first instant of a grid after another instant.
pub(super) fn next_on(from: Time, step: Time, after: Time) -> Time {
    let steps = (after.ticks() - from.ticks()).div_euclid(step.ticks().max(1)) + 1;
    from + Time::from_ticks(steps.max(0).saturating_mul(step.ticks()))
}

/// Returns the second that slurmctld counts at an instant: the tick before a second stands for what comes first in it.
pub(super) fn counted(at: Time) -> Time {
    let next = at + Time::TICK;
    if next.ticks() % Time::SECOND.ticks() == 0 { next } else { at }
}

/// The multiples of `bf_resolution` since 1970.
#[derive(Clone, Copy)]
pub(super) struct Resolution {
    step: i64,
    /// How long before the zero of the log the last of them was.
    past: i64,
}

impl Resolution {
    /// Returns the multiples of a length of time; the zero of the log is some seconds after 1970.
    pub(super) fn new(step: Time, epoch: i64) -> Resolution {
        let step = step.ticks();
        let epoch = i128::from(epoch) * i128::from(Time::SECOND.ticks());
        Resolution { step, past: epoch.rem_euclid(step.into()) as i64 }
    }

    pub(super) fn step(self) -> Time {
        Time::from_ticks(self.step)
    }

    /// Rounds an instant down to a multiple.
    pub(super) fn round(self, at: Time) -> Time {
        let past = (at.ticks().rem_euclid(self.step) + self.past).rem_euclid(self.step);
        at - Time::from_ticks(past)
    }

    pub(super) fn round_up(self, at: Time) -> Time {
        let down = self.round(at);
        if down == at { at } else { down + Time::from_ticks(self.step) }
    }
}
