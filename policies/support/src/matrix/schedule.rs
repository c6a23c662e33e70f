use batchlab_traces::JobId;

use super::{Columns, Matrix};
use crate::words;

/// Which free columns of a row a new job takes; the paper does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Taking {
    #[default]
    Lowest,
    /// The columns used by the fewest rows, ties the lowest: there the job can be replicated.
    Sparse,
}

words!(Taking { Lowest = "lowest", Sparse = "sparse" });

impl Taking {
    /// Returns `size` of the free columns of a row; `None` if there are not enough.
    pub fn take(self, matrix: &Matrix, row: usize, size: usize) -> Option<Columns> {
        match self {
            Taking::Lowest => matrix.free(row).lowest(size),
            Taking::Sparse => sparse(matrix, row, size),
        }
    }
}

/// Returns the row with the fewest free columns that suffice, among the admitted rows; ties the lowest. O(rows).
pub fn best_fit(matrix: &Matrix, size: usize, mut admits: impl FnMut(usize) -> bool) -> Option<usize> {
    let free = |row: &usize| matrix.left(*row);
    let suffice = (0..matrix.height()).filter(|row| free(row) >= size && admits(*row));
    suffice.min_by_key(free)
}

/// Puts a new job into the row in which it fits best; returns that row.
pub fn schedule(matrix: &mut Matrix, job: JobId, size: usize, taking: Taking) -> Option<usize> {
    let row = best_fit(matrix, size, |_| true)?;
    let columns = taking.take(matrix, row, size)?;
    matrix.put(job, columns, row).then_some(row)
}

fn sparse(matrix: &Matrix, row: usize, size: usize) -> Option<Columns> {
    let users =
        |column: usize| (0..matrix.height()).filter(|&row| !matrix.free(row).contains(column)).count();
    let mut free: Vec<(usize, usize)> =
        matrix.free(row).iter().map(|column| (users(column), column)).collect();
    free.sort_unstable();
    let chosen = free.get(..size)?.iter().map(|&(_, column)| column);
    Some(Columns::of(matrix.width(), chosen))
}
