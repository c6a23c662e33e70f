//! Which reservations fall due, and when.

use std::collections::BTreeSet;

use batchlab_traces::{JobId, Time};

/// The reservations that fall due, by start. A tentative reservation is in the plan and not here.
#[derive(Debug, Default)]
pub struct Due(BTreeSet<(Time, JobId)>);

impl Due {
    /// A reservation falls due at its start.
    pub fn add(&mut self, job: JobId, from: Time) {
        self.0.insert((from, job));
    }

    /// A reservation no longer falls due at its start; returns whether it did.
    pub fn remove(&mut self, job: JobId, from: Time) -> bool {
        self.0.remove(&(from, job))
    }

    /// Returns the jobs whose reservations have fallen due by an instant, by start.
    pub fn by(&self, now: Time) -> Vec<JobId> {
        self.0.range(..=(now, JobId(u32::MAX))).map(|&(_, job)| job).collect()
    }

    /// Returns the first instant at which a reservation falls due.
    pub fn first(&self) -> Option<Time> {
        self.0.first().map(|&(from, _)| from)
    }
}
