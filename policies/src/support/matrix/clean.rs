//! Clean: removes every instance of a job outside its home row, so that holes are as large as possible.

use super::Matrix;

/// Removes all replicas.
pub fn clean(matrix: &mut Matrix) {
    for row in 0..matrix.height() {
        for job in matrix.row(row).to_vec() {
            matrix.withdraw(job, row);
        }
    }
}
