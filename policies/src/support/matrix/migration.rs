//! Migration: the two ways to bring a job into a row where its columns are not free, what each costs, and how many tasks
//! may move.
//!
//! Zhang et al. 2000, section 5.4. A job moves whole: checkpointed and started again in other columns, C in all.

use batchlab_traces::JobId;

use super::{Columns, Matrix};
use crate::cycle::Checkpoint;

/// How a job comes into a row in which others use its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Option 1: the job keeps its columns, and those who use them move to others in the row.
    Displace,
    /// Option 2: the job moves to free columns of the row.
    Move,
}

impl Way {
    /// Returns the cheaper way for a job of so many tasks, where those in its way have so many; option 1 if they cost the
    /// same.
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

    /// Returns which jobs move and which wait for their checkpoint, when a job meets others on its columns.
    pub fn checkpoint(self, job: JobId, others: Vec<JobId>) -> Checkpoint {
        match self {
            Way::Displace => Checkpoint { leaving: others, waiting: vec![job] },
            Way::Move => Checkpoint { leaving: vec![job], waiting: others },
        }
    }
}

/// In what Q is counted. The paper says "in any time-slice".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// All that moves at one scheduling event.
    #[default]
    Event,
    /// What moves into or within each row at one scheduling event.
    Row,
}

/// How many tasks may still move at one scheduling event (Q, in whole jobs), and the migrations so far.
#[derive(Clone, Debug)]
pub struct Quota {
    most: u64,
    scope: Scope,
    /// By row; all in the first where the event counts.
    spent: Vec<u64>,
    checkpoints: Vec<Checkpoint>,
}

impl Quota {
    /// Returns the quota of an event; `None` is without bound.
    pub fn new(most: Option<u64>, scope: Scope, rows: usize) -> Quota {
        Quota { most: most.unwrap_or(u64::MAX), scope, spent: vec![0; rows.max(1)], checkpoints: Vec::new() }
    }

    /// Whether so many tasks may move into or within a row.
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

    /// Returns how many tasks have moved.
    pub fn spent(&self) -> u64 {
        self.spent.iter().sum()
    }

    fn place(&self, row: usize) -> usize {
        if self.scope == Scope::Event { 0 } else { row }
    }
}

/// Returns new columns for the jobs of a row that others have to leave: in the order of the row, the lowest that are free
/// then; `None` when there are not enough.
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

/// Returns how many tasks jobs have together.
pub(super) fn tasks_of(matrix: &Matrix, jobs: &[JobId]) -> usize {
    jobs.iter().filter_map(|&job| matrix.seat(job)).map(super::Seat::size).sum()
}
