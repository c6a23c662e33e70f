//! Capacity that comes and goes; starts computed by hand.

use batchlab::outcome::Fate;
use batchlab::traces::{JobId, Time};

use crate::lab::{page, play};

const OUTAGE: &str = "[[event]]\nkind = \"outage\"\nfrom = 50\nto = 200\nprocs = 3\n";

#[test]
fn the_jobs_started_last_make_room_and_begin_anew() {
    // Of four processors one stays at 50. Job 2, started last, goes first, then job 1; job 1 fits on what is left.
    let page = page(
        4,
        "job submit run estimate procs -> start
         1   0      100 100      1     -> 0
         2   1      100 100      2     -> 200
         3   60     10  10       1     -> 100",
    )
    .calendar("none", OUTAGE)
    .gives("start", "fcfs")
    .gives("start", "easy")
    .gives("start", "conservative")
    .gives("start", "first-fit");
    let outcome = page.outcome("start", "easy");
    assert_eq!(outcome.end[1], Time::from_secs(300));
    assert_eq!(outcome.tallies.get("jobs requeued by the calendar"), Some(&1));
}

#[test]
fn a_job_for_which_too_little_is_in_service_blocks_nobody() {
    page(
        4,
        "job submit run estimate procs -> start
         1   60     10  10       4     -> 200
         2   61     100 100      1     -> 61
         3   70     10  10       1     -> 161",
    )
    .calendar("none", OUTAGE)
    .gives("start", "fcfs")
    .gives("start", "easy")
    .gives("start", "conservative")
    .gives("start", "mpfs");
}

#[test]
fn running_jobs_are_killed_or_drained_if_the_event_says_so() {
    let jobs = "job submit run estimate procs -> killed drained
                1   0      100 100      4     -> 0      0
                2   60     10  10       1     -> 60     100
                3   61     10  10       2     -> 200    200";
    let page = page(4, jobs)
        .calendar("none", &format!("{OUTAGE}jobs = \"drain\"\n"))
        .gives("drained", "fcfs")
        .gives("drained", "easy")
        .gives("drained", "conservative")
        .calendar("none", &format!("{OUTAGE}jobs = \"kill\"\n"));
    let outcome = page.outcome("killed", "easy");
    assert_eq!((outcome.fate(JobId(0)), outcome.end[0]), (Fate::Killed, Time::from_secs(50)));
}

/// The checker of schedules called it a job on the machine that was turned away. Found by mutated calendars.
#[test]
fn a_job_that_is_interrupted_for_good_is_turned_away() {
    let scene = page(
        4,
        "job submit run estimate procs -> start
         1   0      100 100      4     -> 0",
    )
    .calendar("none", "[[event]]\nkind = \"outage\"\nfrom = 50\n")
    .play();
    for spec in ["easy", "conservative"] {
        let (outcome, _) = play(&scene, spec);
        assert_eq!((outcome.fate(JobId(0)), outcome.lost[0].to), (Fate::Rejected, Time::from_secs(50)));
    }
}

#[test]
fn on_nodes_the_jobs_there_make_room() {
    page(
        2,
        "job submit run estimate procs -> start
         1   0      100 100      2     -> 0
         2   1      100 100      2     -> 100
         3   60     10  10       2     -> 200",
    )
    .nodes(2)
    .tasks_of(2)
    .calendar("none", "[[event]]\nkind = \"outage\"\nfrom = 50\nto = 200\nnodes = 1\n")
    .gives("start", "fcfs")
    .gives("start", "easy")
    .gives("start", "conservative");
}

#[test]
fn a_job_whose_estimate_crosses_a_known_window_waits() {
    let jobs = "job submit run estimate procs -> known unknown announced
                1   0      10  100      4     -> 200   0       0
                2   1      40  40       4     -> 1     10      10
                3   60     20  20       4     -> 210   200     200";
    let maintenance = "[[event]]\nkind = \"maintenance\"\nfrom = 50\nto = 200\n";
    page(4, jobs)
        .calendar("calendar", maintenance)
        .gives("known", "easy")
        .gives("known", "conservative")
        .gives("known", "conservative:variant=replan")
        .calendar("none", maintenance)
        .gives("unknown", "easy")
        .gives("unknown", "conservative")
        .calendar("reservations", &format!("{maintenance}known = 45\n"))
        .gives("announced", "easy")
        .gives("announced", "conservative");
}

#[test]
fn the_head_is_reserved_behind_the_window_and_jobs_that_end_before_it_start() {
    // Two of four processors go from 50 to 200. Job 2, the head, needs three for 100 s. Job 3 has two until 50 and
    // beyond; job 4 delays no job either; job 5 would still hold two processors when job 2 starts.
    page(
        4,
        "job submit run estimate procs -> start
         1   0      20  20       2     -> 0
         2   1      100 100      3     -> 200
         3   2      150 150      1     -> 2
         4   3      30  30       1     -> 3
         5   4      190 190      2     -> 300",
    )
    .calendar("calendar", "[[event]]\nkind = \"capacity\"\nfrom = 50\nto = 200\nprocs = 2\n")
    .gives("start", "easy")
    .gives("start", "depth:k=1");
}

#[test]
fn events_recur_and_a_wide_job_waits_for_a_gap_that_is_long_enough() {
    page(
        4,
        "job submit run estimate procs -> start
         1   0      60  60       4     -> 0
         2   1      50  50       4     -> 130
         3   300    10  10       4     -> 330",
    )
    .calendar("none", "[[event]]\nkind = \"maintenance\"\nfrom = 80\nto = 130\nevery = 100\nuntil = 290\n")
    .gives("start", "first-fit");
}
