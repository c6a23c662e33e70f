//! A job with its times in the schedule.

use batchlab_traces::{JobId, Time};

use crate::outcome::TimeSpent;

/// A job with the times that its schedule gave it.
#[allow(missing_docs, reason = "names say what has no line")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    pub job: JobId,
    pub submit: Time,
    pub start: Time,
    pub end: Time,
    /// Run time at full speed; for a job that was killed, or unfinished at the stop, the service that it received.
    pub run: Time,
    pub procs: i64,
    /// The run time by which the policy planned when it first started; `None` if the schedule does not tell.
    pub predicted: Option<Time>,
    /// How its time on the machine was spent; `None` if time was shared and the outcome does not contain it.
    pub service: Option<TimeSpent>,
}

impl Served {
    /// Returns first start − submit.
    pub fn wait(&self) -> Time {
        self.start - self.submit
    }

    /// Returns end − submit.
    pub fn response(&self) -> Time {
        self.end - self.submit
    }

    /// Returns the smaller of predicted run time / run time and its inverse: 1 for an exact prediction. `None` if the
    /// schedule does not tell what was predicted.
    pub fn accuracy(&self) -> Option<f64> {
        let (run, predicted) = (self.run, self.predicted?);
        ratio(run.min(predicted), run.max(predicted)).or(Some(1.0))
    }

    /// Returns response − run − wait: the time suspended, switched, swapped or migrated.
    pub fn stalled(&self) -> Time {
        self.end - self.start - self.run
    }

    /// Returns response / run; `None` for a run time of 0.
    pub fn slowdown(&self) -> Option<f64> {
        ratio(self.response(), self.run)
    }

    /// Returns max(1, response / max(run, τ)); `None` if run and τ are both 0.
    pub fn bounded_slowdown(&self, tau: Time) -> Option<f64> {
        ratio(self.response(), self.run.max(tau)).map(|ratio| ratio.max(1.0))
    }
}

/// Returns the quotient of two times; `None` if the divisor is not positive.
pub fn ratio(length: Time, by: Time) -> Option<f64> {
    (by > Time::ZERO).then(|| length.ticks() as f64 / by.ticks() as f64)
}
