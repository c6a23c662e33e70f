//! The long-term queues: the jobs that wait for memory and processors, and their order.

use std::ops::Bound;

use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

/// The rank of a job in its queue: least accumulated service first, then least memory if the order says so,
/// then the order of joining.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServiceRank {
    service: Time,
    memory: i64,
    joined: u64,
    pub job: JobId,
}

/// The long-term queue of one class of jobs, by the kind of their requests: while the first job of a kind has no room, no
/// other job of this kind has room. Joining and leaving are O(log n).
#[derive(Clone, Debug)]
pub struct LongTermQueue<Kind> {
    kinds: SortedMap<Kind, SortedSet<ServiceRank>>,
    heads: SortedMap<ServiceRank, Kind>,
    places: SortedMap<JobId, (ServiceRank, Kind)>,
    joined: u64,
}

impl<Kind> Default for LongTermQueue<Kind> {
    fn default() -> LongTermQueue<Kind> {
        LongTermQueue {
            kinds: SortedMap::new(),
            heads: SortedMap::new(),
            places: SortedMap::new(),
            joined: 0,
        }
    }
}

impl<Kind: Clone + Ord> LongTermQueue<Kind> {
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The service is what the job has accumulated; the memory ranks it, and is the same for all jobs if it does not count.
    pub fn join(&mut self, job: JobId, kind: Kind, service: Time, memory: i64) {
        let rank = ServiceRank { service, memory, joined: self.joined, job };
        self.joined += 1;
        self.insert(rank, kind);
    }

    fn insert(&mut self, rank: ServiceRank, kind: Kind) {
        let ranks = self.kinds.entry(kind.clone()).or_default();
        let before = ranks.first().copied();
        ranks.insert(rank);
        if before.is_none_or(|before| rank < before) {
            if let Some(before) = before {
                self.heads.remove(&before);
            }
            self.heads.insert(rank, kind.clone());
        }
        self.places.insert(rank.job, (rank, kind));
    }

    /// Removes a job; returns whether it was in the queue.
    pub fn leave(&mut self, job: JobId) -> bool {
        let Some((rank, kind)) = self.places.remove(&job) else { return false };
        let Some(ranks) = self.kinds.get_mut(&kind) else { return false };
        ranks.remove(&rank);
        let next = ranks.first().copied();
        if next.is_none() {
            self.kinds.remove(&kind);
        }
        if self.heads.remove(&rank).is_some()
            && let Some(next) = next
        {
            self.heads.insert(next, kind);
        }
        true
    }

    /// Returns the first of each kind, behind a rank if given, in order.
    pub fn heads(&self, behind: Option<ServiceRank>) -> impl Iterator<Item = (ServiceRank, &Kind)> {
        let from = behind.map_or(Bound::Unbounded, Bound::Excluded);
        self.heads.range((from, Bound::Unbounded)).map(|(&rank, kind)| (rank, kind))
    }

    /// Re-sorts the queue by accumulated service; jobs with equal service keep their order of joining. O(n log n).
    pub fn rank_by(&mut self, service: impl Fn(JobId) -> Time) {
        let ranked = LongTermQueue { joined: self.joined, ..LongTermQueue::default() };
        for (rank, kind) in std::mem::replace(self, ranked).places.into_values() {
            self.insert(ServiceRank { service: service(rank.job), ..rank }, kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each job is a kind of its own: a queue without kinds.
    fn order(line: &LongTermQueue<u32>) -> Vec<u32> {
        line.heads(None).map(|(rank, _)| rank.job.0).collect()
    }

    fn secs(seconds: i64) -> Time {
        Time::from_secs(seconds)
    }

    #[test]
    fn equals_are_served_in_the_order_in_which_they_joined() {
        let mut line = LongTermQueue::default();
        for job in [4, 2, 9] {
            line.join(JobId(job), job, Time::ZERO, 0);
        }
        assert_eq!(order(&line), [4, 2, 9]);
        assert!(line.leave(JobId(4)) && !line.leave(JobId(4)));
        line.join(JobId(4), 4, Time::ZERO, 0);
        assert_eq!(order(&line), [2, 9, 4]);
    }

    #[test]
    fn least_service_goes_before_least_memory_and_that_before_who_came_first() {
        let mut line = LongTermQueue::default();
        line.join(JobId(1), 1, secs(10), 5);
        line.join(JobId(2), 2, secs(0), 7);
        line.join(JobId(3), 3, secs(0), 3);
        line.join(JobId(4), 4, secs(0), 7);
        assert_eq!(order(&line), [3, 2, 4, 1]);
    }

    #[test]
    fn equal_jobs_keep_their_order_of_joining_when_re_ranked() {
        let mut line = LongTermQueue::default();
        line.join(JobId(1), 1, secs(1), 0);
        line.join(JobId(2), 2, secs(0), 0);
        line.join(JobId(3), 3, secs(4), 0);
        assert_eq!(order(&line), [2, 1, 3]);
        line.rank_by(|job| if job == JobId(2) { secs(3) } else { secs(0) });
        assert_eq!(order(&line), [1, 3, 2]);
        assert!(line.leave(JobId(2)));
        assert_eq!(order(&line), [1, 3]);
    }

    #[test]
    fn only_the_first_of_each_kind_is_at_hand_until_it_leaves() {
        let mut line = LongTermQueue::default();
        for (job, kind) in [(1, 'a'), (2, 'b'), (3, 'a'), (4, 'b')] {
            line.join(JobId(job), kind, secs(0), 0);
        }
        let heads = |line: &LongTermQueue<char>, behind| -> Vec<u32> {
            line.heads(behind).map(|(rank, _)| rank.job.0).collect()
        };
        assert_eq!(heads(&line, None), [1, 2]);
        let (first, _) = line.heads(None).next().unwrap();
        assert_eq!(heads(&line, Some(first)), [2]);
        line.leave(JobId(1));
        assert_eq!(heads(&line, Some(first)), [2, 3]);
        line.leave(JobId(3));
        assert_eq!(heads(&line, None), [2]);
        // With less service than the first of its kind a job goes ahead of it.
        line.rank_by(|job| secs(i64::from(job == JobId(2))));
        assert_eq!(heads(&line, None), [4]);
    }
}
