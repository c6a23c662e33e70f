//! Limits on what users, groups, accounts, partitions, queues and service classes may use: a table in a file.

mod file;
mod table;

pub use file::{LimitError, LimitFile};
pub use table::{ABOVE_LIMIT, ABOVE_WALL_TIME, IDLE_LIMIT, Limit, LimitTable, LimitsError};

use std::fmt;

/// What counts towards a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counted {
    /// The jobs on the machine, as batch systems count: the scheduler does not consider a waiting job while
    /// its start would exceed the limit, so that the job holds no reservation, and considers it again when
    /// there is room, at its place in the order of priority.
    #[default]
    Running,
    /// The jobs that the scheduler considers, waiting or running; the others wait outside the queue, and are
    /// admitted in the order of submission.
    Eligible,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Counted::Running => "running",
            Counted::Eligible => "eligible",
        })
    }
}

/// What a limit bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitedQuantity {
    /// The number of jobs.
    Jobs,
    /// Their processors.
    Procs,
    /// Their demand of a resource, by its index on the machine.
    Demand(usize),
    /// The processor-time that they may still use, in processors × ticks: the sum of each job's processors × the rest of its
    /// estimate.
    Work,
}
