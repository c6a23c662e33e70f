//! Predicted ends of jobs that share processors in time.

use batchlab_traces::{JobId, Time};

use crate::turn::Turn;

/// The part of a job that counts, and from when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The whole job from its first start on; from now on if it has not run.
    Start,
    /// The part that it has not executed, from now on.
    Remaining,
}

/// Predicted durations of jobs: in the worst case a job gets one slice of each cycle.
///
/// Zhang et al. 2000, section 5.2: the estimate times the multiprogramming level. The paper's introduction
/// also includes overheads.
#[derive(Clone, Debug)]
pub struct Prediction {
    mpl: i64,
    /// Share of a slice that is lost to the switch, if this is predicted.
    switch: f64,
    /// The time that a job may lose to a migration, if this is predicted.
    migration: Time,
    from: From,
}

impl Prediction {
    /// Returns the prediction of estimates times a number of rows, without overheads.
    pub fn new(mpl: usize, from: From) -> Prediction {
        let mpl = i64::try_from(mpl).unwrap_or(i64::MAX);
        Prediction { mpl, switch: 0.0, migration: Time::ZERO, from }
    }

    /// Adds overheads to the prediction: a share of each slice, and one migration.
    pub fn with_overheads(self, switch: f64, migration: Time) -> Prediction {
        Prediction { switch, migration, ..self }
    }

    pub fn duration(&self, execution: Time) -> Time {
        let all = execution.saturating_add(self.migration).ticks().saturating_mul(self.mpl);
        if self.switch == 0.0 {
            return Time::from_ticks(all);
        }
        // The conversion saturates beyond the range of times.
        Time::from_ticks((all as f64 / (1.0 - self.switch)).ceil() as i64)
    }

    /// Returns an execution such that no longer one is predicted to last at most `duration`.
    pub fn most(&self, duration: Time) -> Time {
        if duration == Time::MAX { duration } else { Time::from_ticks(duration.ticks() / self.mpl) }
    }

    /// Returns the predicted end of a job in the matrix, at least a second after its start; one second from
    /// now if that has passed.
    pub fn end(&self, turn: &Turn<'_>, job: JobId, estimate: Time) -> Time {
        let now = turn.now();
        let end = match self.from {
            From::Start => {
                let lasts = self.duration(estimate).max(Time::SECOND);
                turn.started(job).unwrap_or(now).saturating_add(lasts)
            }
            From::Remaining => {
                let left = estimate.ticks().saturating_sub(turn.executed(job).ticks()).max(0);
                now.saturating_add(self.duration(Time::from_ticks(left)))
            }
        };
        if end <= now { now + Time::SECOND } else { end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_inflated_by_the_rows_and_by_overheads_if_these_are_predicted() {
        let prediction = Prediction::new(5, From::Start);
        assert_eq!(prediction.duration(Time::from_secs(100)), Time::from_secs(500));
        assert_eq!(Prediction::new(1, From::Start).duration(Time::from_secs(7)), Time::from_secs(7));
        let dear = prediction.with_overheads(0.5, Time::from_secs(10));
        assert_eq!(dear.duration(Time::from_secs(100)), Time::from_secs(1100));
    }

    #[test]
    fn no_longer_execution_is_predicted_to_last_at_most_so_long() {
        let plain = Prediction::new(3, From::Start);
        for prediction in [plain.clone(), plain.with_overheads(0.1, Time::TICK)] {
            for duration in (0..60).map(Time::from_ticks) {
                let longer = prediction.most(duration) + Time::TICK;
                assert!(prediction.duration(longer) > duration, "{longer} in {duration}");
            }
        }
        assert_eq!(Prediction::new(5, From::Start).most(Time::MAX), Time::MAX);
    }

    #[test]
    fn estimates_without_bound_saturate() {
        let prediction = Prediction::new(5, From::Start);
        assert_eq!(prediction.duration(Time::MAX), Time::MAX);
        let dear = prediction.with_overheads(0.05, Time::from_secs(10));
        assert_eq!(dear.duration(Time::MAX), Time::MAX);
    }
}
