//! The news of a simulator for a scheduler, and the scheduler's wishes: the same in both versions of the protocol.

use batchlab_traces::Time;

use super::hosts::HostSet;

/// Something that happened, or is wanted, at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Stamped<T> {
    /// The instant.
    pub at: Time,
    /// The news or the wish.
    pub what: T,
}

/// The news of a simulator.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// The simulation begins.
    Begins {
        /// The number of hosts.
        hosts: u32,
        /// Whether the scheduler may register jobs, and has to say when it has done so.
        registers: bool,
        /// Whether profiles come with jobs.
        profiles: bool,
    },
    /// The simulation is over.
    Ends,
    /// A job arrived.
    Submitted(BatsimJob),
    /// A job ended.
    Completed {
        /// The job.
        id: String,
        /// How it ended.
        how: Completion,
        /// Its hosts; version 5 does not repeat them.
        hosts: HostSet,
    },
    /// Jobs that the scheduler wanted to kill have ended. Killed jobs have a progress: the part of their run time that had
    /// passed.
    Killed {
        /// All of them.
        ids: Vec<String>,
        /// The progress of the jobs that were killed.
        progress: Vec<(String, f64)>,
    },
    /// The scheduler is called, as it wanted.
    Called {
        /// The name of the call; empty in version 4.
        id: String,
        /// Whether it is the last of calls that repeat.
        is_last: bool,
    },
    /// All jobs of the log have arrived.
    AllSubmitted,
    /// Hosts went out of service, or came back.
    Hosts {
        /// The hosts.
        hosts: HostSet,
        /// Whether they came back.
        available: bool,
    },
    /// Anything else, by its name.
    Other(String),
}

/// A job as a scheduler gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct BatsimJob {
    /// Its identity, `WORKLOAD!NAME`.
    pub id: String,
    /// Its number of hosts.
    pub hosts: i64,
    /// The most time that it may run, if there is a limit.
    pub walltime: Option<Time>,
    /// Its run time, if its profile is forwarded.
    pub delay: Option<Time>,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// By itself.
    Success,
    /// It lost its hosts.
    Failure,
    /// At its limit.
    AtLimit,
    /// The scheduler killed it, or its user.
    Killed,
}

/// The names of [`Completion`], the same in both versions.
pub const COMPLETIONS: [(Completion, &str); 4] = [
    (Completion::Success, "COMPLETED_SUCCESSFULLY"),
    (Completion::Failure, "COMPLETED_FAILED"),
    (Completion::AtLimit, "COMPLETED_WALLTIME_REACHED"),
    (Completion::Killed, "COMPLETED_KILLED"),
];

impl Completion {
    /// Returns how a job ended, by the name of its state.
    pub fn of(state: &str) -> Completion {
        COMPLETIONS.iter().find(|(_, name)| *name == state).map_or(Completion::Success, |(how, _)| *how)
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        COMPLETIONS.iter().find(|(how, _)| *how == self).map_or("", |(_, name)| name)
    }
}

/// The wishes of a scheduler.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// A job is to run on these hosts.
    Execute {
        /// The job.
        id: String,
        /// Its hosts.
        hosts: HostSet,
    },
    /// A job that waits is not to run.
    Reject(String),
    /// Running jobs are to end.
    Kill(Vec<String>),
    /// A call at an instant.
    Call {
        /// The name of the call; empty in version 4.
        id: String,
        /// The instant.
        at: Time,
    },
    /// Calls that repeat.
    CallEvery {
        /// The name of the call.
        id: String,
        /// Calls come at this instant and whole periods from it.
        offset: Time,
        /// The time between two calls.
        period: Time,
        /// The number of calls, if it is limited.
        count: Option<u64>,
    },
    /// No more calls of a name.
    StopCalls(String),
    /// No jobs will be registered any more.
    Registered,
    /// A remark that changes nothing, by its name.
    Remark(String),
    /// Something that a replay does not have.
    Beyond {
        /// The name of the message.
        name: String,
        /// The model that it would need.
        needs: &'static str,
    },
}

/// What needs a model that a replay does not have.
pub mod needs {
    /// Jobs of the scheduler.
    pub const JOBS: &str = "a replay has the jobs of its log, and a scheduler cannot add any";
    /// Power.
    pub const POWER: &str = "it needs a model of power, which a replay does not have";
    /// Storage.
    pub const STORAGE: &str = "it needs a model of storage, which a replay does not have";
    /// Executors.
    pub const EXECUTORS: &str = "it needs a model of the tasks within a job, which a replay does not have";
    /// Anything else.
    pub const UNKNOWN: &str = "no such message is known";
    /// An early end.
    pub const STOP: &str = "a replay ends with its last job";
}

/// The content of a message: its instant and its events.
pub type Heard<T> = Result<(Time, Vec<Stamped<T>>), String>;
