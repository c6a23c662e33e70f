//! Job 1 runs for 20 s although it asked for 10 s.

use batchlab::traces::reading::Overrun;

use crate::lab::page;

#[test]
fn an_overrun_is_known_ahead_or_cut_off_or_expected_to_end_at_any_moment() {
    // Under `raise`, job 1 leaves a hole until 20; under `kill`, the head starts at 10. Under `overdue`, job
    // 1 is expected to end one second from now: job 4 fits in that second at 12, job 5 does not.
    let page = page(
        2,
        "job submit run estimate procs -> raise kill overdue
         1   0      20  10       1     -> 0     0    0
         2   1      5   5        2     -> 20    10   20
         3   2      9   9        1     -> 2     15   25
         4   12     1   1        1     -> 12    15   12
         5   12     2   2        1     -> 13    16   25",
    );
    page.overrun(Overrun::Raise)
        .gives("raise", "easy")
        .gives("raise", "depth:k=1")
        .gives("raise", "conservative:variant=replan")
        .overrun(Overrun::Kill)
        .gives("kill", "easy")
        .gives("kill", "depth:k=1")
        .gives("kill", "conservative")
        .overrun(Overrun::Overdue)
        .gives("overdue", "easy")
        .gives("overdue", "depth:k=1")
        .gives("overdue", "conservative:variant=replan");
}

#[test]
fn an_overdue_job_keeps_its_processors_when_it_ends_at_the_instant_of_an_arrival() {
    // At 20 job 1 ends as job 3 arrives. Under `raise` it ends as expected and counts as ended before the
    // arrival. Under `overdue` its end is not expected: job 3 is reported first and takes the free processor.
    let table = "job submit run estimate procs -> raise overdue
                 1   0      20  10       1     -> 0     0
                 2   1      5   5        2     -> 20    25
                 3   20     5   5        1     -> 25    20";
    page(2, table).events("submit-first").overrun(Overrun::Raise).gives("raise", "first-fit");
    page(2, table).events("submit-first").overrun(Overrun::Overdue).gives("overdue", "first-fit");
}

#[test]
fn a_reservation_broken_by_an_overdue_job_is_remade_at_the_next_event_and_counted() {
    // Job 2 is promised 10; job 1 still runs then. There is no event before its end at 20.
    let outcome = page(
        2,
        "job submit run estimate procs -> compress
         1   0      20  10       2     -> 0
         2   1      5   5        2     -> 20",
    )
    .overrun(Overrun::Overdue)
    .outcome("compress", "conservative");
    assert_eq!(outcome.tallies.get("slipped reservations"), Some(&1));
}
