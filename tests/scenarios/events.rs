//! The order of events at one instant.

use crate::lab::page;

#[test]
fn an_arrival_may_come_before_or_after_the_end_of_the_same_instant() {
    // Job 1 ends at 10, earlier than expected, when job 4 arrives. If the arrival is reported first,
    // first-fit gives job 4 the free processor; if the end is reported first, there are two processors for
    // job 3.
    page(
        3,
        "job submit run estimate procs -> ends-first arrivals-first
         1   0      10  50       1     -> 0          0
         2   0      20  20       1     -> 0          0
         3   5      5   5        2     -> 10         20
         4   10     20  20       1     -> 15         10",
    )
    .gives("ends-first", "first-fit")
    .events("finish-first")
    .gives("ends-first", "first-fit")
    .events("submit-first")
    .gives("arrivals-first", "first-fit");
}

#[test]
fn a_job_that_ends_as_expected_is_gone_before_the_arrivals_of_its_last_instant() {
    let page = page(
        3,
        "job submit run estimate procs -> start
         1   0      10  10       1     -> 0
         2   0      20  20       1     -> 0
         3   5      5   5        2     -> 10
         4   10     20  20       1     -> 15",
    );
    page.gives("start", "first-fit")
        .events("submit-first")
        .gives("start", "first-fit")
        .events("finish-first")
        .gives("start", "first-fit");
}

#[test]
fn simultaneous_ends_are_reported_one_by_one_in_the_order_of_starts() {
    // In batch, head 3 finds both jobs ended at 100. One by one, job 4 is tried between the two ends.
    page(
        4,
        "job submit run estimate procs -> batch one-by-one
         1   0      100 200      2     -> 0     0
         2   0      100 300      2     -> 0     0
         3   1      50  50       4     -> 100   140
         4   2      40  40       2     -> 150   100",
    )
    .gives("batch", "easy")
    .events("submit-first")
    .gives("one-by-one", "easy")
    .events("finish-first")
    .gives("one-by-one", "easy");
}

#[test]
fn a_scheduler_with_a_cycle_decides_at_its_multiples() {
    // Job 1 waits for the decision at 30; job 2 could start at 40 and waits for the decision at 60.
    page(
        4,
        "job submit run estimate procs -> start
         1   5      10  10       4     -> 30
         2   7      10  10       4     -> 60
         3   60     5   5        4     -> 90
         4   61     0   0        1     -> 120",
    )
    .events("periodic:30")
    .gives("start", "fcfs")
    .gives("start", "easy")
    .gives("start", "conservative:variant=replan");
}

#[test]
fn a_tick_repeats_after_jobs_that_take_no_time() {
    page(
        1,
        "job submit run estimate procs -> start
         1   3      0   0        1     -> 10
         2   4      0   0        1     -> 10
         3   5      5   5        1     -> 10
         4   6      5   5        1     -> 20",
    )
    .events("periodic:10")
    .gives("start", "fcfs")
    .gives("start", "easy");
}
