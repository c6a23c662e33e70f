//! Jobs that come in sections and go as they end.

use batchlab_traces::{JobId, Time, Workload};

use crate::outcome::Fate;

/// Where the jobs of a streamed replay come from, and where they go.
pub trait Stream: Send {
    /// Returns the next jobs, none of which is submitted before one that came earlier; `None` at the end.
    fn more(&mut self) -> Option<Workload>;

    /// Takes a job that has ended; jobs come in the order of submission. `jobs` is the section that holds it.
    fn done(&mut self, jobs: &Workload, done: &Done);
}

/// A job that has ended.
#[allow(missing_docs, reason = "names say what has no line")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    pub job: JobId,
    /// Its start; for a job that was killed while it waited, its end.
    pub start: Time,
    /// Its end; [`Time::MAX`] for a rejected job.
    pub end: Time,
    pub fate: Fate,
    /// The run time by which the policy planned when it started: a prediction, or the estimate.
    pub predicted: Time,
}
