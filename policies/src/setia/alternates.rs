//! Alternates: processors that are idle in a slot run jobs of other slots.

use batchlab_traces::JobId;

use crate::support::matrix::Matrix;

/// Puts jobs into further rows where all their processors are idle.
///
/// Feitelson (Packing Schemes for Gang Scheduling, JSSPP 1996) finds that mapping by buddies depends on it: what a job
/// leaves of its block, and blocks without a job, are given to jobs mapped elsewhere. Which of them is our rule: row by
/// row, who is in the fewest rows so far first, of equals who came first. A row in which nobody is at home takes no
/// turn, and gets nobody. O(rows · jobs · columns / 64).
pub fn fill(matrix: &mut Matrix) {
    for row in 0..matrix.height() {
        if matrix.row(row).is_empty() || matrix.free(row).is_empty() {
            continue;
        }
        let mut others: Vec<JobId> = matrix.in_order();
        others.retain(|&job| matrix.has_room(job, row));
        others.sort_by_key(|&job| matrix.seat(job).map_or(0, |seat| seat.rows().len()));
        for job in others {
            matrix.replicate(job, row);
        }
    }
}
