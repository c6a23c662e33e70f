//! Alternates: processors that are idle in a slot run jobs of other slots.

use batchlab_traces::JobId;

use crate::support::matrix::Matrix;

/// Adds jobs to further rows in which all their processors are idle.
///
/// Feitelson (Packing Schemes for Gang Scheduling, JSSPP 1996) finds that mapping by buddies depends on
/// alternates: the processors that a job leaves idle in its block, and blocks without a job, are given to
/// jobs mapped elsewhere. Which jobs get them is this project's rule: row by row, the job that is in the
/// fewest rows so far comes first, among equals the job that came first. A row without a job of its own
/// takes no turn, and gets no alternates. O(rows · jobs · columns / 64).
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
