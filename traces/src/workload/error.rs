//! Why a trace cannot be replayed.

use crate::finding::Refusal;

/// Why a trace cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    /// Strict reading refused a finding.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The machine has a resource for which the jobs have no amounts.
    #[error(
        "{missing} of {jobs} jobs have no {resource}; leave it out with --capacity {resource}=none, or supply it with \
         a step of the kind `resource` (--steps FILE; `batchlab list steps resource`)"
    )]
    MissingResource {
        /// The resource's name.
        resource: String,
        /// Jobs without it.
        missing: u64,
        /// All jobs.
        jobs: u64,
    },
    /// No job to replay.
    #[error("no job is left to replay ({rows} rows in the trace)")]
    NoJobs {
        /// Rows of the trace.
        rows: usize,
    },
    /// No size of the machine in header or jobs.
    #[error(
        "the machine's size is unknown: no MaxProcs in the header and no job with a size; give --procs N"
    )]
    NoMachineSize,
}
