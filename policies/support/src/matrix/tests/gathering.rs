use super::*;
use crate::matrix::clean::clean;
use crate::matrix::compact::{Gathering, Guard, RowRanking, Unguarded, compact};
use crate::matrix::schedule::{Taking, best_fit, schedule};

#[test]
fn clean_leaves_every_job_its_home_row() {
    let mut matrix = drawn(
        "
        0: 1  1  .  4'
        1: 2' 2' 3  4
        2: 2  2  .  4'",
    );
    clean(&mut matrix);
    is_drawn(
        &matrix,
        "
        0: 1 1 . .
        1: . . 3 4
        2: 2 2 . .",
    );
}

/// Row 2 is the least populated, then 0, then 1. Job 4 of row 2 has its column free in row 1, the most
/// populated; job 5 does not, and moves to row 0. Row 0 is next: row 1 uses columns of both its jobs.
#[test]
fn jobs_of_the_least_populated_row_go_to_the_most_populated_that_has_their_columns() {
    let mut matrix = drawn(
        "
        0: 1 1 1 . . .
        1: 2 2 . 3 3 .
        2: . . 4 . 5 .",
    );
    let moves = compact(&mut matrix, Gathering::default(), &mut Unguarded);
    assert_eq!(moves, 2);
    is_drawn(
        &matrix,
        "
        0: 1 1 1 . 5 .
        1: 2 2 4 3 3 .
        2: . . . . . .",
    );
    assert_eq!(matrix.seat(JobId(4)).unwrap().home(), 1);
}

/// Among equally populated rows the lower one counts as the more populated.
#[test]
fn of_rows_alike_jobs_gather_in_the_first() {
    let mut matrix = drawn(
        "
        0: 1 1 . . . .
        1: . . 2 2 . .
        2: . . . . 3 3",
    );
    compact(&mut matrix, Gathering::default(), &mut Unguarded);
    is_drawn(
        &matrix,
        "
        0: 1 1 2 2 3 3
        1: . . . . . .
        2: . . . . . .",
    );
}

/// Row 0 is the least populated, then 1, then 2. Job 1 fits only into row 1, which then has 5 used columns. Ranked once, row 1 is
/// next: neither of its jobs fits into row 2. Ranked after the move, row 2 is next: job 4 fits into row 1.
#[test]
fn a_move_may_make_another_row_the_most_populated() {
    let after = |ranking| {
        let mut matrix = drawn(
            "
            0: 1 1 . . . .
            1: . . 2 2 2 .
            2: 3 3 3 . . 4",
        );
        compact(&mut matrix, Gathering { ranking, ..Gathering::default() }, &mut Unguarded);
        matrix
    };
    is_drawn(
        &after(RowRanking::Once),
        "
        0: . . . . . .
        1: 1 1 2 2 2 .
        2: 3 3 3 . . 4",
    );
    is_drawn(
        &after(RowRanking::Each),
        "
        0: . . . . . .
        1: 1 1 2 2 2 4
        2: 3 3 3 . . .",
    );
}

/// A guard that records the moves it is asked about, and the moves made.
#[derive(Default)]
struct Refusing(Vec<(u32, usize)>, Vec<(u32, usize)>);

impl Guard for Refusing {
    fn admits(&mut self, _: &Matrix, job: JobId, row: usize) -> bool {
        !self.0.contains(&(job.0, row))
    }

    fn moved(&mut self, matrix: &Matrix, job: JobId, from: usize) {
        assert_ne!(matrix.seat(job).unwrap().home(), from);
        self.1.push((job.0, from));
    }
}

#[test]
fn no_job_moves_where_a_reservation_forbids_it() {
    let mut matrix = drawn(
        "
        0: 1 1 1 . . .
        1: 2 2 . . . .
        2: . . . 3 . .",
    );
    let mut guard = Refusing(vec![(3, 0)], Vec::new());
    compact(&mut matrix, Gathering::default(), &mut guard);
    assert_eq!(guard.1, [(3, 2)]);
    is_drawn(
        &matrix,
        "
        0: 1 1 1 . . .
        1: 2 2 . 3 . .
        2: . . . . . .",
    );
}

#[test]
fn a_new_job_goes_where_it_fits_best_and_takes_the_lowest_columns() {
    let mut matrix = drawn(
        "
        0: 1 1 1 1 1 . . .
        1: 2 . 2 2 . . . .
        2: . . . . . . . .",
    );
    assert_eq!(best_fit(&matrix, 4, |_| true), Some(1));
    assert_eq!(best_fit(&matrix, 4, |row| row != 1), Some(2));
    assert_eq!(schedule(&mut matrix, JobId(3), 4, Taking::Lowest), Some(1));
    assert_eq!(schedule(&mut matrix, JobId(4), 3, Taking::Lowest), Some(0));
    assert_eq!(schedule(&mut matrix, JobId(5), 9, Taking::Lowest), None);
    assert_eq!(schedule(&mut matrix, JobId(6), 8, Taking::Lowest), Some(2));
    assert_eq!(schedule(&mut matrix, JobId(7), 2, Taking::Lowest), None);
    is_drawn(
        &matrix,
        "
        0: 1 1 1 1 1 4 4 4
        1: 2 3 2 2 3 3 3 .
        2: 6 6 6 6 6 6 6 6",
    );
}

/// In row 0, column 3 is used by no other row, 0 by one, 4 and 5 by two.
#[test]
fn sparse_columns_leave_room_for_replicas() {
    let mut matrix = drawn(
        "
        0: . 1 1 . . .
        1: . 2 2 . 2 2
        2: 3 3 3 . 3 3",
    );
    assert_eq!(Taking::Sparse.take(&matrix, 0, 2), Some(Columns::of(6, [0, 3])));
    assert_eq!(Taking::Sparse.take(&matrix, 0, 5), None);
    // Row 1 has two free columns: it fits best, regardless of which columns are taken.
    assert_eq!(schedule(&mut matrix, JobId(4), 2, Taking::Sparse), Some(1));
    is_drawn(
        &matrix,
        "
        0: . 1 1 . . .
        1: 4 2 2 4 2 2
        2: 3 3 3 . 3 3",
    );
}
