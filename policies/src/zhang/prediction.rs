//! When jobs that share processors in time are predicted to end.

use batchlab_traces::{JobId, Time};

use crate::turn::Turn;

/// From when on what is left of a job is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The whole from its first start on, from now on while it has not run.
    Start,
    /// What it has not executed, from now on.
    Remaining,
}

/// How long jobs are predicted to take: in the worst case they have one slice of each cycle.
///
/// Zhang et al. 2000, section 5.2: the estimate times the multiprogramming level. The introduction has overheads
/// in it too.
#[derive(Clone, Debug)]
pub struct Prediction {
    mpl: i64,
    /// Share of a slice that is lost to the switch, where that is predicted.
    switch: f64,
    /// What a job may lose to a migration, where that is predicted.
    migration: Time,
    from: From,
}

impl Prediction {
    /// Returns the prediction of estimates times a number of rows, without overheads.
    pub fn new(mpl: usize, from: From) -> Prediction {
        let mpl = i64::try_from(mpl).unwrap_or(i64::MAX);
        Prediction { mpl, switch: 0.0, migration: Time::ZERO, from }
    }

    /// Predicts overheads too: a share of each slice, and one migration.
    pub fn with_overheads(self, switch: f64, migration: Time) -> Prediction {
        Prediction { switch, migration, ..self }
    }

    /// Returns how long so much of execution is predicted to take.
    pub fn duration(&self, execution: Time) -> Time {
        let all = execution.saturating_add(self.migration).ticks().saturating_mul(self.mpl);
        if self.switch == 0.0 {
            return Time::from_ticks(all);
        }
        // What is beyond all time saturates.
        Time::from_ticks((all as f64 / (1.0 - self.switch)).ceil() as i64)
    }

    /// Returns when a job in the matrix is predicted to end, a second after its start at least; in a second where that
    /// has passed.
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
    fn estimates_without_bound_saturate() {
        let prediction = Prediction::new(5, From::Start);
        assert_eq!(prediction.duration(Time::MAX), Time::MAX);
        let dear = prediction.with_overheads(0.05, Time::from_secs(10));
        assert_eq!(dear.duration(Time::MAX), Time::MAX);
    }
}
