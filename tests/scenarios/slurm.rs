//! Slurm's loops on a handful of jobs. Times of the backfill cycles are 0, 30, 60 s, ...; limits are whole minutes.

use crate::lab::page;

#[test]
fn the_first_job_that_does_not_fit_closes_its_partition() {
    // Job 3 would fit beside job 1. The main loop never passes job 2; the backfill loop does at its cycle at 30, since job 3
    // ends at 90 and job 2 holds both nodes from 120, the limit of job 1.
    page(
        1,
        "job submit run estimate procs -> builtin backfill
         1   0      100 100      1     -> 0       0
         2   1      100 100      2     -> 100     100
         3   2      10  10       1     -> 200     30",
    )
    .nodes(2)
    .slurm()
    .gives("builtin", "slurm:react=0,type=builtin")
    .gives("backfill", "slurm:react=0");
}

#[test]
fn a_reservation_is_in_the_way_of_a_job_that_ends_as_it_begins() {
    // Job 2 holds both nodes from 180. At the cycle at 30, job 3 would end at 150; at 60, at 180, which is too late.
    page(
        1,
        "job submit run estimate procs -> early late
         1   0      180 180      1     -> 0     0
         2   1      100 100      2     -> 180   180
         3   2      120 120      1     -> 30    280",
    )
    .nodes(2)
    .slurm()
    .gives("early", "slurm:react=0")
    .gives("late", "slurm:react=0,phase=60");
}

#[test]
fn reservations_begin_and_end_on_a_grid() {
    // Job 1 reaches its limit at 130, and the reservation of job 2 is rounded down to 120: at the cycle at 60, job 3 would be
    // in its way until 120. On a grid of a second it is not.
    page(
        1,
        "job submit run estimate procs -> minutes seconds
         1   10     120 120      1     -> 10      10
         2   11     50  50       2     -> 130     130
         3   12     60  60       1     -> 180     60",
    )
    .nodes(2)
    .slurm()
    .gives("minutes", "slurm:react=0,phase=50")
    .gives("seconds", "slurm:react=0,phase=50,parameters=(bf_resolution=1)");
}

#[test]
fn beyond_the_window_nothing_is_reserved() {
    // By its limit job 1 ends at 7200. With a window of an hour job 2 has no reservation, and job 3 delays it.
    page(
        1,
        "job submit run estimate procs -> day hour
         1   0      100 7200     1     -> 0   0
         2   1      10  60       2     -> 100 330
         3   2      300 9000     1     -> 110 30",
    )
    .nodes(2)
    .slurm()
    .gives("day", "slurm:react=0")
    .gives("hour", "slurm:react=0,parameters=(bf_window=60)");
}

#[test]
fn a_cycle_tests_and_reserves_for_as_many_jobs_as_it_may() {
    // Jobs 3 and 4 fit beside job 1 until job 2 needs all nodes at 120; job 5 would delay job 2.
    let table = "job submit run estimate procs user -> all one user
         1   0      100 100      1     1    -> 0   0   0
         2   1      100 100      3     1    -> 100 100 100
         3   2      10  10       1     2    -> 30  200 30
         4   3      10  10       1     2    -> 30  200 200
         5   4      300 300      2     3    -> 200 210 200";
    page(1, table)
        .nodes(3)
        .slurm()
        .gives("all", "slurm:react=0")
        .gives("one", "slurm:react=0,parameters=(bf_max_job_test=1)")
        .gives("user", "slurm:react=0,parameters=(bf_max_job_user=1)");
}

#[test]
fn a_cycle_lets_others_in_between_its_tests() {
    // With an interval of 1 us the cycle at 30 sleeps for 10 s after each test: that of job 2, which gets a reservation at 1020,
    // then those of jobs 3 and 4. Job 5 comes at 35, so at 40 the cycle ends, and the next one begins at 70; it ends at 100, as
    // job 3 has ended at 95, and job 5 starts in the cycle at 130. With bf_continue the cycle goes on at 40 and 50, and the next
    // one begins at 80.
    let table = "job submit run estimate procs -> once yields continues
         1   0      300 1000     1     -> 0   0   0
         2   1      100 100      3     -> 300 300 300
         3   2      15  10       1     -> 30  80  40
         4   3      15  10       1     -> 30  90  50
         5   35     15  10       1     -> 60  140 90";
    page(1, table)
        .nodes(3)
        .slurm()
        .gives("once", "slurm:react=0")
        .gives("once", "slurm:react=0,parameters=(bf_yield_interval=10000,bf_yield_sleep=10000000)")
        .gives("yields", "slurm:react=0,parameters=(bf_yield_interval=1,bf_yield_sleep=10000000)")
        .gives(
            "continues",
            "slurm:react=0,parameters=(bf_yield_interval=1,bf_yield_sleep=10000000,bf_continue)",
        );
}

#[test]
fn young_jobs_hold_no_reservation_and_keep_no_partition_closed() {
    // Until it is 60 s old, job 2 does not close the partition: the main loop starts job 3 at its next pass, 3 s after the one
    // at 1.
    page(
        1,
        "job submit run estimate procs -> default young
         1   0      100 100      1     -> 0       0
         2   1      100 100      2     -> 100     303
         3   2      300 300      1     -> 200     3",
    )
    .nodes(2)
    .slurm()
    .gives("default", "slurm:react=0")
    .gives("young", "slurm:react=0,parameters=(bf_min_age_reserve=600)");
}

#[test]
fn a_pass_tests_one_job_more_than_its_depth() {
    // Job 2 does not fit, and is too young to close the partition. Where a pass ends with it, job 3 waits for the first pass over
    // the whole queue.
    page(
        1,
        "job submit run estimate procs -> two one
         1   0      100 100      1     -> 0   0
         2   1      100 100      2     -> 303 360
         3   2      300 300      1     -> 3   60",
    )
    .nodes(2)
    .slurm()
    .gives("two", "slurm:react=0,type=builtin,parameters=(bf_min_age_reserve=600,default_queue_depth=1)")
    .gives("one", "slurm:react=0,type=builtin,parameters=(bf_min_age_reserve=600,default_queue_depth=0)");
}

#[test]
fn batch_jobs_wait_for_the_main_loop_and_others_are_tried_at_once() {
    // Passes are 3 s apart: the end of job 1 at 10 causes one at 12.
    page(
        4,
        "job submit run estimate procs -> sbatch srun defer
         1   0      10  60       1     -> 0      0    0
         2   1      50  60       1     -> 3      1    3
         3   4      50  60       1     -> 6      4    6
         4   8      50  60       1     -> 9      8    9
         5   9.5    50  60       1     -> 12     9.5  12",
    )
    .nodes(2)
    .slurm()
    .gives("sbatch", "slurm:react=0")
    .gives("srun", "slurm:react=0,submit=srun")
    .gives("defer", "slurm:react=0,submit=srun,parameters=(defer)");
}

#[test]
fn the_controller_takes_time() {
    // The nodes of job 1 are free 2 s after its end, and the main loop runs half a second later.
    page(
        1,
        "job submit run estimate procs -> none delays
         1   0      10  60       2     -> 0    0.5
         2   20     10  60       2     -> 20   20.5
         3   21     10  60       2     -> 30   33",
    )
    .nodes(2)
    .slurm()
    .gives("none", "slurm:react=0,type=builtin")
    .gives("delays", "slurm:type=builtin,react=0.5s,complete=2s");
}
