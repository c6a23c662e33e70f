//! The contract between a policy and the engine.

use std::ops::ControlFlow;

use batchlab_traces::{JobId, Time};

use crate::plugin::Fault;
use crate::refused::Refused;
use crate::turn::Turn;
use crate::view::JobView;

/// Decides, after events, which jobs are resident, on which nodes, and at which rates.
///
/// # Contract
/// * [`Policy::decide`] is called once per decision point: once per instant in the event orders `batch`
///   and `periodic`, after each arrival and each end in `submit-first` and `finish-first`.
/// * [`Turn::events`] contains everything that happened since the last call, so that a policy can keep its
///   own index of the queue and need never scan it.
/// * An accepted verb takes effect at once: [`Turn::free`] returns the new state.
/// * State lives in the policy. One value replays one workload once.
/// * A policy never sees a run time, unless its [`crate::Needs`] declare clairvoyance.
pub trait Policy: Send {
    /// Decides.
    ///
    /// # Errors
    /// Anything that makes continuing senseless: a refused verb, a failure of the policy's own. The replay ends.
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError>;

    /// The replay is over: every job has ended, or all jobs have that it was to wait for. Called once, not after a failure.
    ///
    /// # Errors
    /// When the policy finds an inconsistency at the end.
    fn finish(&mut self) -> Result<(), PolicyError> {
        Ok(())
    }

    /// Visits the waiting jobs in the order in which the policy serves them, until the visitor stops: jobs that may preempt
    /// others are tried in this order. A policy with [`Needs::tiers`](crate::Needs::tiers) implements it; the default visits
    /// none.
    fn in_order(&mut self, visit: &mut dyn FnMut(JobId) -> ControlFlow<()>) {
        let _ = visit;
    }

    /// Returns which waiting jobs may start before a job ahead of them that cannot start; only these preempt running jobs.
    fn overtaking(&self) -> Overtaking {
        Overtaking::Never
    }

    /// Starts a waiting job, which may preempt others, in resources that suspended jobs gave back: `room` has the amounts
    /// that it may take on each node, devices included. Returns whether it has started; a limit may hold it back. A policy
    /// with [`Needs::suspends`](crate::Needs::suspends) implements it.
    ///
    /// # Errors
    /// As [`Policy::decide`].
    fn take_over(&mut self, turn: &mut Turn<'_>, job: JobId, room: &[Vec<i64>]) -> Result<bool, PolicyError> {
        let _ = (turn, job, room);
        Ok(false)
    }

    /// Returns the policy's queue, if its decisions depend on waiting jobs only while they are in the queue: limits then put
    /// jobs aside in groups, and show and hide whole groups. By default, `None`: such jobs leave the policy and join it
    /// again one by one, as [`crate::Event::Killed`] and [`crate::Event::Submitted`].
    fn aside(&mut self) -> Option<&mut dyn Aside> {
        None
    }

    /// Returns how long a job is now expected to run in total, after it has outlived its expectation.
    ///
    /// Called at the very instant at which the expectation expires (see [`Turn::expect`]), before any other
    /// event of that instant; it is not a decision. `None`, the default, means that nothing is expected of
    /// the job any more: it may end at any moment.
    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        let _ = late;
        None
    }
}

/// A queue in which groups of waiting jobs can be put aside.
pub trait Aside {
    /// Puts a waiting job aside in a group, whether it is in the queue or not; a group is hidden until it is shown.
    fn set_aside(&mut self, job: JobView<'_>, group: usize);

    /// Removes a job from its group: it does not wait any more.
    fn take_out(&mut self, job: JobView<'_>);

    /// Shows a group, so that its jobs are in the queue, or hides it.
    fn show(&mut self, group: usize, is_shown: bool);

    /// Whether parts of groups can be shown.
    fn shows_parts(&self) -> bool {
        false
    }

    /// Shows of a group, as long as it is shown, only the jobs that request at most so much processor-time. The group has no jobs
    /// at the first call.
    fn reach(&mut self, group: usize, work: i128) {
        let _ = (group, work);
    }

    /// Returns the least processor-time beyond the reach of a group of a job that might start if it were shown, or change which
    /// other jobs start, and an instant after which that may be another job.
    fn beyond(&mut self, turn: &Turn<'_>, group: usize) -> Option<(i128, Time)> {
        let _ = (turn, group);
        None
    }

    /// Whether the policy sees any change to groups since its last decision.
    fn is_news(&mut self, turn: &Turn<'_>) -> bool {
        let _ = turn;
        true
    }
}

/// Which waiting jobs a policy may start before a job ahead of them that cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtaking {
    /// None.
    Never,
    /// Jobs that are expected to end by the expected start of that job.
    InTime,
    /// All that fit.
    Always,
}

/// A running job that has outlived its expected run time.
#[derive(Clone, Copy)]
pub struct Late<'a> {
    /// The job.
    pub job: JobView<'a>,
    /// When it started; for a job that was suspended in place, later by the time of its suspension.
    pub started: Time,
    /// The instant.
    pub now: Time,
}

/// Why a policy gave up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// It asked for something illegal and did not handle the refusal.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It comes from a plug-in that misbehaved.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A failure of its own, as described by the policy.
    #[error("{0}")]
    Failed(String),
    /// Its books contradict the engine: a bug in the policy.
    #[error("the policy's own books are wrong about the job with identity {}: {what}", job.0)]
    Books {
        /// The job.
        job: JobId,
        /// The assumption that is wrong.
        what: &'static str,
    },
}

impl PolicyError {
    /// Returns the error with the job's number in the log in the place of its identity.
    #[must_use]
    pub fn numbered(self, number: impl FnOnce(JobId) -> i64) -> PolicyError {
        match self {
            PolicyError::Books { job, what } => PolicyError::Failed(format!(
                "the policy's own books are wrong about job {}: {what}",
                number(job)
            )),
            other => other,
        }
    }
}
