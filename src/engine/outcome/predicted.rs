use std::collections::HashMap;

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time, Workload};

/// The run times by which a policy planned when jobs first started, where these were not their estimates.
#[derive(Clone, Debug, Default)]
pub struct Predictions(SortedMap<JobId, Time>);

impl Predictions {
    /// Returns the run time by which the policy planned when a job first started: its prediction, or the job's estimate
    /// if the policy made none.
    #[inline]
    pub fn of(&self, jobs: &Workload, job: JobId) -> Time {
        self.0.get(&job).copied().unwrap_or_else(|| jobs.estimate(job))
    }

    /// Records the prediction with which a job starts, if the policy made one; that of its first start is kept.
    #[inline]
    pub(crate) fn keep(&mut self, job: JobId, expected: &HashMap<JobId, Time>) {
        if let Some(&prediction) = expected.get(&job) {
            self.0.entry(job).or_insert(prediction);
        }
    }

    /// Returns the run time by which the policy planned, and forgets it.
    pub(crate) fn take(&mut self, jobs: &Workload, job: JobId) -> Time {
        self.0.remove(&job).unwrap_or_else(|| jobs.estimate(job))
    }
}
