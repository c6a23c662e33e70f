use super::*;
use crate::matrix::clean::clean;
use crate::matrix::fill::fill;

/// Figure 7: jobs 3 to 6 leave room for each other. In the order of their start: 3 has its columns free in
/// no row; 4 and 5 are replicated in row 3; there are no other replicas.
#[test]
fn figure_7_is_what_fill_makes_of_its_home_rows() {
    let figure = "
        0: 1  1  1  1  1  1  1  1
        1: 2  2  2  2  2  2  2  2
        2: 3  3  3  3  4  4  5  5
        3: 6  6  6  6  4' 4' 5' 5'";
    let mut matrix = drawn(figure);
    clean(&mut matrix);
    is_drawn(
        &matrix,
        "
        0: 1 1 1 1 1 1 1 1
        1: 2 2 2 2 2 2 2 2
        2: 3 3 3 3 4 4 5 5
        3: 6 6 6 6 . . . .",
    );
    assert_eq!(fill(&mut matrix), 2);
    is_drawn(&matrix, figure);
}

/// First round: 1 into row 1, 2 into row 2 (row 1 is its home row), 3 into row 0. Second round: 1 into row
/// 2, 2 nowhere (row 0 has 3 now), 3 nowhere. Third round: nothing.
#[test]
fn each_job_is_replicated_once_before_any_is_twice() {
    let mut matrix = drawn(
        "
        0: 1 1 . .
        1: . . 2 .
        2: . . . 3",
    );
    assert_eq!(fill(&mut matrix), 6);
    is_drawn(
        &matrix,
        "
        0: 1  1  2' 3'
        1: 1' 1' 2  3'
        2: 1' 1' 2' 3",
    );
}

/// Jobs 1 and 2 both want column 0 of rows 2 and 3: each gets one.
#[test]
fn jobs_take_turns_where_they_compete() {
    let mut matrix = drawn(
        "
        0: 1 1
        1: 2 .
        2: . 3
        3: . .",
    );
    fill(&mut matrix);
    is_drawn(
        &matrix,
        "
        0: 1  1
        1: 2  3'
        2: 2' 3
        3: 1' 1'",
    );
}
