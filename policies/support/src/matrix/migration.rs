//! Migration: the two ways to bring a job into a row where its columns are in use, their costs, and the
//! number of tasks that may move.
//!
//! Zhang et al. 2000, section 5.4. A job moves as a whole: it is checkpointed and restarted in other columns, at a cost of C.

use batchlab_traces::JobId;

use super::{Columns, Matrix};
use crate::cycle::Checkpoint;
use crate::words;

/// The way in which a job comes into a row in which other jobs use its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Option 1: the job keeps its columns, and the jobs that use them move to other columns of the row.
    Displace,
    /// Option 2: the job moves to free columns of the row.
    Move,
}

impl Way {
    /// Returns the cheaper way for a job of `tasks` tasks, if the jobs in its way have `displaced` tasks;
    /// option 1 if both cost the same.
    pub fn cheaper(tasks: usize, displaced: usize) -> Way {
        let dearer = Way::Displace.half_costs(tasks, displaced) > Way::Move.half_costs(tasks, displaced);
        if dearer { Way::Move } else { Way::Displace }
    }

    /// Returns the cost in processors times C/2: equations 4 and 5 of the paper.
    pub fn half_costs(self, tasks: usize, displaced: usize) -> usize {
        match self {
            Way::Displace => tasks + 2 * displaced,
            Way::Move => 2 * tasks + displaced,
        }
    }

    /// Returns how many tasks move: all tasks of a job that moves.
    pub fn tasks(self, tasks: usize, displaced: usize) -> usize {
        match self {
            Way::Displace => displaced,
            Way::Move => tasks,
        }
    }

    pub fn checkpoint(self, job: JobId, others: Vec<JobId>) -> Checkpoint {
        match self {
            Way::Displace => Checkpoint { leaving: others, waiting: vec![job] },
            Way::Move => Checkpoint { leaving: vec![job], waiting: others },
        }
    }
}

/// The period for which Q limits. The paper says "in any time-slice".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MigrationScope {
    #[default]
    Event,
    /// The moves into or within each row at one scheduling event.
    Row,
}

words!(MigrationScope { Event = "event", Row = "row" });

/// What Q counts. The paper says that "at most Q tasks" migrate; jobs move as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MigrationUnit {
    #[default]
    Jobs,
    /// The tasks whose place the job takes: the number of its own columns that are in use.
    Tasks,
}

words!(MigrationUnit { Jobs = "jobs", Tasks = "tasks" });

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MigrationLimit {
    /// Q; `None` is unlimited.
    pub most: Option<u64>,
    pub scope: MigrationScope,
    pub unit: MigrationUnit,
}

/// The number of tasks that may still move at one scheduling event, and the migrations so far.
#[derive(Clone, Debug)]
pub struct Quota {
    limit: MigrationLimit,
    /// Tasks counted, by row; all in the first entry if the limit is per event.
    spent: Vec<u64>,
    checkpoints: Vec<Checkpoint>,
}

impl Quota {
    pub fn new(limit: MigrationLimit, rows: usize) -> Quota {
        Quota { limit, spent: vec![0; rows.max(1)], checkpoints: Vec::new() }
    }

    /// Returns how much a migration counts: `moving` tasks of jobs move, for a job whose columns are partly in use in a row
    /// with these free columns.
    pub(super) fn count(&self, free: &Columns, columns: &Columns, moving: usize) -> usize {
        match self.limit.unit {
            MigrationUnit::Jobs => moving,
            MigrationUnit::Tasks => {
                let mut taken = columns.clone();
                taken.take(free);
                taken.len()
            }
        }
    }

    /// Whether `tasks` tasks may move into or within a row.
    pub fn admits(&self, row: usize, tasks: usize) -> bool {
        self.spent[self.place(row)].saturating_add(tasks as u64) <= self.limit.most.unwrap_or(u64::MAX)
    }

    pub fn spend(&mut self, row: usize, tasks: usize, checkpoint: Checkpoint) {
        let place = self.place(row);
        self.spent[place] = self.spent[place].saturating_add(tasks as u64);
        self.checkpoints.push(checkpoint);
    }

    /// Returns the migrations of this event, in their order.
    pub fn into_checkpoints(self) -> Vec<Checkpoint> {
        self.checkpoints
    }

    pub fn spent(&self) -> u64 {
        self.spent.iter().sum()
    }

    fn place(&self, row: usize) -> usize {
        if self.limit.scope == MigrationScope::Event { 0 } else { row }
    }
}

/// Returns new columns for the jobs of a row that must make way: in the order of the row, the lowest columns that are then
/// free; `None` if there are not enough.
pub(super) fn displaced(
    matrix: &Matrix,
    row: usize,
    others: &[JobId],
    columns: &Columns,
) -> Option<Vec<(JobId, Columns, usize)>> {
    displaced_in(matrix.free(row), matrix, row, others, columns)
}

/// Does the same for a row with these free columns.
pub(super) fn displaced_in(
    free: &Columns,
    matrix: &Matrix,
    row: usize,
    others: &[JobId],
    columns: &Columns,
) -> Option<Vec<(JobId, Columns, usize)>> {
    let mut free = free.clone();
    for seat in others.iter().filter_map(|&other| matrix.seat(other)) {
        free.add(seat.columns());
    }
    free.take(columns);
    let new = others.iter().map(|&other| {
        let columns = free.lowest(matrix.seat(other)?.size())?;
        free.take(&columns);
        Some((other, columns, row))
    });
    new.collect()
}

pub(super) fn tasks_of(matrix: &Matrix, jobs: &[JobId]) -> usize {
    jobs.iter().filter_map(|&job| matrix.seat(job)).map(super::Seat::size).sum()
}
