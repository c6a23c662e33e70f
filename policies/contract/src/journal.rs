//! The decisions of a replay, with their times and rules: read by `explain` and `diff`.

use batchlab_traces::priorities::Preempted;
use batchlab_traces::{JobId, Time};

/// The rule by which a job was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Why {
    /// The policy gave no reason.
    #[default]
    Unstated,
    /// It was first in the queue order and fitted.
    Head,
    /// It fitted, and the policy reserves nothing.
    FirstFit,
    /// It fitted and was expected to end by the shadow time.
    EndsByShadow {
        /// The head's shadow time.
        shadow: Time,
    },
    /// It fitted among the extra processors, which the head does not need at its shadow time.
    Extra {
        /// The head's shadow time.
        shadow: Time,
    },
    /// The profile of reservations has room for it from now on.
    Profile,
    /// Its reservation fell due.
    Reserved,
    /// It fitted into the part of the machine that a calendar keeps for it.
    Kept,
    /// Jobs of lower priority were suspended for it.
    Suspending,
    /// It fitted into the resources of suspended jobs of lower tiers.
    Lent,
    /// It fitted, and by the plan no waiting job is delayed beyond its slack.
    WithinSlack,
}

/// An action or a promise of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Started a job.
    Started(Why),
    /// Promised a job a start no later than this instant.
    Promised(Time),
    /// Paused a job, or ran it at another rate.
    Rated,
    /// Took a job off the machine.
    Displaced,
    /// Killed a job.
    Killed,
    /// Rejected a waiting job, for a reason; empty if none was given.
    Rejected(&'static str),
    /// A limit on usage holds a waiting job back from now on: the policy does not see it.
    HeldBack(HeldBy),
    /// Limits on usage no longer hold a job back.
    Admitted,
    /// Decided that a job loses its processors to a job of a higher tier.
    Preempted(Preemption),
    /// Suspended a job in place; the journal has its [`Act::Preempted`] before.
    Suspended,
    /// Resumed a job that was suspended in place.
    Resumed,
    /// Left a job that fitted where it was: its start would take room that is kept for a job of its tier or a higher one.
    KeptOut,
}

/// A limit on usage that holds a job back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeldBy {
    /// A limit of the scenario's table, by its position there.
    Table(usize),
    /// A parameter of the policy `limits`.
    Param(&'static str),
}

/// The loss of a job's processors to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preemption {
    /// The job that gets them.
    pub by: JobId,
    /// What happens to the job that loses them.
    pub how: Preempted,
    /// When it loses them: after its grace time, unless it ends before.
    pub at: Time,
}

/// An act with its time and job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say the rest.
pub struct Entry {
    pub time: Time,
    /// Which decision of the replay, from 1.
    pub decision: u64,
    pub job: JobId,
    pub act: Act,
}

/// The acts of a replay in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Journal {
    /// The entries.
    pub entries: Vec<Entry>,
    /// Drawings that policies made of their plans, with their instants.
    pub drawings: Vec<(Time, String)>,
}
