//! The jobs that have waited so long that they go before all others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use crate::support::wait_limit::WaitLimit;
use crate::view::JobView;

/// The limit on waiting beyond which jobs go first, and the instants at which jobs reach it.
#[derive(Clone, Debug)]
pub struct Threshold {
    limit: WaitLimit,
    /// The instants at which jobs reach the limit, earliest first; may contain jobs that have left.
    dues: BinaryHeap<Reverse<(Time, JobId)>>,
    /// The instant for each waiting job, if the limit is an expression.
    computed: FxHashMap<JobId, Time>,
}

impl Threshold {
    /// Returns the threshold of a limit.
    pub fn new(limit: WaitLimit) -> Threshold {
        Threshold { limit, dues: BinaryHeap::new(), computed: FxHashMap::default() }
    }

    /// Whether no job ever reaches it.
    pub fn is_never(&self) -> bool {
        matches!(self.limit, WaitLimit::Never)
    }

    /// A job begins to wait; records when it reaches the limit.
    pub fn push(&mut self, job: JobView<'_>, expected: Time) {
        let Some(due) = self.limit.reached(job, expected) else { return };
        self.dues.push(Reverse((due, job.id())));
        if let WaitLimit::Computed(..) = self.limit {
            self.computed.insert(job.id(), due);
        }
    }

    /// A job no longer waits; drops its record.
    pub fn remove(&mut self, job: JobId) {
        if !self.computed.is_empty() {
            self.computed.remove(&job);
        }
    }

    /// Whether a job has reached the limit by an instant.
    #[inline]
    pub fn is_over(&self, job: JobView<'_>, now: Time) -> bool {
        match self.limit {
            WaitLimit::Never => false,
            WaitLimit::After(limit) => now - job.submit() >= limit,
            WaitLimit::Computed(..) => self.computed.get(&job.id()).is_some_and(|&due| due <= now),
        }
    }

    /// Returns the next job that has reached the limit by an instant, each job once; it may have left the
    /// queue.
    pub fn next_over(&mut self, now: Time) -> Option<JobId> {
        while let Some(&Reverse((due, job))) = self.dues.peek()
            && due <= now
        {
            self.dues.pop();
            let stale =
                matches!(self.limit, WaitLimit::Computed(..)) && self.computed.get(&job) != Some(&due);
            if !stale {
                return Some(job);
            }
        }
        None
    }
}
