//! Tiers of jobs, and which jobs may take processors from running ones: a table in a file.

mod file;
mod table;

pub use file::{Preemptible, PrioritiesError, PriorityFile};
pub use table::{IDLE_CLASS, IDLE_PREEMPTION, JobPriority, PriorityTable};

use std::fmt;

/// What becomes of a running job whose processors a job of a higher tier takes: Slurm's `PreemptMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preempted {
    /// It loses its work and waits again, at its place in the queue.
    Requeued,
    /// It ends.
    Cancelled,
    /// It stops where it is and goes on later: it gives back what a file of priorities says, keeps the rest, and does no
    /// work meanwhile.
    Suspended,
}

impl Preempted {
    const NAMES: [(Preempted, &'static str); 3] = [
        (Preempted::Requeued, "requeue"),
        (Preempted::Cancelled, "cancel"),
        (Preempted::Suspended, "suspend"),
    ];

    /// Returns the word of a file.
    pub fn of_word(word: &str) -> Option<Preempted> {
        Preempted::NAMES.iter().find(|(_, known)| *known == word).map(|(preempted, _)| *preempted)
    }
}

impl fmt::Display for Preempted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Preempted::NAMES.iter().find(|(preempted, _)| preempted == self).map(|(_, name)| *name);
        f.write_str(name.unwrap_or_default())
    }
}
