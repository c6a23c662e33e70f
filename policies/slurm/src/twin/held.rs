//! Why the loops do not start a waiting job, asked what they would start in a state.

use batchlab_traces::JobId;

/// Why the loops do not start a waiting job in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Limits or licences keep it out.
    Limit,
    /// Its nodes are under maintenance, or reserved for jobs that name the reservation.
    Closed,
    /// A job before it does not fit, and closes its partition or its nodes; no cycle has come to it.
    Behind(JobId),
    /// Its nodes have too little room.
    Resources,
    /// There is room, and a cycle reserves it for jobs before it.
    Reserved,
    /// A cycle tests no more jobs of its kind.
    Untested,
}
