//! Fair start times: when each job would have started had it been treated fairly.

use batchlab_traces::Time;

/// The start of every job under a scheduler that is taken as fair.
///
/// Two families exist (Sabin and Sadayappan 2005): the same policy without later arrivals, and one fixed
/// fair scheduler. These are of the second kind; the caller takes them from another replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairStarts {
    /// Short name, part of the metric's key: `consp` (conservative backfilling with perfect estimates),
    /// `fcfs`.
    pub variant: String,
    /// Start of each job, by its position in the workload.
    pub start: Vec<Time>,
}
