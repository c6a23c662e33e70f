//! Fill-2: fills holes with replicas for which other jobs of the row make way.

use batchlab_traces::JobId;

use super::Matrix;
use super::fill::fill_by;
use super::migration::{Quota, Way, displaced, tasks_of};

/// Replicates jobs until nothing changes, as Fill does, into rows with enough free columns; returns the
/// number of replicas.
///
/// Only jobs of that row move (option 1), within the quota, and only if they are in no other row: thus no
/// job moves back and forth between columns.
pub fn spread(matrix: &mut Matrix, quota: &mut Quota) -> usize {
    fill_by(matrix, |matrix, job, row| matrix.replicate(job, row) || displace(matrix, job, row, quota))
}

fn displace(matrix: &mut Matrix, job: JobId, row: usize, quota: &mut Quota) -> bool {
    let Some(seat) = matrix.seat(job).filter(|seat| !seat.is_in(row)) else { return false };
    if matrix.free(row).len() < seat.size() {
        return false;
    }
    let columns = seat.columns().clone();
    let others = matrix.overlapping(row, &columns);
    let tasks = tasks_of(matrix, &others);
    let elsewhere = |&other: &JobId| matrix.seat(other).is_none_or(|seat| seat.rows().len() > 1);
    if others.iter().any(elsewhere) || !quota.admits(row, tasks) {
        return false;
    }
    let Some(moves) = displaced(matrix, row, &others, &columns) else { return false };
    if !matrix.reseat(&moves) {
        return false;
    }
    quota.spend(row, tasks, Way::Displace.checkpoint(job, others));
    matrix.replicate(job, row)
}
