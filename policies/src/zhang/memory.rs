//! Memory of each processor: rows share processors in time, and memory not at all.
//!
//! A job holds its memory on its columns for as long as it is in the matrix, whichever row runs. So a new job goes to
//! columns that are free in its row and have memory left for it, as in Setia, Squillante and Naik 1999.

use batchlab_traces::JobId;

use crate::event::Event;
use crate::policy::PolicyError;
use crate::spec::Setting;
use crate::support::books::Books;
use crate::support::matrix::schedule::best_fit;
use crate::support::matrix::{Columns, Matrix};
use crate::turn::Turn;

/// What is said of jobs that no processor has the memory for.
const TOO_LARGE: &str = "with more memory per processor than any processor has";

/// The free memory of each column.
pub struct Memory {
    /// Which resource it is.
    kind: usize,
    capacity: i64,
    free: Vec<i64>,
}

impl Memory {
    /// Returns the memory of an empty machine, where it has a limit.
    pub fn of(setting: &Setting<'_>) -> Option<Memory> {
        let kind = setting.machine.resource("memory")?;
        let free: Vec<i64> =
            (0..setting.machine.nodes()).map(|node| setting.machine.capacity(node)[kind]).collect();
        Some(Memory { kind, capacity: free.iter().copied().max().unwrap_or(0), free })
    }

    /// Jobs of the matrix have left it. Columns are those that they had.
    pub fn leave(&mut self, turn: &Turn<'_>, matrix: &Matrix) {
        for event in turn.events() {
            let (Event::Finished(job) | Event::Killed(job) | Event::Released(job)) = *event else { continue };
            if let Some(seat) = matrix.seat(job) {
                self.change(seat.columns(), self.need(turn, job));
            }
        }
    }

    /// Puts waiting jobs into the matrix in queue order, each in the row where it fits best and on the lowest columns
    /// with memory for it, while they fit. Whom no processor has the memory for is turned away.
    ///
    /// # Errors
    /// When the books are wrong about a job.
    pub fn start_heads(
        &mut self,
        turn: &mut Turn<'_>,
        books: &mut Books<1>,
        matrix: &mut Matrix,
    ) -> Result<(), PolicyError> {
        while let Some(head) = books.queue.head() {
            let (size, need) = (super::gang::size(turn, head), self.need(turn, head));
            if need > self.capacity {
                books.withdraw(turn, head)?;
                turn.reject_as(head, TOO_LARGE)?;
                continue;
            }
            let roomy = self.roomy(need);
            let room = |row: usize| {
                let mut columns = matrix.free(row).clone();
                columns.keep(&roomy);
                columns
            };
            let row = best_fit(matrix, size, |row| room(row).len() >= size);
            let Some((row, columns)) = row.and_then(|row| Some((row, room(row).lowest(size)?))) else {
                break;
            };
            self.change(&columns, -need);
            matrix.put(head, columns, row);
            books.placed(turn, head)?;
        }
        Ok(())
    }

    fn need(&self, turn: &Turn<'_>, job: JobId) -> i64 {
        turn.job(job).held(self.kind, 1)
    }

    /// Returns the columns with so much memory left.
    fn roomy(&self, need: i64) -> Columns {
        let columns = self.free.iter().enumerate().filter(|(_, free)| **free >= need);
        Columns::of(self.free.len(), columns.map(|(column, _)| column))
    }

    fn change(&mut self, columns: &Columns, by: i64) {
        columns.iter().for_each(|column| self.free[column] += by);
    }
}
