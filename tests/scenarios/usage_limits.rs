//! Limits from a file; starts computed by hand.

use crate::lab::page;

#[test]
fn a_job_skipped_for_a_limit_holds_no_reservation() {
    // Without limits, head 2 gets all processors at 100, and job 3 would delay it. With two running jobs of user 1
    // exhausted, job 2 is no head. It returns at 100, as the head of the queue.
    page(
        4,
        "job submit run estimate procs user -> easy limited
         1   0      100 100      3     1    -> 0    0
         2   1      10  10       4     1    -> 100  502
         3   2      500 500      1     2    -> 110  2",
    )
    .gives("easy", "easy")
    .limits("[[limit]]\nuser = \"*\"\nrunning_jobs = 1")
    .gives("limited", "easy")
    .gives("limited", "conservative")
    .gives("limited", "depth:k=inf")
    .events("submit-first")
    .gives("limited", "easy");
}

#[test]
fn a_start_that_exhausts_a_limit_is_followed_by_a_decision_without_the_jobs_that_wait_for_it() {
    // At 10 user 1 may run one more job: job 2. Job 3 is then no head, so that job 4 starts beside it.
    page(
        4,
        "job submit run estimate procs user -> start
         1   0      10  10       4     1    -> 0
         2   1      50  50       2     1    -> 10
         3   2      50  50       4     1    -> 80
         4   3      70  70       2     2    -> 10",
    )
    .limits("[[limit]]\nuser = 1\nrunning_jobs = 1")
    .gives("start", "easy")
    .gives("start", "fcfs")
    .gives("start", "first-fit");
}

#[test]
fn running_jobs_are_chosen_in_the_order_of_priority_and_eligible_jobs_by_submission() {
    page(
        4,
        "job submit run estimate procs user -> running eligible
         1   0      10  10       1     1    -> 0       0
         2   1      50  50       1     1    -> 30      10
         3   2      20  20       1     1    -> 10      60",
    )
    .limits("[[limit]]\nuser = \"*\"\nrunning_jobs = 1")
    .gives("running", "easy:order=sjf")
    .limits("[[limit]]\nuser = \"*\"\nrunning_jobs = 1\ncount = \"eligible\"")
    .gives("eligible", "easy:order=sjf");
}

#[test]
fn a_narrow_job_passes_a_wide_one_that_exceeds_a_limit_on_processors() {
    page(
        8,
        "job submit run estimate procs user partition -> running eligible
         1   0      100 100      3     1    1         -> 0       0
         2   1      10  10       3     1    1         -> 100     100
         3   2      10  10       1     1    1         -> 2       100
         4   3      10  10       3     1    2         -> 3       3",
    )
    .limits("[[limit]]\nuser = \"*\"\npartition = 1\nprocs = 4")
    .gives("running", "fcfs")
    .limits("[[limit]]\nuser = \"*\"\npartition = 1\nprocs = 4\ncount = \"eligible\"")
    .gives("eligible", "fcfs");
}

#[test]
fn the_rest_of_a_running_job_shrinks_until_another_has_room() {
    // Two node-hours on a pool are two processors for an hour. Job 1 asks for 2 h at first and ends after 1.5 h; job 2
    // asks for 1 h, for which there is room when job 1 has one left.
    page(
        4,
        "job submit run  estimate procs user -> start
         1   0      5400 7200     1     1    -> 0
         2   1      3600 3600     1     1    -> 3600
         3   2      3600 3600     2     1    -> 7200",
    )
    .limits("[[limit]]\nnode_hours = 2")
    .gives("start", "fcfs")
    .gives("start", "easy");
}
