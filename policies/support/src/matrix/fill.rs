//! Fill: fills holes with replicas of jobs whose columns are free there.

use batchlab_traces::JobId;

use super::Matrix;

/// Replicates jobs until nothing changes: each in turn, in the order in which they came, into the first row
/// in which its columns are free. Returns the number of replicas.
pub fn fill(matrix: &mut Matrix) -> usize {
    let mut replicas = 0;
    // The jobs that may still get a replica, each with the first row to try: rows only become fuller, so that
    // one without room for a job stays without.
    let mut left: Vec<(JobId, usize)> = matrix.in_order().into_iter().map(|job| (job, 0)).collect();
    while !left.is_empty() {
        left.retain_mut(|(job, from)| {
            let Some(row) = matrix.first_room(*job, *from) else { return false };
            *from = row + 1;
            replicas += 1;
            matrix.replicate(*job, row)
        });
    }
    replicas
}

/// Goes through jobs and rows until nothing changes; after each replica it is the next job's turn.
pub(super) fn fill_by(
    matrix: &mut Matrix,
    mut attempt: impl FnMut(&mut Matrix, JobId, usize) -> bool,
) -> usize {
    let order = matrix.in_order();
    let mut replicas = 0;
    loop {
        let before = replicas;
        for &job in &order {
            replicas += usize::from((0..matrix.height()).any(|row| attempt(matrix, job, row)));
        }
        if replicas == before {
            return replicas;
        }
    }
}
