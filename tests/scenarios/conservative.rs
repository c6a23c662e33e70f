//! Every job holds a reservation; the variants differ when a job ends early.

use batchlab::traces::reading::Overrun;

use crate::lab::page;

#[test]
fn the_variants_differ_after_an_early_end() {
    // At 10, compression moves job 3 only to 130, since jobs 4 and 5 still hold later places; they then move
    // into the hole before it. Replanning places job 3 at 60 before it considers job 5.
    page(
        4,
        "job submit run estimate procs -> compress replan fixed
         1   0      10  100      4     -> 0        0      0
         2   1      50  50       2     -> 10       10     100
         3   2      100 100      4     -> 120      60     150
         4   3      30  30       2     -> 10       10     100
         5   4      80  80       2     -> 40       160    250",
    )
    .gives("compress", "conservative")
    .gives("replan", "conservative:variant=replan")
    .gives("fixed", "conservative:variant=fixed");
}

#[test]
fn no_job_is_delayed_by_a_job_behind_it() {
    // EASY starts job 4 at 3 and delays job 3; here job 4 fits no hole.
    page(
        4,
        "job submit run estimate procs -> start
         1   0      100 100      3     -> 0
         2   1      50  50       3     -> 100
         3   2      20  20       4     -> 150
         4   3      160 160      1     -> 170
         5   4      90  90       1     -> 4",
    )
    .gives("start", "conservative")
    .gives("start", "conservative:variant=replan")
    .gives("start", "conservative:variant=fixed");
}

#[test]
fn a_reservation_falls_due_at_an_instant_at_which_nothing_else_happens() {
    // Job 1 ends at 10. Job 2 was promised its start at 100, where no event happens.
    page(
        2,
        "job submit run estimate procs -> fixed
         1   0      10  100      2     -> 0
         2   1      5   5        1     -> 100
         3   2      5   5        2     -> 105",
    )
    .gives("fixed", "conservative:variant=fixed")
    .events("submit-first")
    .gives("fixed", "conservative:variant=fixed")
    .events("finish-first")
    .gives("fixed", "conservative:variant=fixed");
}

#[test]
fn a_newcomer_takes_the_first_hole_that_is_long_enough() {
    page(
        4,
        "job submit run estimate procs -> start
         1   0      20  20       4     -> 0
         2   1      30  30       3     -> 20
         3   2      10  10       2     -> 50
         4   3      31  31       1     -> 20
         5   4      30  30       1     -> 50
         6   5      10  10       1     -> 51",
    )
    .gives("start", "conservative")
    .gives("start", "conservative:variant=replan")
    .gives("start", "conservative:variant=fixed");
}

#[test]
fn a_reservation_that_waits_for_an_overdue_job_is_not_due_on_nodes_either() {
    // Job 3 is overdue from 2 on. At 20 job 2 slips: it waits for job 3 behind job 5, which is shorter, and no wake-up
    // comes at 21. At 22 both of them fit, and job 4 behind them.
    page(
        2,
        "job submit run estimate procs -> start
         1   0      20  20       1     -> 0
         2   1      10  10       2     -> 22
         3   1      21  0        1     -> 1
         4   10     10  10       1     -> 32
         5   11     0   0        2     -> 22",
    )
    .overrun(Overrun::Overdue)
    .gives("start", "conservative:order=sjf")
    .by_node()
    .gives("start", "conservative:order=sjf")
    .gives("start", "conservative:order=sjf,variant=rechoose")
    .events("submit-first")
    .gives("start", "conservative:order=sjf")
    .gives("start", "conservative:order=sjf,variant=rechoose");
}
