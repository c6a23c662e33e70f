use std::fmt;

use batchlab_traces::JobId;

use super::Matrix;

/// The most columns drawn individually; wider machines are drawn by runs of columns.
const WIDEST: usize = 32;

/// A matrix with a name for each job, for drawing.
///
/// One line per row. On machines of up to 32 columns each column is drawn as in Figure 7 of Zhang et al. (2000): the job's name,
/// with a prime if it is a replica, or a dot. On wider machines each job is drawn with its columns, as in `3:0-7`.
pub struct Picture<'a, F> {
    matrix: &'a Matrix,
    name: F,
}

impl Matrix {
    pub fn picture<F: Fn(JobId) -> String>(&self, name: F) -> Picture<'_, F> {
        Picture { matrix: self, name }
    }
}

impl<F: Fn(JobId) -> String> Picture<'_, F> {
    fn label(&self, job: JobId, row: usize) -> String {
        let home = self.matrix.seat(job).is_some_and(|seat| seat.home() == row);
        format!("{}{}", (self.name)(job), if home { "" } else { "'" })
    }

    fn cells(&self, row: usize) -> Vec<String> {
        let mut cells = vec![".".to_owned(); self.matrix.width()];
        for &job in self.matrix.row(row) {
            let label = self.label(job, row);
            for column in self.matrix.seat(job).into_iter().flat_map(|seat| seat.columns().iter()) {
                cells[column].clone_from(&label);
            }
        }
        cells
    }

    fn draw_cells(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<Vec<String>> = (0..self.matrix.height()).map(|row| self.cells(row)).collect();
        let widest = rows.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(1);
        for (row, cells) in rows.iter().enumerate() {
            let drawn: Vec<String> = cells.iter().map(|cell| format!("{cell:<widest$}")).collect();
            writeln!(f, "{row}: {}", drawn.join(" ").trim_end())?;
        }
        Ok(())
    }

    fn draw_runs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.matrix.height() {
            write!(f, "{row}:")?;
            for &job in self.matrix.row(row) {
                let columns = self.matrix.seat(job).map(|seat| seat.columns().to_string());
                write!(f, " {}:{}", self.label(job, row), columns.unwrap_or_default())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl<F: Fn(JobId) -> String> fmt::Display for Picture<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.matrix.width() <= WIDEST { self.draw_cells(f) } else { self.draw_runs(f) }
    }
}

/// Writes the picture with the jobs' positions in the workload as names.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.picture(|job| job.0.to_string()).fmt(f)
    }
}
