//! Any number of reservations between one and all jobs.

use crate::lab::page;

#[test]
fn a_second_reservation_protects_the_second_in_the_queue() {
    // Job 4, on the processor that head 2 leaves free, delays job 3 from 150 to 163.
    page(
        4,
        "job submit run estimate procs -> one two
         1   0      100 100      3     -> 0   0
         2   1      50  50       3     -> 100 100
         3   2      20  20       4     -> 163 150
         4   3      160 160      1     -> 3   170",
    )
    .gives("one", "depth")
    .gives("one", "easy")
    .gives("two", "depth:k=2")
    .gives("two", "depth:k=inf");
}

#[test]
fn with_all_reservations_every_job_is_protected() {
    page(
        4,
        "job submit run estimate procs -> two inf
         1   0      100 100      3     -> 0   0
         2   1      50  50       3     -> 100 100
         3   2      20  20       3     -> 150 150
         4   3      10  10       4     -> 174 170
         5   4      170 170      1     -> 4   180",
    )
    .gives("two", "depth:k=1")
    .gives("two", "depth:k=2")
    .gives("inf", "depth:k=3")
    .gives("inf", "depth:k=inf")
    .gives("inf", "conservative:variant=replan")
    .gives("inf", "conservative:variant=fixed");
}

#[test]
fn depth_counts_reservations_and_not_places_in_the_queue() {
    // Job 3 starts at once and needs no reservation: the second reservation is job 4's.
    page(
        5,
        "job submit run estimate procs -> two
         1   0      100 100      3     -> 0
         2   1      50  50       4     -> 100
         3   2      10  10       1     -> 2
         4   2      20  20       5     -> 150
         5   2      160 160      1     -> 170",
    )
    .gives("two", "depth:k=2");
}

#[test]
fn candidates_beyond_the_reservations_come_in_their_own_order() {
    page(
        4,
        "job submit run estimate procs -> fcfs sjf
         1   0      100 100      3     -> 0    0
         2   1      50  50       3     -> 100  100
         3   2      20  20       4     -> 150  150
         4   3      90  90       1     -> 3    53
         5   3      50  50       1     -> 93   3",
    )
    .gives("fcfs", "depth:k=2")
    .gives("sjf", "depth:k=2,candidates=sjf");
}

#[test]
fn a_job_that_is_gone_at_once_leaves_room_for_the_next_as_under_easy() {
    // If events are reported one by one, job 4 counts as ended as soon as it starts at 10: job 5 finds both
    // processors beside job 2 free, and ends when head 3 is due.
    let page = page(
        3,
        "job submit run estimate procs -> start
         1   0      10  10       3     -> 0
         2   0      2   2        1     -> 10
         3   1      4   4        3     -> 12
         4   1      0   0        1     -> 10
         5   1      2   2        2     -> 10
         6   1      2   2        1     -> 16",
    );
    page.events("finish-first")
        .gives("start", "easy")
        .gives("start", "depth:k=1")
        .gives("start", "depth:k=inf")
        .events("submit-first")
        .gives("start", "easy")
        .gives("start", "depth:k=1")
        .gives("start", "depth:k=inf");
}
