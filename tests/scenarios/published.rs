//! What the tests of other simulators and of a batch system expect. Each page has the shape of their input with other lengths,
//! and the starts that they publish for it, in the same proportion; what they leave open is computed by hand.

use crate::lab::page;

/// WRENCH, commit 1a498230, `BatchServiceEASYBFTest.cpp`, `SimpleEASY_BFTest_1`: completions at 60, 90, 30 and 140 s, a fifth of
/// those here.
#[test]
fn wrench_easy_starts_what_ends_before_the_head_and_nothing_longer() {
    page(
        4,
        "job submit run estimate procs -> easy
         1   0      300 300      2     -> 0
         2   0      150 150      4     -> 300
         3   0      150 150      2     -> 0
         4   0      250 250      2     -> 450",
    )
    .gives("easy", "easy");
}

/// `SimpleEASY_BFTest_2` there: completions at 6000, 70, 90, 6020 and 6000 s, ten times those here. Job 5 outlasts the start of
/// head 3 and takes the processor that the head leaves.
#[test]
fn wrench_easy_gives_the_extra_processor_to_a_long_job() {
    page(
        6,
        "job submit run estimate procs -> easy
         1   0      600 600      1     -> 0
         2   0      7   7        2     -> 0
         3   0      2   2        4     -> 7
         4   0      2   2        5     -> 600
         5   0      600 600      1     -> 0",
    )
    .gives("easy", "easy");
}

/// `SimpleEASY_BFTest_3` there: completions at 660, 121, 1861 and 1740 s, half of those here. No processor is extra, although
/// two are free.
#[test]
fn wrench_easy_counts_free_processors_of_the_shadow_time() {
    page(
        6,
        "job submit run  estimate procs -> easy
         1   0      1320 1320     3     -> 0
         2   2      240  240      1     -> 2
         3   4      3480 3480     3     -> 242
         4   6      2160 2160     1     -> 1320",
    )
    .gives("easy", "easy");
}

/// WRENCH, `BatchServiceCONSERVATIVEBFTest.cpp`, `SimpleCONSERVATIVE_BFTest`: jobs that run for a minute and ask for two to ten
/// end at 60, 60, 120 and 180 s, a third of those here. When both jobs end early, WRENCH plans the queue again in its order. Compression moves
/// one reservation after the other: job 4 holds the way of job 3 until it has itself moved.
#[test]
fn wrench_conservative_plans_again_in_queue_order() {
    page(
        4,
        "job submit run estimate procs -> replan compress
         1   0      180 1800     2     -> 0      0
         2   0      180 360      2     -> 0      0
         3   0      180 360      4     -> 180    360
         4   0      180 900      2     -> 360    180",
    )
    .gives("replan", "conservative:variant=replan")
    .gives("compress", "conservative:variant=compress");
}

/// WRENCH, `SimpleCONSERVATIVE_BFQueueWaitTimePrediction` there: where one more job would start, asked 10 s after four have come;
/// all lengths are a tenth of theirs.
#[test]
fn wrench_foretells_where_one_more_job_would_start() {
    for (procs, length, start) in [(1, 6, 1), (1, 1000, 1), (2, 1, 6), (2, 8, 24), (3, 40, 24), (4, 40, 24)] {
        page(
            4,
            &format!(
                "job submit run estimate procs -> start
                 1   0      12  12       2     -> 0
                 2   0      6   6        3     -> 12
                 3   0      6   6        3     -> 18
                 4   0      6   6        1     -> 0
                 5   1      {length} {length} {procs} -> {start}"
            ),
        )
        .gives("start", "conservative")
        .gives("start", "conservative:variant=replan")
        .gives("start", "conservative:variant=fixed");
    }
}

/// Fluxion, flux-sched commit fd257f71, `t/t1003-qmanager-policy.t`, queue-policy=easy: jobs 1, 6 and 11 start at once, and jobs 7
/// and 9 when job 6 is cancelled. A second here is a minute there; job 6 is cancelled after two.
#[test]
fn fluxion_easy() {
    page(
        16,
        "job submit run estimate procs -> easy
         1   0      60  60       8     -> 0
         2   0      60  60       10    -> 60
         3   0      60  60       12    -> 181
         4   0      60  60       14    -> 241
         5   0      60  60       16    -> 419
         6   0      2   121      6     -> 0
         7   0      179 179      4     -> 2
         8   0      239 239      4     -> 479
         9   0      239 239      2     -> 2
         10  0      299 299      2     -> 120
         11  0      59  59       2     -> 0",
    )
    .gives("easy", "easy");
}

/// The same with queue-policy=hybrid and reservation-depth=3: jobs 2, 3 and 4 hold reservations, so that jobs 7 and 11 start at
/// once, and job 9 when job 7 is cancelled.
#[test]
fn fluxion_hybrid_is_a_reservation_depth() {
    page(
        16,
        "job submit run estimate procs -> hybrid
         1   0      60  60       8     -> 0
         2   0      60  60       10    -> 60
         3   0      60  60       12    -> 120
         4   0      60  60       14    -> 180
         5   0      60  60       16    -> 241
         6   0      121 121      6     -> 301
         7   0      2   179      4     -> 0
         8   0      239 239      4     -> 301
         9   0      239 239      2     -> 2
         10  0      299 299      2     -> 301
         11  0      59  59       2     -> 0",
    )
    .gives("hybrid", "depth:k=3");
}

/// The same with queue-policy=conservative, where the job of 16 cores is before that of 14: jobs 7 and 11 start at once, and none
/// when job 7 is cancelled.
#[test]
fn fluxion_conservative() {
    page(
        16,
        "job submit run estimate procs -> start
         1   0      60  60       8     -> 0
         2   0      60  60       10    -> 60
         3   0      60  60       12    -> 120
         4   0      60  60       16    -> 180
         5   0      60  60       14    -> 240
         6   0      121 121      6     -> 300
         7   0      2   179      4     -> 0
         8   0      239 239      4     -> 300
         9   0      239 239      2     -> 240
         10  0      299 299      2     -> 300
         11  0      59  59       2     -> 0",
    )
    .gives("start", "conservative")
    .gives("start", "conservative:variant=replan")
    .gives("start", "conservative:variant=fixed");
}

/// `SchedGym`, sched-rl-gym commit 44b7f147, `schedgym/test_schedgym.py`: starts at 0, 1, 3, 2, 5 and 6 of
/// `test_easy_submitting_six_jobs` and at 0, 1, 3 and 5 of `test_fifo_submitting_four_jobs`, a tenth of those here.
#[test]
fn schedgym_easy_and_fifo() {
    page(
        3,
        "job submit run estimate procs -> easy
         1   0      20  20       2     -> 0
         2   10     20  20       1     -> 10
         3   10     20  20       3     -> 30
         4   10     10  10       2     -> 20
         5   10     10  10       2     -> 50
         6   30     10  10       2     -> 60",
    )
    .gives("easy", "easy");
    page(
        3,
        "job submit run estimate procs -> fcfs
         1   0      20  20       2     -> 0
         2   10     20  20       1     -> 10
         3   10     20  20       3     -> 30
         4   10     10  10       2     -> 50",
    )
    .gives("fcfs", "fcfs");
}

/// `test_backfilling_submitting_seven_jobs` there: starts at 0, 1, 2, 2, 3, 5 and 7, a tenth of those here. Its scheduler gives
/// each job a reservation.
#[test]
fn schedgym_backfilling_is_conservative() {
    page(
        3,
        "job submit run estimate procs -> start
         1   0      20  20       2     -> 0
         2   10     20  20       1     -> 10
         3   10     30  30       1     -> 20
         4   10     10  10       1     -> 20
         5   10     40  40       2     -> 30
         6   10     40  40       1     -> 50
         7   10     20  20       2     -> 70",
    )
    .gives("start", "conservative")
    .gives("start", "conservative:variant=replan")
    .gives("start", "conservative:variant=fixed");
}
