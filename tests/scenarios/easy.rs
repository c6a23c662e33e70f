//! EASY: one reservation, for the head.

use crate::lab::page;

#[test]
fn the_shadow_time_and_the_extra_processors_admit_candidates() {
    // Head 3 needs 8: shadow time 100, when job 1 is expected to end, and 2 extra processors. Job 4 ends
    // exactly then, jobs 5 and 6 use the extra processors; none is left for job 7.
    page(
        10,
        "job submit run estimate procs -> easy
         1   0      50  100      6     -> 0
         2   0      30  60       2     -> 0
         3   1      10  10       8     -> 100
         4   2      98  98       1     -> 2
         5   3      500 500      1     -> 3
         6   4      500 500      1     -> 30
         7   31     500 500      1     -> 110",
    )
    .gives("easy", "easy")
    .gives("easy", "depth:k=1");
}

#[test]
fn only_jobs_that_outlast_the_shadow_time_use_extra_processors() {
    // All three candidates are tried at 2: job 3 ends by 100 and uses no extra processor, job 4 takes both.
    page(
        10,
        "job submit run estimate procs -> easy
         1   0      100 100      4     -> 0
         2   1      10  10       8     -> 100
         3   2      98  98       2     -> 2
         4   2      200 200      2     -> 2
         5   2      200 200      2     -> 110",
    )
    .gives("easy", "easy")
    .gives("easy", "depth:k=1");
}

#[test]
fn ends_tied_at_the_shadow_time_all_count_for_the_extra_processors() {
    page(
        8,
        "job submit run estimate procs -> all first
         1   0      100 100      3     -> 0   0
         2   0      100 100      3     -> 0   0
         3   1      50  50       5     -> 100 100
         4   2      200 200      2     -> 2   100",
    )
    .gives("all", "easy")
    .gives("first", "easy:extra=first");
}

#[test]
fn a_candidate_may_end_at_the_shadow_time_and_not_a_tick_later() {
    page(
        4,
        "job submit run estimate  procs -> easy
         1   0      100 100       2     -> 0
         2   1      10  10        4     -> 100
         3   2      98  98        1     -> 2
         4   2      98  98.000001 1     -> 110",
    )
    .gives("easy", "easy")
    .gives("easy", "depth:k=1");
}

#[test]
fn the_candidate_order_decides_which_job_fills_the_hole() {
    // Four processors are free until 100: one job of four, or two of two.
    page(
        10,
        "job submit run estimate procs -> fcfs sjf
         1   0      100 100      6     -> 0    0
         2   1      10  10       10    -> 100  100
         3   2      80  80       4     -> 2    110
         4   2      20  20       2     -> 110  2
         5   2      40  40       2     -> 110  2",
    )
    .gives("fcfs", "easy")
    .gives("fcfs", "easy:candidates=ljf")
    .gives("fcfs", "easy:candidates=lqf")
    .gives("sjf", "easy:candidates=sjf")
    .gives("sjf", "easy:candidates=saf")
    .gives("sjf", "depth:k=1,candidates=sqf");
}

#[test]
fn the_queue_order_decides_which_job_is_the_head() {
    page(
        4,
        "job submit run estimate procs -> fcfs sjf
         1   0      100 100      3     -> 0    0
         2   1      50  50       4     -> 100  120
         3   2      20  20       2     -> 150  100",
    )
    .gives("fcfs", "easy")
    .gives("fcfs", "easy:candidates=sjf")
    .gives("sjf", "easy:order=sjf");
}

#[test]
fn the_reservation_is_remade_at_every_decision() {
    // Job 1 ends at 20 instead of 100: the head's shadow time changes from 100 to 60, and job 4 no longer
    // fits before it.
    page(
        4,
        "job submit run estimate procs -> easy
         1   0      20  100      2     -> 0
         2   0      60  60       1     -> 0
         3   1      10  10       4     -> 60
         4   20     50  50       1     -> 70
         5   21     30  30       1     -> 21",
    )
    .gives("easy", "easy");
}
