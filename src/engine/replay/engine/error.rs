use batchlab_support::PolicyError;
use batchlab_traces::Time;

/// The reason why a replay ended without an outcome; caused by the policy, except [`ReplayError::Held`],
/// [`ReplayError::Unsteppable`] and [`ReplayError::Interrupted`].
#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    #[error("policy `{policy}` at {at} s: {error}")]
    Policy { policy: String, at: Time, error: PolicyError },
    #[error("policy `{policy}` leaves {waiting} jobs waiting for ever; the first is job {first}")]
    Stuck { policy: String, waiting: usize, first: i64 },
    #[error("{held} jobs wait for each other and never enter the queue; the first is job {first}")]
    Held { held: usize, first: i64 },
    #[error(
        "a replay with {what} cannot be stepped decision by decision; leave that out, or replay under a policy"
    )]
    Unsteppable { what: &'static str },
    #[error(
        "policy `{policy}` is still at work at {at} s, beyond what a replay may reach ({} s)",
        Time::FARTHEST
    )]
    TooFar { policy: String, at: Time },
    #[error("policy `{policy}` was asked {decisions} times at {at} s and time does not pass")]
    Endless { policy: String, at: Time, decisions: u64 },
    #[error(
        "policy `{policy}` at {at} s: it was asked {decisions} times in a row while no job arrived, started, ended or changed its rate; --limit decisions=N allows more{}", waits(*first)
    )]
    Idle { policy: String, at: Time, decisions: u64, first: Option<i64> },
    #[error(
        "policy `{policy}` at {at} s: it was asked {decisions} times in a row, and answers and wake-ups took more than {limit} units of work, while no job arrived, started, ended or changed its rate; --limit work=N allows more"
    )]
    Laborious { policy: String, at: Time, decisions: u64, limit: u64 },
    #[error(
        "policy `{policy}` at {at} s: the intervals, places and postponed ends of its jobs take more than {} MiB of memory, as it goes on starting, stopping or slowing them down; --limit record=MIB allows more",
        limit >> 20
    )]
    TooMuch { policy: String, at: Time, limit: u64 },
    #[error("policy `{policy}` at {at} s: the replay has taken longer than --limit time={limit}s allows")]
    TooLong { policy: String, at: Time, limit: Time },
    #[error("policy `{policy}` at {at} s: the replay was interrupted")]
    Interrupted { policy: String, at: Time },
}

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
