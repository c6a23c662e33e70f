//! Instants on a grid.

use batchlab_traces::Time;

/// Returns the first instant of a grid after another instant.
pub(super) fn next_on(from: Time, step: Time, after: Time) -> Time {
    let steps = (after.ticks() - from.ticks()).div_euclid(step.ticks().max(1)) + 1;
    from + Time::from_ticks(steps.max(0).saturating_mul(step.ticks()))
}
