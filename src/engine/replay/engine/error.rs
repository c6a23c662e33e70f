//! Errors that end a replay without an outcome.

use batchlab_support::PolicyError;
use batchlab_traces::Time;

/// The reason why a replay ended without an outcome; caused by the policy, except [`ReplayError::Held`],
/// [`ReplayError::Unsteppable`] and [`ReplayError::Interrupted`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The policy asked for something illegal, or failed.
    #[error("policy `{policy}` at {at} s: {error}")]
    Policy {
        /// The policy's spec.
        policy: String,
        /// The instant.
        at: Time,
        /// The error.
        error: PolicyError,
    },
    /// No event is left, and jobs are still waiting.
    #[error("policy `{policy}` leaves {waiting} jobs waiting for ever; the first is job {first}")]
    Stuck {
        /// The policy's spec.
        policy: String,
        /// Number of waiting jobs.
        waiting: usize,
        /// Number of the first of them in the log.
        first: i64,
    },
    /// Jobs depend on one another in a circle, so that none of them enters the queue.
    #[error("{held} jobs wait for each other and never enter the queue; the first is job {first}")]
    Held {
        /// Number of such jobs.
        held: usize,
        /// Number of the first of them in the log.
        first: i64,
    },
    /// The replay cannot stop at each decision.
    #[error(
        "a replay with {what} cannot be stepped decision by decision; leave that out, or replay under a policy"
    )]
    Unsteppable {
        /// What forbids it.
        what: &'static str,
    },
    /// The replay has passed the latest time that can be represented: decisions are too rare, or rates too
    /// low.
    #[error(
        "policy `{policy}` is still at work at {at} s, beyond what a replay may reach ({} s)",
        Time::FARTHEST
    )]
    TooFar {
        /// The policy's spec.
        policy: String,
        /// The instant.
        at: Time,
    },
    /// The policy keeps acting without letting time pass.
    #[error("policy `{policy}` was asked {decisions} times at {at} s and time does not pass")]
    Endless {
        /// The policy's spec.
        policy: String,
        /// The instant.
        at: Time,
        /// Number of decisions at that instant.
        decisions: u64,
    },
    /// The policy was asked many times in a row, and nothing happened.
    #[error(
        "policy `{policy}` at {at} s: it was asked {decisions} times in a row while no job arrived, started, ended or changed its rate; --limit decisions=N allows more{}", waits(*first)
    )]
    Idle {
        /// The policy's spec.
        policy: String,
        /// The instant.
        at: Time,
        /// Number of consecutive decisions without effect.
        decisions: u64,
        /// Number of the first waiting job in the log, if one waits.
        first: Option<i64>,
    },
    /// The policy's answers took much work, and nothing happened.
    #[error(
        "policy `{policy}` at {at} s: it was asked {decisions} times in a row, and answers and wake-ups took more than {limit} units of work, while no job arrived, started, ended or changed its rate; --limit work=N allows more"
    )]
    Laborious {
        /// The policy's spec.
        policy: String,
        /// The instant.
        at: Time,
        /// Number of consecutive decisions without effect.
        decisions: u64,
        /// The limit on their work.
        limit: u64,
    },
    /// The policy changed rates so often that the record of the changes took too much memory.
    #[error(
        "policy `{policy}` at {at} s: the intervals, places and postponed ends of its jobs take more than {} MiB of memory, as it goes on starting, stopping or slowing them down; --limit record=MIB allows more",
        limit >> 20
    )]
    TooMuch {
        /// The policy's spec.
        policy: String,
        /// The instant.
        at: Time,
        /// The limit in bytes.
        limit: u64,
    },
    /// The replay took more real time than allowed.
    #[error("policy `{policy}` at {at} s: the replay has taken longer than --limit time={limit}s allows")]
    TooLong {
        /// The policy's spec.
        policy: String,
        /// The instant.
        at: Time,
        /// The time limit.
        limit: Time,
    },
    /// The caller asked to abandon the replay.
    #[error("policy `{policy}` at {at} s: the replay was interrupted")]
    Interrupted {
        /// The policy's spec.
        policy: String,
        /// The instant.
        at: Time,
    },
}

/// Names the first waiting job.
fn waits(first: Option<i64>) -> String {
    first.map_or(String::new(), |first| format!("; the first waiting job is job {first}"))
}

impl ReplayError {
    /// Whether the replay exceeded its budget, so that repeating it would take as long again.
    pub fn is_spent(&self) -> bool {
        matches!(
            self,
            ReplayError::Idle { .. }
                | ReplayError::Laborious { .. }
                | ReplayError::TooMuch { .. }
                | ReplayError::TooLong { .. }
        )
    }
}
