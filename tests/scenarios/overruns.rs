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

#[test]
fn a_job_that_slips_is_not_put_behind_the_jobs_behind_it() {
    // At 10 job 1 is overdue: job 2 slips. It starts as soon as job 1 ends; before, jobs 3 and 4 took its place and it
    // started at 70.
    let table = "job submit run estimate procs -> start
         1   0      20  10       7     -> 0
         2   1      50  50       7     -> 20
         3   2      50  50       4     -> 70
         4   3      50  50       4     -> 70";
    let specs = ["conservative", "conservative:variant=replan", "ff-cons", "depth:k=4", "slack", "selective"];
    for spec in specs {
        page(10, table).overrun(Overrun::Overdue).gives("start", spec);
        page(10, table).overrun(Overrun::Overdue).by_node().gives("start", spec);
    }
    // Half of each estimate, 20 s of job 1 under `raise`, is expected: it slips likewise.
    let predicting = "conservative:predictor=expr(0.5*estimate)";
    page(10, table).overrun(Overrun::Raise).gives("start", predicting);
    page(10, table).by_node().overrun(Overrun::Raise).gives("start", predicting);
    let shared = "job submit run estimate procs r -> start
         1   0      20  10       7     1 -> 0
         2   1      50  50       1     2 -> 20
         3   2      50  50       1     1 -> 70
         4   3      50  50       1     1 -> 70";
    page(10, shared).with("r", 2).overrun(Overrun::Overdue).gives("start", "conservative");
}

#[test]
fn a_job_that_slips_on_nodes_is_not_put_behind_the_jobs_behind_it() {
    // Jobs of whole nodes: job 1 is overdue on both at 10; jobs 3 and 4 were to start when job 2 ends.
    let table = "job submit run estimate procs -> start
         1   0      20  10       4     -> 0
         2   1      50  50       4     -> 20
         3   2      50  50       2     -> 70
         4   3      50  50       2     -> 70";
    page(2, table).nodes(2).tasks_of(2).overrun(Overrun::Overdue).gives("start", "conservative");
}

#[test]
fn a_wake_up_of_a_job_behind_does_not_start_it_before_a_job_that_has_slipped() {
    // Job 2 slips at 10; the next event is the end of job 1 at 90. Job 4 was to start at 30, when job 2 was to end: no
    // event happens then, and job 2, which still waits, keeps its place.
    let table = "job submit run estimate procs -> start
         1   0      90  10       6     -> 0
         2   1      20  20       8     -> 90
         3   2      5   5        4     -> 2
         4   3      100 100      3     -> 110";
    page(10, table).overrun(Overrun::Overdue).gives("start", "conservative");
    page(10, table).by_node().overrun(Overrun::Overdue).gives("start", "conservative");
}

#[test]
fn a_kept_reservation_that_slips_is_not_put_behind_later_ones() {
    // As above: the reservations of jobs 3 and 4, kept from 60 on, do not hold job 2 up to 110.
    page(
        10,
        "job submit run estimate procs -> start
         1   0      20  10       7     -> 0
         2   1      50  50       7     -> 20
         3   2      50  50       4     -> 70
         4   3      50  50       4     -> 70",
    )
    .overrun(Overrun::Overdue)
    .gives("start", "bkfl:reservations=4,keep=true");
}
