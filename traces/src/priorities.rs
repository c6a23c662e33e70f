//! Tiers of jobs, and which jobs may take processors from running ones: a table in a file.

mod file;
mod table;

pub use file::{Preemptible, PrioritiesError, PriorityFile};
pub use table::{IDLE_CLASS, IDLE_PREEMPTION, JobPriority, PriorityTable};

use std::fmt;

use serde::Deserialize;

/// What becomes of a running job whose processors a job of a higher tier takes: Slurm's `PreemptMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum Preempted {
    /// It loses its work and waits again, at its place in the queue.
    #[serde(rename = "requeue")]
    Requeued,
    /// It ends.
    #[serde(rename = "cancel")]
    Cancelled,
    /// It stops where it is and goes on later: it gives back what a file of priorities says, keeps the rest, and does no
    /// work meanwhile.
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
