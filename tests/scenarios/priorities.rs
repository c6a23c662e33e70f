//! Tiers and preemption; starts computed by hand. Users name the classes: user 1 is urgent, user 2 is a scavenger.

use batchlab::outcome::{Fate, LostRun};
use batchlab::traces::{JobId, Time};

use crate::lab::{Page, page};

const URGENT: &str =
    "[[class]]\nuser = 1\npriority = 10\npreempts = true\n[[class]]\nuser = 2\npriority = -10\n";

fn secs(seconds: i64) -> Time {
    Time::from_secs(seconds)
}

/// The page with scavengers that lose their processors in a certain way.
fn preempted(page: Page, how: &str) -> Page {
    page.priorities(&format!("{URGENT}{how}\n"))
}

#[test]
fn a_requeued_job_starts_again_from_the_beginning_at_its_place_in_the_queue() {
    // At 10 the urgent job needs all processors. Both scavengers wait again; job 1 was submitted first. Under conservative
    // backfilling their reservations are made again, behind that of job 3.
    let page = page(
        4,
        "job submit run estimate procs user -> start conservative
         1   0      100 100      2     2    -> 30    30
         2   1      50  50       2     2    -> 30    40
         3   5      10  10       2     2    -> 80    30
         4   10     20  20       4     1    -> 10    10",
    );
    let page = preempted(page, "preempted = \"requeue\"");
    let outcome = page.outcome("start", "fcfs");
    let lost = |job, from| LostRun { job: JobId(job), from: secs(from), to: secs(10) };
    assert_eq!(outcome.lost, [lost(1, 1), lost(0, 0)]);
    assert_eq!(outcome.tallies.get("jobs requeued by preemption"), Some(&2));
    page.gives("start", "easy")
        .gives("conservative", "conservative")
        .gives("start", "first-fit")
        .gives("start", "depth:k=2")
        .events("submit-first")
        .gives("start", "easy")
        .gives("conservative", "conservative");
}

#[test]
fn a_cancelled_job_ends() {
    let jobs = page(
        4,
        "job submit run estimate procs user -> start
         1   0      100 100      4     2    -> 0
         2   10     20  20       4     1    -> 10",
    );
    let outcome = preempted(jobs, "preempted = \"cancel\"").outcome("start", "easy");
    assert_eq!((outcome.fate(JobId(0)), outcome.end(JobId(0))), (Fate::Killed, secs(10)));
    assert_eq!(outcome.tallies.get("jobs cancelled by preemption"), Some(&1));
}

#[test]
fn a_victim_that_ends_in_its_grace_time_loses_nothing() {
    let jobs = page(
        4,
        "job submit run estimate procs user -> start
         1   0      30  100      4     2    -> 0
         2   10     20  20       4     1    -> 30",
    );
    let page = preempted(jobs, "preempted = \"requeue\"\ngrace = \"1m\"");
    let outcome = page.outcome("start", "easy");
    assert!(outcome.lost.is_empty() && outcome.tallies.is_empty());
}
