//! Migration: the two ways to bring a job into a row where its columns are in use, their costs, and the
//! number of tasks that may move.
//!
//! Zhang et al. 2000, section 5.4. A job moves as a whole: it is checkpointed and restarted in other
//! columns, at a cost of C.

use batchlab_traces::JobId;

use super::{Columns, Matrix};
use crate::cycle::Checkpoint;

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

    /// Returns how many tasks move.
    pub fn tasks(self, tasks: usize, displaced: usize) -> usize {
        match self {
            Way::Displace => displaced,
            Way::Move => tasks,
        }
    }

    /// Returns which jobs move and which wait for their checkpoint, for a job and the other jobs in its
    /// columns.
    pub fn checkpoint(self, job: JobId, others: Vec<JobId>) -> Checkpoint {
        match self {
            Way::Displace => Checkpoint { leaving: others, waiting: vec![job] },
            Way::Move => Checkpoint { leaving: vec![job], waiting: others },
        }
    }
}

/// The unit that Q limits. The paper says "in any time-slice".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MigrationScope {
    /// All moves at one scheduling event.
    #[default]
    Event,
    /// The moves into or within each row at one scheduling event.
    Row,
}

/// The number of tasks that may still move at one scheduling event (Q, in whole jobs), and the migrations so
/// far.
#[derive(Clone, Debug)]
pub struct Quota {
    most: u64,
    scope: MigrationScope,
    /// Tasks moved, by row; all in the first entry if the limit is per event.
    spent: Vec<u64>,
    checkpoints: Vec<Checkpoint>,
}

impl Quota {
    /// Returns the quota of an event; `None` is unlimited.
    pub fn new(most: Option<u64>, scope: MigrationScope, rows: usize) -> Quota {
        Quota { most: most.unwrap_or(u64::MAX), scope, spent: vec![0; rows.max(1)], checkpoints: Vec::new() }
    }

    /// Whether `tasks` tasks may move into or within a row.
    pub fn admits(&self, row: usize, tasks: usize) -> bool {
        self.spent[self.place(row)].saturating_add(tasks as u64) <= self.most
    }

    /// Records a migration of this many tasks into or within a row.
    pub fn spend(&mut self, row: usize, tasks: usize, checkpoint: Checkpoint) {
        let place = self.place(row);
        self.spent[place] = self.spent[place].saturating_add(tasks as u64);
        self.checkpoints.push(checkpoint);
    }

    /// Returns the migrations of this event, in their order.
    pub fn into_checkpoints(self) -> Vec<Checkpoint> {
        self.checkpoints
    }

    /// Returns the number of tasks that have moved.
    pub fn spent(&self) -> u64 {
        self.spent.iter().sum()
    }

    fn place(&self, row: usize) -> usize {
        if self.scope == MigrationScope::Event { 0 } else { row }
    }
}

/// Returns new columns for the jobs of a row that must make way: in the order of the row, the lowest columns
/// that are then free; `None` if there are not enough.
pub(super) fn displaced(
    matrix: &Matrix,
    row: usize,
    others: &[JobId],
    columns: &Columns,
) -> Option<Vec<(JobId, Columns, usize)>> {
    let mut free = matrix.free(row).clone();
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

/// Returns the total number of tasks of several jobs.
pub(super) fn tasks_of(matrix: &Matrix, jobs: &[JobId]) -> usize {
    jobs.iter().filter_map(|&job| matrix.seat(job)).map(super::Seat::size).sum()
}
