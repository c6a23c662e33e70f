//! Selective reservations: a job gets a reservation when it reaches an expansion factor.

use crate::lab::page;

#[test]
fn a_job_holds_a_reservation_once_it_has_waited_for_long_enough() {
    // Job 2 reaches the factor 2 at 51. Job 3 still passes it at 2; at 100, the next decision, job 2 gets a
    // reservation at 202: job 4 does not end by then, job 5 does. Without reservations job 2 waits for all of
    // them.
    page(
        4,
        "job submit run estimate procs -> one two inf
         1   0      100 100      3     -> 0   0   0
         2   1      50  50       4     -> 100 202 302
         3   2      200 200      1     -> 150 2   2
         4   101    150 150      1     -> 150 252 101
         5   102    100 100      3     -> 300 102 202",
    )
    .gives("one", "selective:xfactor=1")
    .gives("one", "depth:k=inf")
    .gives("two", "selective:xfactor=2")
    .gives("two", "selective:xfactor=2.98")
    .gives("inf", "selective:xfactor=inf")
    .gives("inf", "first-fit");
}

#[test]
fn the_first_in_the_queue_does_not_delay_one_that_holds_a_reservation() {
    // At 100 job 2 has the factor 1.33 and fits. Job 3 has 10.6 and reserves all four processors from now on.
    page(
        4,
        "job submit run estimate procs -> five
         1   0      100 100      4     -> 0
         2   1      300 300      2     -> 110
         3   4      10  10       4     -> 100",
    )
    .gives("five", "selective:xfactor=5");
}

#[test]
fn the_adaptive_threshold_is_the_mean_factor_of_those_that_have_ended() {
    // Until 150 the mean factor is 1 (no ended job, then job 1, which did not wait). Job 2 ends at 150 with
    // 2.98, and the mean is 1.99: job 3 has 1.74 and is passed by job 4, which has 15.7.
    page(
        4,
        "job submit run estimate procs -> one adaptive
         1   0      100 100      3     -> 0   0
         2   1      50  50       4     -> 100 100
         3   2      200 200      1     -> 150 160
         4   3      10  10       4     -> 350 150",
    )
    .gives("one", "selective:xfactor=1")
    .gives("adaptive", "selective")
    .gives("adaptive", "selective:xfactor=adaptive");
}

#[test]
fn on_nodes_the_reservation_is_a_placement() {
    // From 2 on two processors of node 0 and all of node 1 are free. Job 2, a task of four, gets node 1 at
    // once; job 3 is to get node 0 at 100, so job 4 has no node until 102 and job 5 ends in time.
    page(
        4,
        "job submit run estimate procs -> one
         1   0      100 100      2     -> 0
         2   1      101 101      4     -> 1
         3   2      50  50       4     -> 100
         4   3      200 200      2     -> 102
         5   4      90  90       2     -> 4",
    )
    .nodes(2)
    .tasks_of(4)
    .gives("one", "selective:xfactor=1")
    .gives("one", "depth:k=inf");
}
