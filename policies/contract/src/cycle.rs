//! Rows that take turns: the cyclic schedule that a gang scheduling policy passes to the engine.

use crate::words;
use batchlab_traces::{JobId, Time};

/// A cyclic schedule: each slice runs the jobs of one row, row after row, and then from the first row again (Ousterhout 1982).
///
/// The engine takes the turns by itself: a slice in which nothing changes costs nothing, and the policy is not woken for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cycle {
    /// The jobs of each row by its position in the matrix. A job may be in several rows; a row without jobs takes no turn.
    pub rows: Vec<Vec<JobId>>,
    /// Length of a slice.
    pub slice: Time,
    /// What follows the slice that the new cycle cuts short.
    pub resume: Resume,
    /// The migrations that led to these rows, for the jobs that wait for a checkpoint.
    pub checkpoints: Vec<Checkpoint>,
}

/// A cycle that differs from the last one in the rows of some jobs; jobs that have ended since have left theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CycleChanges {
    /// The number of rows.
    pub rows: usize,
    /// The jobs whose rows change, each with all its rows from now on, ascending.
    pub jobs: Vec<(JobId, Vec<u32>)>,
    /// Length of a slice.
    pub slice: Time,
    /// What follows the slice that the changes cut short.
    pub resume: Resume,
    /// The migrations that led to these rows, as [`Cycle::checkpoints`].
    pub checkpoints: Vec<Checkpoint>,
}

/// One migration: the jobs that leave their processors, and the jobs that run on these processors once the
/// checkpoints are done (Zhang et al. 2000, figure 13).
///
/// For a job A that enters a row in which the jobs S(A) use its processors: under option 1 the jobs S(A) leave and A
/// waits (equation 4), under option 2 A leaves and the jobs S(A) wait (equation 5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The jobs that move to other processors.
    pub leaving: Vec<JobId>,
    /// The jobs that take over the processors of the leaving jobs.
    pub waiting: Vec<JobId>,
}

/// What follows the slice that is cut short by a new cycle.
///
/// Zhang et al. 2000 do not say which; each is a possible reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resume {
    /// The row at the same position continues for the rest of its slice; if it is empty now, the next row
    /// that is not empty gets a whole slice.
    #[default]
    Continue,
    /// The next row has a whole slice.
    Next,
    /// The first row has a whole slice.
    First,
}

words!(Resume { Continue = "continue", Next = "next", First = "first" });
