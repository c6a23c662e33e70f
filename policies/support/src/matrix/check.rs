use batchlab_traces::JobId;

use super::{Columns, Matrix};

/// A violated invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Two jobs of a row share a column.
    #[error("column {column} of row {row} is used twice")]
    Shared { row: usize, column: usize },
    /// The free columns of a row are not those that its jobs leave free.
    #[error("row {0} is wrong about what is free")]
    Free(usize),
    /// A job is not in its home row, so that it would not run in every cycle.
    #[error("job {} is not in its home row", .0.0)]
    Homeless(JobId),
    /// A row and a job disagree on whether the job is in the row.
    #[error("job {} and row {row} disagree", .job.0)]
    Astray { job: JobId, row: usize },
}

impl Matrix {
    /// Checks all invariants: for tests and debug assertions. O(rows · jobs · columns).
    pub fn check(&self) -> Result<(), Broken> {
        for row in 0..self.height() {
            self.check_row(row)?;
        }
        for (job, seat) in self.seats() {
            if !seat.is_in(seat.home()) {
                return Err(Broken::Homeless(job));
            }
            if let Some(&row) = seat.rows().iter().find(|&&row| !self.row(row).contains(&job)) {
                return Err(Broken::Astray { job, row });
            }
        }
        Ok(())
    }

    fn check_row(&self, row: usize) -> Result<(), Broken> {
        let mut used = Columns::none(self.width());
        for &job in self.row(row) {
            let Some(seat) = self.seat(job).filter(|seat| seat.is_in(row)) else {
                return Err(Broken::Astray { job, row });
            };
            if let Some(column) = seat.columns().iter().find(|&column| used.contains(column)) {
                return Err(Broken::Shared { row, column });
            }
            used.add(seat.columns());
        }
        let mut free = Columns::all(self.width());
        free.take(&used);
        if free == *self.free(row) && free.len() == self.left(row) { Ok(()) } else { Err(Broken::Free(row)) }
    }
}
