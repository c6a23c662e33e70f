//! The long-term queues: the jobs that wait for memory and processors, and their order.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::{JobId, Time};

/// The rank of a job in its queue: least accumulated service first, then least memory if the order says so,
/// then the order of joining.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    service: Time,
    memory: i64,
    joined: u64,
    job: JobId,
}

/// The long-term queue of one class of jobs. Joining and leaving are O(log n).
#[derive(Clone, Debug, Default)]
pub struct Line {
    ranks: BTreeSet<Rank>,
    of: BTreeMap<JobId, Rank>,
    joined: u64,
}

impl Line {
    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Adds a job with its accumulated service and the memory by which it is ranked (the same for all jobs
    /// if memory does not count).
    pub fn join(&mut self, job: JobId, service: Time, memory: i64) {
        let rank = Rank { service, memory, joined: self.joined, job };
        self.joined += 1;
        self.ranks.insert(rank);
        self.of.insert(job, rank);
    }

    /// Removes a job; returns whether it was in the queue.
    pub fn leave(&mut self, job: JobId) -> bool {
        self.of.remove(&job).is_some_and(|rank| self.ranks.remove(&rank))
    }

    /// Returns the waiting jobs in order.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> + '_ {
        self.ranks.iter().map(|rank| rank.job)
    }

    /// Re-sorts the queue by accumulated service; jobs with equal service keep their order of joining. O(n
    /// log n).
    pub fn rank_by(&mut self, service: impl Fn(JobId) -> Time) {
        let ranked = |rank: &Rank| Rank { service: service(rank.job), ..*rank };
        self.ranks = self.ranks.iter().map(ranked).collect();
        self.of = self.ranks.iter().map(|&rank| (rank.job, rank)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(line: &Line) -> Vec<u32> {
        line.jobs().map(|job| job.0).collect()
    }

    fn secs(seconds: i64) -> Time {
        Time::from_secs(seconds)
    }

    #[test]
    fn equals_are_served_in_the_order_in_which_they_joined() {
        let mut line = Line::default();
        for job in [4, 2, 9] {
            line.join(JobId(job), Time::ZERO, 0);
        }
        assert_eq!(order(&line), [4, 2, 9]);
        assert!(line.leave(JobId(4)) && !line.leave(JobId(4)));
        line.join(JobId(4), Time::ZERO, 0);
        assert_eq!(order(&line), [2, 9, 4]);
    }

    #[test]
    fn least_service_goes_before_least_memory_and_that_before_who_came_first() {
        let mut line = Line::default();
        line.join(JobId(1), secs(10), 5);
        line.join(JobId(2), secs(0), 7);
        line.join(JobId(3), secs(0), 3);
        line.join(JobId(4), secs(0), 7);
        assert_eq!(order(&line), [3, 2, 4, 1]);
    }

    #[test]
    fn equal_jobs_keep_their_order_of_joining_when_re_ranked() {
        let mut line = Line::default();
        line.join(JobId(1), secs(1), 0);
        line.join(JobId(2), secs(0), 0);
        line.join(JobId(3), secs(4), 0);
        assert_eq!(order(&line), [2, 1, 3]);
        line.rank_by(|job| if job == JobId(2) { secs(3) } else { secs(0) });
        assert_eq!(order(&line), [1, 3, 2]);
        assert!(line.leave(JobId(2)));
        assert_eq!(order(&line), [1, 3]);
    }
}
