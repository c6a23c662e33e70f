//! Policies without reservations, and jobs without run time.

use crate::lab::page;

#[test]
fn the_first_that_does_not_fit_blocks_fcfs_and_is_passed_by_first_fit() {
    page(
        4,
        "job submit run estimate procs -> fcfs first-fit
         1   0      10  10       3     -> 0    0
         2   1      10  10       2     -> 10   10
         3   2      5   5        1     -> 10   2
         4   3      20  20       1     -> 10   7",
    )
    .gives("fcfs", "fcfs")
    .gives("first-fit", "first-fit");
}

#[test]
fn first_fit_lets_a_wide_job_starve() {
    page(
        2,
        "job submit run estimate procs -> first-fit
         1   0      10  10       1     -> 0
         2   1      1   1        2     -> 36
         3   2      24  24       1     -> 2
         4   9      10  10       1     -> 10
         5   19     16  16       1     -> 20",
    )
    .gives("first-fit", "first-fit");
}

#[test]
fn jobs_that_take_no_time_share_an_instant_but_not_the_processors() {
    // The instant is repeated after each of them, so job 3 also starts at 0 and occupies the machine until
    // 10.
    let page = page(
        2,
        "job submit run estimate procs -> start
         1   0      0   0        2     -> 0
         2   0      0   0        2     -> 0
         3   0      10  10       2     -> 0
         4   0      0   0        1     -> 10",
    );
    page.events("batch")
        .gives("start", "fcfs")
        .gives("start", "conservative")
        .events("submit-first")
        .gives("start", "fcfs")
        .gives("start", "conservative:variant=fixed")
        .events("finish-first")
        .gives("start", "fcfs");
}

#[test]
fn the_second_reserved_for_a_job_that_takes_no_time_is_free_again_at_its_end() {
    // Job 2 holds a reservation from 2 to 3 and ends at 2: this end lets job 3 move up.
    let page = page(
        1,
        "job submit run estimate procs -> start
         1   0      2   2        1     -> 0
         2   0      0   0        1     -> 2
         3   0      3   3        1     -> 2",
    );
    page.gives("start", "conservative")
        .events("submit-first")
        .gives("start", "conservative")
        .events("finish-first")
        .gives("start", "conservative");
}

#[test]
fn a_job_that_takes_no_time_lasts_a_second_in_a_reservation() {
    // The head's shadow time is 10: job 3 would fit in the half second before it, but is expected to last one
    // second.
    page(
        2,
        "job submit run estimate procs -> easy
         1   0      10  10       1     -> 0
         2   1      5   5        2     -> 10
         3   9.5    0   0        1     -> 15",
    )
    .gives("easy", "easy")
    .gives("easy", "depth")
    .gives("easy", "conservative");
}

#[test]
fn a_job_that_has_waited_for_the_threshold_goes_first() {
    // At 110 job 2 has waited 109 s: with a threshold of 109 it goes first, with 110 it does not.
    page(
        1,
        "job submit run estimate procs -> never after-109
         1   0      50  50       1     -> 0     0
         2   1      60  60       1     -> 130   110
         3   10     20  20       1     -> 50    50
         4   40     20  20       1     -> 70    70
         5   60     20  20       1     -> 90    90
         6   80     20  20       1     -> 110   170",
    )
    .gives("never", "fcfs:order=sjf")
    .gives("never", "easy:order=sjf,threshold=110")
    .gives("after-109", "fcfs:order=sjf,threshold=109")
    .gives("after-109", "depth:k=inf,order=sjf,threshold=109");
}
