//! Fair start times: the time at which each job would have started under a fair scheduler.

use batchlab_traces::Time;

/// The start of every job under a scheduler that is considered fair.
///
/// There are two families (Sabin and Sadayappan 2005): the same policy without later arrivals, and one fixed
/// fair scheduler. These start times are of the second family; the caller obtains them from another replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairStarts {
    /// Short name, part of the metric's key: `consp` (conservative backfilling with exact estimates), `fcfs`.
    pub variant: String,
    /// Start of each job, by its position in the workload.
    pub start: Vec<Time>,
}
