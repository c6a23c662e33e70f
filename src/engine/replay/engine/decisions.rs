//! The decisions of a replay, and the budget that they use up.

use std::time::Duration;

use batchlab_support::PolicyError;
use batchlab_support::cluster::Cluster;
use batchlab_support::stage::Work;
use batchlab_traces::Time;

use super::budget::Budget;
use super::error::ReplayError;

pub(super) struct Decided {
    /// Whether it started or ended a job or changed a rate.
    pub acted: bool,
    /// Arrivals and ends so far.
    pub happened: (u32, usize),
    /// What it cost beside the policy's own code.
    pub work: Work,
    /// The size in bytes of the record of jobs whose rate changes.
    pub record: u64,
}

pub(super) struct Decisions {
    policy: String,
    last: Time,
    at_once: u64,
    budget: Budget,
    began: Duration,
    /// Arrivals and ends, as of the last decision.
    happened: (u32, usize),
    /// Consecutive decisions without an arrival, a start, an end or a change of rate.
    idle: u64,
    work: u64,
}

impl Decisions {
    pub(super) fn new(policy: String, budget: Budget) -> Decisions {
        let began = budget.time.map_or(Duration::ZERO, |limit| (limit.clock)());
        let (last, happened) = (Time::ZERO, (0, 0));
        Decisions { policy, last, at_once: 0, budget, began, happened, idle: 0, work: 0 }
    }

    pub(super) fn last(&self) -> Time {
        self.last
    }

    /// Counts a decision that comes now, among `jobs` jobs; an error if there are too many at this instant, or it is too late.
    pub(super) fn open(&mut self, now: Time, jobs: usize) -> Result<(), ReplayError> {
        self.at_once = if self.last == now { self.at_once + 1 } else { 1 };
        self.last = now;
        let policy = || self.policy.clone();
        if self.at_once > 1000 + 10 * jobs as u64 {
            return Err(ReplayError::Endless { policy: policy(), at: now, decisions: self.at_once });
        }
        if now > Time::FARTHEST { Err(ReplayError::TooFar { policy: policy(), at: now }) } else { Ok(()) }
    }

    /// Charges the last decision to the budget. O(1).
    pub(super) fn charge(&mut self, decided: &Decided, cluster: &Cluster) -> Result<(), ReplayError> {
        let (policy, at, budget) = (|| self.policy.clone(), self.last, &self.budget);
        if decided.record > budget.record {
            return Err(ReplayError::TooMuch { policy: policy(), at, limit: budget.record });
        }
        if decided.acted || decided.happened != self.happened {
            (self.happened, self.idle, self.work) = (decided.happened, 0, 0);
        } else {
            self.idle += 1;
            self.work = self.work.saturating_add(decided.work.units());
            let (decisions, limit) = (self.idle, budget.work);
            if decisions > budget.decisions {
                let first = cluster.waiting().next().map(|job| cluster.workload().number(job));
                return Err(ReplayError::Idle { policy: policy(), at, decisions, first });
            }
            if self.work > limit {
                return Err(ReplayError::Laborious { policy: policy(), at, decisions, limit });
            }
        }
        if budget.interrupt.is_requested() {
            return Err(ReplayError::Interrupted { policy: policy(), at });
        }
        match budget.time {
            Some(limit) if (limit.clock)().saturating_sub(self.began) > limit.duration() => {
                Err(ReplayError::TooLong { policy: policy(), at, limit: limit.most })
            }
            _ => Ok(()),
        }
    }

    /// Returns the error of the policy at the last decision; jobs have their numbers in the log.
    pub(super) fn failed(&self, cluster: &Cluster, error: PolicyError) -> ReplayError {
        let workload = cluster.workload();
        let number = |job| if workload.has(job) { workload.number(job) } else { i64::from(job.0) };
        ReplayError::Policy { policy: self.policy.clone(), at: self.last, error: error.numbered(number) }
    }

    /// Returns an error if jobs are still waiting when nothing is left to happen.
    pub(super) fn stuck(&self, cluster: &Cluster) -> Result<(), ReplayError> {
        let mut waiting = cluster.waiting().chain(cluster.resident());
        let Some(job) = waiting.next() else { return Ok(()) };
        let (policy, first) = (self.policy.clone(), cluster.workload().number(job));
        Err(ReplayError::Stuck { waiting: 1 + waiting.count(), policy, first })
    }
}
