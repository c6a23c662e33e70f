//! The run times by which a policy planned.

use std::collections::HashMap;

use batchlab_traces::{JobId, Time, Workload};

use super::Outcome;

impl Outcome {
    /// Returns the run time by which the policy planned when a job first started: its prediction, or the job's estimate
    /// if the policy made none. `None` if the outcome is not that of a replay.
    #[inline]
    pub fn predicted(&self, jobs: &Workload, job: JobId) -> Option<Time> {
        let predicted = self.predicted.as_ref()?;
        Some(predicted.get(&job).copied().unwrap_or_else(|| jobs.estimate(job)))
    }

    /// Records the prediction with which a job starts, if the policy made one; that of its first start is kept.
    #[inline]
    pub(crate) fn keep_prediction(&mut self, job: JobId, expected: &HashMap<JobId, Time>) {
        if let (Some(&prediction), Some(predicted)) = (expected.get(&job), &mut self.predicted) {
            predicted.entry(job).or_insert(prediction);
        }
    }

    /// Returns the run time by which the policy planned, and forgets it.
    pub(crate) fn take_prediction(&mut self, jobs: &Workload, job: JobId) -> Time {
        let taken = self.predicted.as_mut().and_then(|predicted| predicted.remove(&job));
        taken.unwrap_or_else(|| jobs.estimate(job))
    }
}
