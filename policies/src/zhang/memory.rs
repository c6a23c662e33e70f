//! Memory of each processor: rows share processors in time, but not memory.
//!
//! A job holds its memory on its columns for as long as it is in the matrix, whichever row runs. So a new job goes to
//! columns that are free in its row and have enough memory for it, as in Setia, Squillante and Naik 1999.

use crate::cluster::columns::Columns;
use crate::policy::PolicyError;
use crate::spec::Setting;
use crate::support::books::Books;
use crate::support::matrix::schedule::best_fit;
use crate::support::matrix::{Matrix, Seat};
use crate::support::spaces::{PerProcessor, Spaces};
use crate::turn::Turn;
use crate::view::JobView;

/// The reason for rejecting jobs that need more memory than any processor has.
const TOO_LARGE: &str = "that need more on a processor than any processor has";

/// The free amounts of each column besides the processor itself.
pub struct ColumnMemory {
    spaces: Spaces,
    columns: usize,
}

impl ColumnMemory {
    /// Returns the memory of an empty machine, if the machine has more than processors.
    pub fn of(setting: &Setting<'_>) -> Option<ColumnMemory> {
        let machine = setting.machine;
        (machine.kinds() > 1).then(|| ColumnMemory { spaces: Spaces::new(machine), columns: machine.nodes() })
    }

    pub fn leave(&mut self, job: JobView<'_>, seat: &Seat) {
        let need = self.spaces.need(job);
        self.spaces.give_back(seat.columns().iter(), &need);
    }

    /// Puts waiting jobs into the matrix in queue order, while they fit: each in the row where it fits best, on the lowest
    /// columns with memory for it. Rejects a job if too few processors have enough memory for it.
    pub fn start_heads(
        &mut self,
        turn: &mut Turn<'_>,
        books: &mut Books<1>,
        matrix: &mut Matrix,
    ) -> Result<(), PolicyError> {
        while let Some(head) = books.queue.head() {
            let (size, need) = (super::gang::size(turn, head), self.spaces.need(turn.job(head)));
            if self.columns_where(|column| self.spaces.could_hold(column, &need)).len() < size {
                books.withdraw(turn, head)?;
                turn.reject_as(head, TOO_LARGE)?;
                continue;
            }
            let Some((row, columns)) = self.room(matrix, size, &need) else { break };
            self.spaces.take(columns.iter(), &need);
            matrix.put(head, columns, row);
            books.placed(turn, head)?;
        }
        Ok(())
    }

    /// Returns the row where a job fits best, and its columns there.
    fn room(&self, matrix: &Matrix, size: usize, need: &PerProcessor) -> Option<(usize, Columns)> {
        let roomy = self.columns_where(|column| self.spaces.has_room(column, need));
        let room = |row: usize| {
            let mut columns = matrix.free(row).clone();
            columns.keep(&roomy);
            columns
        };
        let row = best_fit(matrix, size, |row| room(row).len() >= size)?;
        Some((row, room(row).lowest(size)?))
    }

    fn columns_where(&self, holds: impl Fn(usize) -> bool) -> Columns {
        Columns::of(self.columns, (0..self.columns).filter(|&column| holds(column)))
    }
}
