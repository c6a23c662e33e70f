//! The reasons why a verb is refused.

use batchlab_traces::Time;

/// An illegal verb: the job, the instant, what it needs and what is free.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot {verb} job {job} at {at} s: {reason}")]
pub struct Refused {
    /// The verb: "place", "pause".
    pub verb: &'static str,
    /// The job's number in the log; 0 if the verb is about no job.
    pub job: i64,
    /// The instant.
    pub at: Time,
    /// Why.
    pub reason: Reason,
}

/// What makes a verb illegal. Nodes count from 0; `partition` is a number of the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its parts are")]
pub enum Reason {
    #[error("it needs {need} {resource} on node {node}, where {free} are free")]
    Oversubscribed { resource: String, node: usize, need: i64, free: i64 },
    #[error("it {state}")]
    State { state: &'static str },
    #[error("the placement has {placed} of its {procs} processors on nodes of this machine")]
    Placement { placed: i64, procs: i64 },
    #[error("the placement names node {node} more than once")]
    Twice { node: usize },
    #[error("{placed} of its processors on node {node} are not whole tasks of {task}{}", at_most(*per_node))]
    Split { node: usize, placed: i64, task: i64, per_node: i64 },
    #[error("node {node} takes no jobs of its partition, {partition}")]
    Partition { node: usize, partition: i64 },
    #[error("node {node} does not meet its constraint")]
    Constraint { node: usize },
    #[error("a wake-up must lie after now, not at {0} s")]
    Past(Time),
    #[error("a decision requests at most {0} wake-ups")]
    Wakes(u64),
    #[error("a promised start must not lie before now, at {0} s")]
    Promised(Time),
    #[error("the policy has not declared `{0}` among its needs")]
    Undeclared(&'static str),
}

impl Reason {
    /// Returns the code that plug-ins get for it.
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Oversubscribed { .. } => "room",
            Reason::State { .. } => "state",
            Reason::Placement { .. }
            | Reason::Twice { .. }
            | Reason::Split { .. }
            | Reason::Partition { .. }
            | Reason::Constraint { .. } => "placement",
            Reason::Past(_) | Reason::Promised(_) | Reason::Wakes(_) => "past",
            Reason::Undeclared(_) => "need",
        }
    }
}

/// Returns the words for the most tasks on a node, if there is such a limit.
fn at_most(per_node: i64) -> String {
    if per_node == i64::MAX { String::new() } else { format!(", at most {per_node} on a node") }
}
