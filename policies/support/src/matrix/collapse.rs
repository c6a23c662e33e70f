//! Collapse-2: as Compact, but jobs may migrate.

use batchlab_traces::JobId;

use super::Matrix;
use super::compact::{Gathering, Guard, gather, rehome};
use super::migration::{Quota, Way, displaced, tasks_of};

/// Moves jobs to more populated rows that have enough free columns, in any position; returns the number of moves.
///
/// A job keeps its columns if they are free in the new row. Otherwise it comes by the cheaper of the two ways of migration,
/// within the quota. For a matrix without replicas, so that no displaced job is in another row.
pub fn collapse(matrix: &mut Matrix, how: Gathering, quota: &mut Quota, guard: &mut impl Guard) -> usize {
    gather(matrix, how, Matrix::small_enough, |matrix, job, row| {
        rehome(matrix, job, row, guard) || migrate(matrix, job, row, quota, guard)
    })
}

/// Moves a job to a row in which its columns are in use.
fn migrate(matrix: &mut Matrix, job: JobId, row: usize, quota: &mut Quota, guard: &mut impl Guard) -> bool {
    let Some(seat) = matrix.seat(job) else { return false };
    if matrix.left(row) < seat.size() {
        return false;
    }
    let (size, from, columns) = (seat.size(), seat.home(), seat.columns().clone());
    let others = matrix.overlapping(row, &columns);
    if others.is_empty() {
        return false;
    }
    let in_the_way = tasks_of(matrix, &others);
    let way = Way::cheaper(size, in_the_way);
    let tasks = quota.count(matrix.free(row), &columns, way.tasks(size, in_the_way));
    if !quota.admits(row, tasks) || !guard.admits(matrix, job, row) {
        return false;
    }
    let moves = match way {
        Way::Displace => displaced(matrix, row, &others, &columns).map(|mut moves| {
            moves.push((job, columns, row));
            moves
        }),
        Way::Move => matrix.free(row).lowest(size).map(|free| vec![(job, free, row)]),
    };
    if !moves.is_some_and(|moves| matrix.reseat(&moves)) {
        return false;
    }
    quota.spend(row, tasks, way.checkpoint(job, others));
    guard.moved(matrix, job, from);
    true
}
