//! Coming events of one kind.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::Time;

/// What is to happen at known instants, the earliest first; ties in the order of `T`.
pub(super) struct Coming<T>(BinaryHeap<Reverse<(Time, T)>>);

impl<T: Ord + Copy> Coming<T> {
    pub(super) fn new() -> Coming<T> {
        Coming(BinaryHeap::new())
    }

    /// Adds what is to happen at an instant. O(log n).
    pub(super) fn add(&mut self, at: Time, what: T) {
        self.0.push(Reverse((at, what)));
    }

    /// Returns what happens next, and when.
    pub(super) fn first(&self) -> Option<(Time, T)> {
        self.0.peek().map(|&Reverse(first)| first)
    }

    pub(super) fn next(&self) -> Option<Time> {
        self.first().map(|(at, _)| at)
    }

    /// Takes what happens next, if it is due, with its instant. O(log n).
    pub(super) fn take(&mut self, now: Time) -> Option<(Time, T)> {
        let first = self.first().filter(|&(at, _)| at <= now)?;
        self.0.pop();
        Some(first)
    }

    /// Drops what comes first as long as it is stale.
    pub(super) fn drop_while(&mut self, is_stale: impl Fn(Time, T) -> bool) {
        while self.first().is_some_and(|(at, what)| is_stale(at, what)) {
            self.0.pop();
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.len() * size_of::<Reverse<(Time, T)>>()
    }
}
