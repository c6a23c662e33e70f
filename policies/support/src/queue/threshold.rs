//! The jobs whose wait has reached a threshold: they go before all others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use crate::view::JobView;
use crate::wait_limit::WaitLimit;

/// The limit on waiting beyond which jobs go first, and the instants at which jobs reach it.
#[derive(Clone, Debug)]
pub struct Threshold {
    limit: WaitLimit,
    /// The instants at which jobs reach the limit, earliest first; may contain jobs that have left.
    dues: BinaryHeap<Reverse<(Time, JobId)>>,
    waiting: FxHashMap<JobId, Time>,
}

impl Threshold {
    pub fn new(limit: WaitLimit) -> Threshold {
        Threshold { limit, dues: BinaryHeap::new(), waiting: FxHashMap::default() }
    }

    /// Whether no job ever reaches it.
    #[inline]
    pub fn is_never(&self) -> bool {
        matches!(self.limit, WaitLimit::Never)
    }

    #[inline]
    pub fn push(&mut self, job: JobView<'_>, expected: Time) {
        let Some(due) = self.limit.reached(job, expected) else { return };
        self.dues.push(Reverse((due, job.id())));
        self.waiting.insert(job.id(), due);
    }

    /// A job no longer waits; drops its record.
    #[inline]
    pub fn remove(&mut self, job: JobId) {
        if !self.waiting.is_empty() {
            self.waiting.remove(&job);
        }
    }

    #[inline]
    pub fn is_over(&self, job: JobView<'_>, now: Time) -> bool {
        match self.limit {
            WaitLimit::Never => false,
            WaitLimit::After(limit) => now - job.submit() >= limit,
            WaitLimit::Computed(..) => self.waiting.get(&job.id()).is_some_and(|&due| due <= now),
        }
    }

    /// Returns the next waiting job that has reached the limit by an instant.
    #[inline]
    pub fn next_over(&mut self, now: Time) -> Option<JobId> {
        while let Some(&Reverse((due, job))) = self.dues.peek()
            && due <= now
        {
            self.dues.pop();
            if self.waiting.get(&job) == Some(&due) {
                return Some(job);
            }
        }
        None
    }
}
