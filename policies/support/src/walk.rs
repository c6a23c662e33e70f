//! A walk through a queue during which jobs start.
//!
//! If every start changes the order, reservations of a decision stay: EASY's head is the head until the next decision
//! even if a start puts another job before it, and `depth` continues with the jobs without a reservation.

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedSet;

use super::queue::{Queue, Rank};

/// How many jobs are looked up at a time.
const AHEAD: usize = 32;

/// The position of a walk in queue order.
///
/// If every start changes the order (a *fluid* order), the walk restarts after each start and skips the jobs
/// that it has left waiting.
#[derive(Clone, Debug)]
pub struct Walk {
    from: Option<Rank>,
    /// The next jobs in reverse order, if starts do not change it.
    ahead: Vec<Rank>,
    /// The jobs left waiting; recorded for fluid orders only.
    left: Option<SortedSet<JobId>>,
}

impl Walk {
    pub fn new<const K: usize>(queue: &Queue<K>) -> Walk {
        Walk { from: queue.first(), ahead: Vec::new(), left: queue.order().is_fluid().then(SortedSet::new) }
    }

    /// Returns a walk through the jobs after a job of a queue whose order does not change with starts.
    #[inline]
    pub fn after(rank: Rank) -> Walk {
        Walk { from: Some(rank.next()), ahead: Vec::new(), left: None }
    }

    /// Returns the next job's rank. No job may have joined the queue since the walk began. O(1 + log n / 32) if starts do not
    /// change the order; else O(log n), and again for each job that was left waiting and is met again.
    pub fn next<const K: usize>(&mut self, queue: &Queue<K>) -> Option<Rank> {
        let Some(left) = &self.left else {
            if self.ahead.is_empty() {
                queue.take_from(self.from?, AHEAD, &mut self.ahead);
                self.from = self.ahead.last().map(|last| last.next());
                self.ahead.reverse();
            }
            return self.ahead.pop();
        };
        loop {
            let rank = queue.at_or_after(self.from?)?;
            self.from = Some(rank.next());
            if !left.contains(&rank.job()) {
                return Some(rank);
            }
        }
    }

    #[inline]
    pub fn leaves(&mut self, job: JobId) {
        if let Some(left) = &mut self.left {
            left.insert(job);
        }
    }

    pub fn started<const K: usize>(&mut self, queue: &Queue<K>) {
        if self.left.is_some() {
            self.from = queue.first();
        }
    }
}
