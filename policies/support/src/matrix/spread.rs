//! Fill-2: fills holes with replicas for which other jobs of the row make way.

use batchlab_traces::JobId;

use super::fill::fill_by;
use super::migration::{Quota, Way, displaced, tasks_of};
use super::{Columns, Matrix, Seat};

/// Replicates jobs until nothing changes, as Fill does, into rows with enough free columns; returns the number of replicas.
///
/// Only jobs of the target row move (option 1), within the quota, and only if they are in no other row: thus no job moves
/// back and forth between columns.
pub fn spread(matrix: &mut Matrix, quota: &mut Quota) -> usize {
    // The columns of the jobs of each row that are in other rows too.
    let mut fixed = vec![Columns::none(matrix.width()); matrix.height()];
    for (_, seat) in matrix.seats() {
        fix(seat, &mut fixed);
    }
    fill_by(matrix, |matrix, job, row| {
        let comes = matrix.replicate(job, row) || displace(matrix, job, row, &fixed[row], quota);
        if let Some(seat) = matrix.seat(job).filter(|_| comes) {
            fix(seat, &mut fixed);
        }
        comes
    })
}

fn fix(seat: &Seat, fixed: &mut [Columns]) {
    for &row in seat.rows().iter().filter(|_| seat.rows().len() > 1) {
        fixed[row].add(seat.columns());
    }
}

/// Makes way for a replica; the jobs of the row that are in other rows too have the `fixed` columns.
fn displace(matrix: &mut Matrix, job: JobId, row: usize, fixed: &Columns, quota: &mut Quota) -> bool {
    let Some(seat) = matrix.seat(job).filter(|seat| !seat.is_in(row)) else { return false };
    if matrix.left(row) < seat.size() || !seat.columns().is_disjoint(fixed) {
        return false;
    }
    let columns = seat.columns();
    let (columns, others) = (columns.clone(), matrix.overlapping(row, columns));
    let tasks = quota.count(matrix.free(row), &columns, tasks_of(matrix, &others));
    if !quota.admits(row, tasks) {
        return false;
    }
    let Some(moves) = displaced(matrix, row, &others, &columns) else { return false };
    if !matrix.reseat(&moves) {
        return false;
    }
    quota.spend(row, tasks, Way::Displace.checkpoint(job, others));
    matrix.replicate(job, row)
}
