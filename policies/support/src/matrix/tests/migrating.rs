//! Migration: Collapse-2 and Fill-2, with the cost of each way.

use super::*;
use crate::cycle::Checkpoint;
use crate::matrix::collapse::collapse;
use crate::matrix::compact::{Gathering, RowJobOrder, Unguarded};
use crate::matrix::migration::{MigrationLimit, MigrationScope, MigrationUnit, Quota, Way};
use crate::matrix::spread::spread;

fn up_to(tasks: u64) -> Quota {
    Quota::new(MigrationLimit { most: Some(tasks), ..MigrationLimit::default() }, 4)
}

fn collapsed(before: &str, quota: &mut Quota, within: RowJobOrder) -> Matrix {
    let mut matrix = drawn(before);
    collapse(&mut matrix, Gathering { within, ..Gathering::default() }, quota, &mut Unguarded);
    matrix
}

fn spread_out(before: &str, quota: &mut Quota) -> Matrix {
    let mut matrix = drawn(before);
    spread(&mut matrix, quota);
    matrix
}

/// Equations 4 and 5 in processors times C/2, for a job A of 3 tasks with a job J of 4 in its way: option 1 costs
/// (C/2)·3 + C·4 = 11, option 2 costs C·3 + (C/2)·4 = 10. Option 1 moves the 4 tasks of J, option 2 the 3 of A.
#[test]
fn equations_4_and_5() {
    assert_eq!(Way::Displace.half_costs(3, 4), 11);
    assert_eq!(Way::Move.half_costs(3, 4), 10);
    assert_eq!((Way::Displace.tasks(3, 4), Way::Move.tasks(3, 4)), (4, 3));
    assert_eq!(Way::cheaper(3, 4), Way::Move);
    assert_eq!(Way::cheaper(4, 3), Way::Displace);
    assert_eq!(Way::cheaper(4, 4), Way::Displace, "option 1 where both cost the same");
}

/// A is job 1, J is job 2; 3 processes of J are in the columns of A.
const FIGURE_13: &str = "
    0: 1 1 1 . . . . .
    1: 2 2 2 2 . . . .";

/// J moves to other columns of its row, and A is replicated there. After that, J has room beside A.
#[test]
fn figure_13_option_1() {
    let mut quota = up_to(4);
    is_drawn(
        &spread_out(FIGURE_13, &mut quota),
        "
        0: 1  1  1  2' 2' 2' 2' .
        1: 1' 1' 1' 2  2  2  2  .",
    );
    assert_eq!(quota.spent(), 4);
    let [a, j] = [JobId(1), JobId(2)];
    let option_1 = Checkpoint { leaving: vec![j], waiting: vec![a] };
    assert_eq!(quota.into_checkpoints(), [option_1], "J leaves, A waits");
}

/// A moves to free columns of the row. With 3 tasks against 4 this is the cheaper way.
#[test]
fn figure_13_option_2() {
    let mut quota = up_to(3);
    is_drawn(
        &collapsed(FIGURE_13, &mut quota, RowJobOrder::Start),
        "
        0: . . . . . . . .
        1: 2 2 2 2 1 1 1 .",
    );
    assert_eq!(quota.spent(), 3);
    let [a, j] = [JobId(1), JobId(2)];
    let option_2 = Checkpoint { leaving: vec![a], waiting: vec![j] };
    assert_eq!(quota.into_checkpoints(), [option_2], "A leaves, J waits");
}

/// Jobs move as a whole: no way moves fewer than 3 tasks.
#[test]
fn too_small_a_quota_moves_no_job() {
    is_drawn(&collapsed(FIGURE_13, &mut up_to(2), RowJobOrder::Start), FIGURE_13);
    is_drawn(&spread_out(FIGURE_13, &mut up_to(2)), FIGURE_13);
    is_drawn(&collapsed(FIGURE_13, &mut up_to(0), RowJobOrder::Start), FIGURE_13);
}

/// Job 1 has 5 tasks, the jobs in its way have 3 in total: these move, to the lowest columns that are then free.
#[test]
fn collapse_displaces_where_that_is_cheaper() {
    let mut quota = up_to(3);
    is_drawn(
        &collapsed(
            "
            0: 1 1 1 1 1 . . . . . . .
            1: . 2 . 3 3 4 4 4 4 . . .",
            &mut quota,
            RowJobOrder::Start,
        ),
        "
        0: . . . . . . . . . . . .
        1: 1 1 1 1 1 4 4 4 4 2 3 3",
    );
    assert_eq!(quota.spent(), 3);
}

/// Without an overlap no job migrates, whatever the quota.
#[test]
fn a_job_that_fits_in_its_columns_keeps_them() {
    let mut quota = up_to(0);
    is_drawn(
        &collapsed(
            "
            0: . . . 1
            1: 2 2 2 .",
            &mut quota,
            RowJobOrder::Start,
        ),
        "
        0: . . . .
        1: 2 2 2 1",
    );
    assert_eq!(quota.spent(), 0);
}

/// Row 1 has two free columns: the first job that is tried gets them.
#[test]
fn the_order_within_a_row_is_an_option() {
    let before = "
        0: 1 2 2 . . .
        1: 3 3 3 3 . .";
    is_drawn(
        &collapsed(before, &mut up_to(9), RowJobOrder::Start),
        "
        0: . 2 2 . . .
        1: 3 3 3 3 1 .",
    );
    is_drawn(
        &collapsed(before, &mut up_to(9), RowJobOrder::Size),
        "
        0: 1 . . . . .
        1: 3 3 3 3 2 2",
    );
}

/// Rows 1 and 2 get one task each: two for the event, one for each row. Job 1 goes to row 2, the most
/// populated; job 2 is then not admitted there.
#[test]
fn the_quota_is_for_the_event_or_for_each_row() {
    let before = "
        0: 1 2 . . . .
        1: . 3 3 3 . .
        2: 4 4 4 4 . .";
    let limit = |scope| MigrationLimit { most: Some(1), scope, ..MigrationLimit::default() };
    let after = |scope| collapsed(before, &mut Quota::new(limit(scope), 3), RowJobOrder::Start);
    is_drawn(
        &after(MigrationScope::Event),
        "
        0: . 2 . . . .
        1: . 3 3 3 . .
        2: 4 4 4 4 1 .",
    );
    is_drawn(
        &after(MigrationScope::Row),
        "
        0: . . . . . .
        1: 2 3 3 3 . .
        2: 4 4 4 4 1 .",
    );
}

/// Job 2 is in two rows and would have other columns in one of them. So job 1 cannot be in row 1; job 3 can.
#[test]
fn no_job_is_displaced_that_is_in_another_row() {
    is_drawn(
        &spread_out(
            "
            0: 1 1 1  . . .
            1: . . 2  . . .
            2: 3 3 2' 3 3 3",
            &mut up_to(2),
        ),
        "
        0: 1  1  1  .  .  .
        1: 3' 3' 2  3' 3' 3'
        2: 3  3  2' 3  3  3",
    );
}

/// Job 1 grazes job 2 in one column: to make way is cheaper (3 + 2·2 halves against 2·3 + 2: 7 and 8), and moves 2 whole
/// tasks. Of these only one loses its place.
#[test]
fn the_quota_counts_whole_jobs_or_the_tasks_that_lose_their_place() {
    let before = "
        0: 1 1 1 . . . . .
        1: . . 2 2 . 3 3 .";
    let after = |unit| {
        let limit = MigrationLimit { most: Some(1), unit, ..MigrationLimit::default() };
        collapsed(before, &mut Quota::new(limit, 2), RowJobOrder::Start)
    };
    is_drawn(
        &after(MigrationUnit::Jobs),
        "
        0: 1 1 1 . . . . .
        1: . . 2 2 . 3 3 .",
    );
    is_drawn(
        &after(MigrationUnit::Tasks),
        "
        0: . . . . . . . .
        1: 1 1 1 2 2 3 3 .",
    );
}
