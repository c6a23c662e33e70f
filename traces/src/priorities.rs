//! Tiers of jobs, and which jobs may take processors from running ones: a table in a file.

mod file;
mod table;

pub use file::{Preemptible, PrioritiesError, PriorityFile};
pub use table::{IDLE_CLASS, IDLE_PREEMPTION, JobPriority, PriorityTable};

use std::fmt;

use serde::Deserialize;

/// What happens to a running job when a job of a higher tier takes its processors: Slurm's `PreemptMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Preempted {
    /// It loses its work and waits again, at its place in the queue.
    #[serde(rename = "requeue")]
    Requeued,
    /// It ends.
    #[serde(rename = "cancel")]
    Cancelled,
    /// It stops where it is and goes on later. Meanwhile it does no work, gives back the resources that a file of priorities
    /// names, and keeps the others.
    #[serde(rename = "suspend")]
    Suspended,
}

impl fmt::Display for Preempted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Preempted::Requeued => "requeue",
            Preempted::Cancelled => "cancel",
            Preempted::Suspended => "suspend",
        })
    }
}
