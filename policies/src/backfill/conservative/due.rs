//! Which reservations fall due, and when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::{JobId, Time};

use crate::support::by_job::ByJob;

/// Up to this number of entries, outdated ones are not removed.
const FEW: usize = 64;

/// The reservations that fall due, by start. A tentative reservation is in the plan, but not here.
///
/// Reservations move often and few fall due meanwhile: an outdated start stays in the heap until it comes to the top, or
/// until outdated starts are three times as many as valid ones.
#[derive(Debug, Default)]
pub struct Due {
    starts: ByJob<Time>,
    heap: BinaryHeap<Reverse<(Time, JobId)>>,
}

impl Due {
    /// A reservation falls due at its start, and no longer at an earlier or later one. O(log n), counted over many.
    pub fn add(&mut self, job: JobId, from: Time) {
        self.starts.insert(job, from);
        if self.heap.len() > FEW + 4 * self.starts.jobs() {
            let mut entries = std::mem::take(&mut self.heap).into_vec();
            entries.retain(|Reverse((from, job))| self.starts.get(*job) == Some(from));
            entries.sort_unstable();
            entries.dedup();
            self.heap = entries.into();
        }
        self.heap.push(Reverse((from, job)));
    }

    /// A reservation no longer falls due at its start; returns whether it did.
    pub fn remove(&mut self, job: JobId) -> bool {
        self.starts.remove(job).is_some()
    }

    /// Returns the jobs whose reservations have fallen due by an instant, by start.
    pub fn by(&mut self, now: Time) -> Vec<JobId> {
        let mut due: Vec<(Time, JobId)> = Vec::new();
        while self.first().is_some_and(|from| from <= now) {
            due.extend(self.heap.pop().map(|Reverse(start)| start));
        }
        due.dedup();
        self.heap.extend(due.iter().copied().map(Reverse));
        due.into_iter().map(|(_, job)| job).collect()
    }

    /// Returns the first instant at which a reservation falls due.
    pub fn first(&mut self) -> Option<Time> {
        while let Some(&Reverse((from, job))) = self.heap.peek() {
            if self.starts.get(job) == Some(&from) {
                return Some(from);
            }
            self.heap.pop();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use batchlab_traces::sorted::SortedSet;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_falls_due_is_that_of_a_set(
            changes in prop::collection::vec((0u32..12, 0i64..40, any::<bool>()), 0..400),
            now in 0i64..40,
        ) {
            let (mut due, mut set) = (Due::default(), SortedSet::new());
            for &(job, from, goes) in &changes {
                let (job, from) = (JobId(job), Time::from_secs(from));
                let before = set.len();
                set.retain(|&(_, other)| other != job);
                if goes {
                    prop_assert_eq!(due.remove(job), set.len() < before);
                } else {
                    due.add(job, from);
                    set.insert((from, job));
                }
                prop_assert_eq!(due.first(), set.first().map(|first| first.0));
            }
            let now = Time::from_secs(now);
            let by: Vec<JobId> = set.iter().filter(|start| start.0 <= now).map(|start| start.1).collect();
            prop_assert_eq!(due.by(now), by.clone());
            prop_assert_eq!(due.by(now), by);
            prop_assert!(due.heap.len() <= FEW + 4 * 12 + 1);
        }
    }
}
