use crate::finding::Refusal;

/// Why a trace cannot be replayed.
#[allow(missing_docs)] // The messages say what each is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadingError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(
        "{missing} of {jobs} jobs have no {resource}; leave it out with --capacity {resource}=none, or supply it with \
         a step of the kind `resource` (--steps FILE; `batchlab list steps resource`)"
    )]
    MissingResource { resource: String, missing: u64, jobs: u64 },
    #[error("no job is left to replay ({rows} rows in the trace)")]
    NoJobs { rows: usize },
    #[error(
        "the machine's size is unknown: no MaxProcs in the header and no job with a size; give --procs N"
    )]
    NoMachineSize,
}
