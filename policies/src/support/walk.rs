//! A walk through a queue during which jobs start.

use std::collections::BTreeSet;

use batchlab_traces::JobId;

use super::queue::{Queue, Rank};

/// The position of a walk in queue order.
///
/// If every start changes the order (a *fluid* order), the walk restarts after each start and skips the jobs
/// that it has left waiting.
#[derive(Clone, Debug)]
pub struct Walk {
    from: Option<Rank>,
    /// The jobs left waiting; recorded for fluid orders only.
    left: Option<BTreeSet<JobId>>,
}

impl Walk {
    /// Returns a walk from the front of a queue.
    pub fn new<const K: usize>(queue: &Queue<K>) -> Walk {
        Walk { from: queue.first(), left: queue.order().is_fluid().then(BTreeSet::new) }
    }

    /// Returns the next job's rank. O(log n), and again O(log n) for each job that was left waiting and is
    /// met again.
    pub fn next<const K: usize>(&mut self, queue: &Queue<K>) -> Option<Rank> {
        loop {
            let rank = queue.at_or_after(self.from?)?;
            self.from = Some(rank.next());
            if self.left.as_ref().is_none_or(|left| !left.contains(&rank.job())) {
                return Some(rank);
            }
        }
    }

    /// The job is left waiting.
    pub fn leaves(&mut self, job: JobId) {
        if let Some(left) = &mut self.left {
            left.insert(job);
        }
    }

    /// The job was started.
    pub fn started<const K: usize>(&mut self, queue: &Queue<K>) {
        if self.left.is_some() {
            self.from = queue.first();
        }
    }
}
