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

/// What makes a verb illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The machine would be oversubscribed.
    #[error("it needs {need} {resource} on node {node}, where {free} are free")]
    Oversubscribed {
        /// The resource's name.
        resource: String,
        /// The node, from 0.
        node: usize,
        /// The amount that the job needs there.
        need: i64,
        /// The amount that is free there.
        free: i64,
    },
    /// The job is not in a state that allows the verb.
    #[error("it {state}")]
    State {
        /// The job's actual state: "does not wait", "has ended".
        state: &'static str,
    },
    /// The placement does not cover the job's processors, or names a node that does not exist.
    #[error("the placement has {placed} of its {procs} processors on nodes of this machine")]
    Placement {
        /// Processors placed on existing nodes.
        placed: i64,
        /// Processors of the job.
        procs: i64,
    },
    /// The placement names a node more than once.
    #[error("the placement names node {node} more than once")]
    Twice {
        /// The node, from 0.
        node: usize,
    },
    /// A task would be split over nodes, or more tasks be on a node than the job's layout allows.
    #[error("{placed} of its processors on node {node} are not whole tasks of {task}{}", at_most(*per_node))]
    Split {
        /// The node, from 0.
        node: usize,
        /// Processors of the job there.
        placed: i64,
        /// Processors of a task.
        task: i64,
        /// The most tasks on a node.
        per_node: i64,
    },
    /// The node takes jobs of other partitions only.
    #[error("node {node} takes no jobs of its partition, {partition}")]
    Partition {
        /// The node, from 0.
        node: usize,
        /// The job's partition, by its number in the log.
        partition: i64,
    },
    /// The node does not meet the job's constraint.
    #[error("node {node} does not meet its constraint")]
    Constraint {
        /// The node, from 0.
        node: usize,
    },
    /// A wake-up in the past.
    #[error("a wake-up must lie after now, not at {0} s")]
    Past(Time),
    /// More wake-ups than a decision may request.
    #[error("a decision requests at most {0} wake-ups")]
    Wakes(u64),
    /// A promised start in the past.
    #[error("a promised start must not lie before now, at {0} s")]
    Promised(Time),
    /// The policy has not declared the capability.
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
