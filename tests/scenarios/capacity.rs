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
