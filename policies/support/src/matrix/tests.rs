//! Matrices drawn before and after each phase, to be checked by hand.
//!
//! Rows are drawn from slice 0 on, columns from processor 0 on. Jobs came into the matrix in the order of
//! their numbers; a prime marks a replica, a dot an unused column.

mod basics;
mod gathering;
mod kept;
mod laws;
mod migrating;
mod replicas;

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedMap;
use proptest::prelude::*;

use super::compact::{Gathering, RowJobOrder, RowRanking};
use super::{Columns, Matrix};

fn drawn(picture: &str) -> Matrix {
    let lines: Vec<&str> = picture.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let cells = |line: &&str| -> Vec<String> {
        let row = line.split_once(": ").map_or(*line, |(_, row)| row);
        row.split_whitespace().map(str::to_owned).collect()
    };
    let rows: Vec<Vec<String>> = lines.iter().map(cells).collect();
    let width = rows[0].len();
    let mut seats: SortedMap<u32, SortedMap<usize, (bool, Vec<usize>)>> = SortedMap::new();
    for (row, cells) in rows.iter().enumerate() {
        assert_eq!(cells.len(), width, "row {row} of {picture}");
        for (column, cell) in cells.iter().enumerate().filter(|(_, cell)| *cell != ".") {
            let job: u32 = cell.trim_end_matches('\'').parse().unwrap();
            let place = seats.entry(job).or_default().entry(row).or_default();
            place.0 = cell.ends_with('\'');
            place.1.push(column);
        }
    }
    let mut matrix = Matrix::new(rows.len(), width);
    for (job, rows) in &seats {
        let (home, (_, columns)) = rows.iter().find(|(_, (replica, _))| !replica).unwrap();
        assert!(matrix.put(JobId(*job), Columns::of(width, columns.iter().copied()), *home));
        for row in rows.keys().filter(|row| *row != home) {
            assert!(matrix.replicate(JobId(*job), *row), "job {job} in row {row}");
        }
    }
    matrix
}

/// Checks that a matrix is sound and equals a drawing.
#[track_caller]
fn is_drawn(matrix: &Matrix, picture: &str) {
    let lines: Vec<&str> = picture.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(matrix.to_string().trim_end(), lines.join("\n"), "\n{matrix}");
    assert_eq!(matrix.check(), Ok(()));
}

fn gatherings() -> impl Strategy<Value = Gathering> {
    let ranking = prop_oneof![Just(RowRanking::Once), Just(RowRanking::Each)];
    let within = prop_oneof![Just(RowJobOrder::Start), Just(RowJobOrder::Size)];
    (ranking, within).prop_map(|(ranking, within)| Gathering { ranking, within })
}
