//! Who has waited so long that it goes before all others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use crate::support::wait_limit::WaitLimit;
use crate::view::JobView;

/// The limit on waiting beyond which jobs go first, and when each reaches it.
#[derive(Clone, Debug)]
pub struct Threshold {
    limit: WaitLimit,
    /// When jobs reach it, the next first; some have left.
    dues: BinaryHeap<Reverse<(Time, JobId)>>,
    /// When each waiting job reaches it, where that was computed.
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

    /// A job begins to wait.
    pub fn push(&mut self, job: JobView<'_>, expected: Time) {
        let Some(due) = self.limit.reached(job, expected) else { return };
        self.dues.push(Reverse((due, job.id())));
        if let WaitLimit::Computed(..) = self.limit {
            self.computed.insert(job.id(), due);
        }
    }

    /// A job no longer waits.
    pub fn remove(&mut self, job: JobId) {
        if !self.computed.is_empty() {
            self.computed.remove(&job);
        }
    }

    /// Whether a job has reached it by an instant.
    #[inline]
    pub fn is_over(&self, job: JobView<'_>, now: Time) -> bool {
        match self.limit {
            WaitLimit::Never => false,
            WaitLimit::After(limit) => now - job.submit() >= limit,
            WaitLimit::Computed(..) => self.computed.get(&job.id()).is_some_and(|&due| due <= now),
        }
    }

    /// Returns a job that has reached it by an instant, each once; it may have left.
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
