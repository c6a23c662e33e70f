//! Why a replay ended without an outcome.

use batchlab_policies::PolicyError;
use batchlab_traces::Time;

/// Why a replay ended without an outcome: always the policy's doing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The policy asked for something illegal, or failed.
    #[error("policy `{policy}` at {at} s: {error}")]
    Policy {
        /// The policy's spec.
        policy: String,
        /// When.
        at: Time,
        /// What went wrong.
        error: PolicyError,
    },
    /// Nothing will happen any more, and jobs still wait.
    #[error("policy `{policy}` leaves {waiting} jobs waiting for ever; the first is job {first}")]
    Stuck {
        /// The policy's spec.
        policy: String,
        /// Jobs that wait.
        waiting: usize,
        /// Number of the first of them in the log.
        first: i64,
    },
    /// The replay has come to the end of time: decisions that come too seldom, rates that are too low.
    #[error(
        "policy `{policy}` is still at work at {at} s, beyond what a replay may reach ({} s)",
        Time::FARTHEST
    )]
    TooFar {
        /// The policy's spec.
        policy: String,
        /// When.
        at: Time,
    },
    /// The policy goes on acting without letting time pass.
    #[error("policy `{policy}` was asked {decisions} times at {at} s and time does not pass")]
    Endless {
        /// The policy's spec.
        policy: String,
        /// When.
        at: Time,
        /// Decisions at that instant.
        decisions: u64,
    },
    /// The policy was asked again and again, and nothing happened.
    #[error(
        "policy `{policy}` at {at} s: it was asked {decisions} times in a row while no job arrived, started, ended or changed its rate; --limit decisions=N allows more"
    )]
    Idle {
        /// The policy's spec.
        policy: String,
        /// When.
        at: Time,
        /// Decisions in a row, none of which did anything.
        decisions: u64,
    },
    /// The policy changed rates again and again, until what was written down of that took too much memory.
    #[error(
        "policy `{policy}` at {at} s: the intervals, places and postponed ends of its jobs take more than {} MiB of memory, as it goes on starting, stopping or slowing them down; --limit record=MIB allows more",
        limit >> 20
    )]
    TooMuch {
        /// The policy's spec.
        policy: String,
        /// When.
        at: Time,
        /// The most bytes.
        limit: u64,
    },
    /// The replay took longer on the clock than allowed.
    #[error("policy `{policy}` at {at} s: the replay has taken longer than --limit time={limit}s allows")]
    TooLong {
        /// The policy's spec.
        policy: String,
        /// When.
        at: Time,
        /// The time that was allowed.
        limit: Time,
    },
}

impl ReplayError {
    /// Whether the replay exceeded its budget: to see that again takes as long again.
    pub fn is_spent(&self) -> bool {
        matches!(self, ReplayError::Idle { .. } | ReplayError::TooMuch { .. } | ReplayError::TooLong { .. })
    }
}
