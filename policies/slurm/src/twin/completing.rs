//! Nodes that complete: their job has ended, and no other job starts there yet.

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

#[derive(Clone, Debug)]
pub(super) struct Completing {
    /// How long the nodes of a job take.
    delay: Time,
    /// How long both loops wait for them (`CompleteWait`).
    most_wait: Time,
    /// What each job has left, by the instant at which it is free.
    left: SortedMap<(Time, JobId), Left>,
}

#[derive(Clone, Debug)]
pub(super) struct Left {
    pub(super) nodes: Vec<u32>,
    pub(super) was_killed: bool,
}

impl Completing {
    pub(super) fn new(delay: Time, most_wait: Time) -> Completing {
        Completing { delay, most_wait, left: SortedMap::new() }
    }

    pub(super) fn takes_time(&self) -> bool {
        self.delay > Time::ZERO
    }

    pub(super) fn add(&mut self, job: JobId, left: Left, now: Time) {
        self.left.insert((now + self.delay, job), left);
    }

    /// Takes the nodes that were free first, if they are by now.
    pub(super) fn take_done(&mut self, now: Time) -> Option<Left> {
        let first = self.left.first_entry().filter(|entry| entry.key().0 <= now)?;
        Some(first.remove())
    }

    pub(super) fn next(&self) -> Option<Time> {
        self.left.keys().next().map(|&(at, _)| at)
    }

    /// Returns until when neither loop runs: a job has ended no longer than `CompleteWait` before (`job_is_completing`).
    pub(super) fn loops_wait_until(&self) -> Option<Time> {
        let last = self.left.keys().next_back().filter(|_| self.most_wait > Time::ZERO);
        last.map(|&(at, _)| at.min(at - self.delay + self.most_wait))
    }
}
