//! The jobs that were changed as they waited or ran, as far as a replay has come.

use std::sync::Arc;

use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use crate::site::{ChangedJob, SlurmSite};

pub(super) struct ChangedJobs {
    site: Arc<SlurmSite>,
    come: usize,
    /// What they have made of each job, by its row; and all rows that will change.
    states: SortedMap<usize, ChangedJob>,
    jobs: SortedMap<usize, JobId>,
    /// The jobs that wait and are held.
    held: SortedSet<JobId>,
}

impl ChangedJobs {
    pub(super) fn new(site: &Arc<SlurmSite>) -> ChangedJobs {
        let states = site.changes().iter().map(|one| (one.row, ChangedJob::default())).collect();
        let (jobs, held) = (SortedMap::new(), SortedSet::new());
        ChangedJobs { site: site.clone(), come: 0, states, jobs, held }
    }

    /// Takes the next change, if it has come by now: the job, if it is in the replay, and its limit before and now, if it has one
    /// since then.
    pub(super) fn take_due(&mut self, now: Time) -> Option<(Option<JobId>, [Option<Time>; 2])> {
        let one = *self.site.changes().get(self.come).filter(|one| one.at <= now)?;
        self.come += 1;
        let state = self.states.entry(one.row).or_default();
        let before = state.limit;
        state.change(one.change);
        Some((self.jobs.get(&one.row).copied(), [before, state.limit]))
    }

    pub(super) fn next(&self) -> Option<Time> {
        self.site.changes().get(self.come).map(|one| one.at)
    }

    /// A job waits; returns what changes have made of it, if any will be.
    pub(super) fn enters(&mut self, row: usize, job: JobId) -> Option<ChangedJob> {
        let state = self.states.get(&row).copied()?;
        self.jobs.insert(row, job);
        if state.is_held {
            self.held.insert(job);
        }
        Some(state)
    }

    pub(super) fn state(&self, row: usize) -> ChangedJob {
        self.states.get(&row).copied().unwrap_or_default()
    }

    /// A job no longer waits, or is no longer held; returns whether it was.
    pub(super) fn leaves(&mut self, job: JobId) -> bool {
        self.held.remove(&job)
    }

    pub(super) fn held(&self) -> &SortedSet<JobId> {
        &self.held
    }
}
