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
fn jobs_of_a_higher_tier_are_served_first() {
    // No job is preempted: scavengers run to their ends. Job 4 has waited least.
    page(
        4,
        "job submit run estimate procs user -> start
         1   0      100 100      4     2    -> 0
         2   1      10  10       4     2    -> 120
         3   2      10  10       4     3    -> 110
         4   3      10  10       4     1    -> 100",
    )
    .priorities(URGENT)
    .gives("start", "fcfs")
    .gives("start", "first-fit")
    .gives("start", "easy")
    .gives("start", "easy:order=sjf")
    .gives("start", "easy:order=wfp3")
    .gives("start", "easy:order=fairshare")
    .gives("start", "easy:threshold=50s")
    .gives("start", "conservative")
    .gives("start", "depth:k=2")
    .events("submit-first")
    .gives("start", "easy")
    .gives("start", "conservative");
}

#[test]
fn a_reservation_of_a_lower_tier_gives_way_to_a_job_of_a_higher_one() {
    // Job 2 is promised 100 until the urgent job 3 arrives.
    page(
        4,
        "job submit run estimate procs user -> start
         1   0      100 100      4     3    -> 0
         2   1      50  50       3     3    -> 150
         3   2      50  50       3     1    -> 100
         4   3      50  50       1     2    -> 100",
    )
    .priorities(URGENT)
    .gives("start", "conservative")
    .gives("start", "depth:k=inf")
    .events("submit-first")
    .gives("start", "conservative");
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
fn only_as_many_victims_as_needed_the_lowest_tier_and_the_latest_start_first() {
    // Jobs 1 to 4 run. Job 5 needs two processors: of the scavengers, 3 started last and has one, 2 has two, so that
    // job 3 is spared again. Job 1 of tier 0 is never preempted.
    let jobs = page(
        6,
        "job submit run estimate procs user -> start
         1   0      100 100      2     3    -> 0
         2   1      100 100      2     2    -> 30
         3   2      100 100      1     2    -> 2
         4   3      100 100      1     3    -> 3
         5   10     20  20       2     1    -> 10",
    );
    preempted(jobs, "preempted = \"requeue\"").gives("start", "fcfs").gives("start", "easy");
}

#[test]
fn nobody_is_preempted_if_enough_cannot_be_freed() {
    let jobs = page(
        6,
        "job submit run estimate procs user -> start
         1   0      100 100      3     3    -> 0
         2   1      50  50       3     2    -> 1
         3   10     20  20       4     1    -> 100",
    );
    preempted(jobs, "preempted = \"requeue\"")
        .gives("start", "fcfs")
        .gives("start", "easy")
        .gives("start", "conservative");
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
fn room_is_kept_during_the_grace_time() {
    // At 10 job 1 is given 30 s. Jobs 3 and 4 would fit beside it, and would take what job 2 needs at 40; that job 4 would
    // end before is an estimate. At 60 they go before job 1, which has three processors again at 65.
    let jobs = page(
        4,
        "job submit run estimate procs user -> start
         1   0      100 100      3     2    -> 65
         2   10     20  20       4     1    -> 40
         3   11     80  80       1     3    -> 60
         4   12     5   5        1     3    -> 60",
    );
    preempted(jobs, "preempted = \"requeue\"\ngrace = 30")
        .gives("start", "fcfs")
        .gives("start", "easy")
        .gives("start", "first-fit")
        .gives("start", "conservative")
        .events("submit-first")
        .gives("start", "easy");
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

#[test]
fn a_job_is_exempt_from_preemption_until_it_has_run_so_long() {
    let jobs = page(
        4,
        "job submit run estimate procs user -> start
         1   0      100 100      4     2    -> 80
         2   10     20  20       4     1    -> 60",
    );
    preempted(jobs, "preempted = \"requeue\"\nexempt = \"1m\"")
        .gives("start", "fcfs")
        .gives("start", "easy")
        .gives("start", "conservative");
}

#[test]
fn each_of_several_jobs_gets_its_own_victims_at_once() {
    // All three notices begin at 10 and 11, not one after another.
    let jobs = page(
        6,
        "job submit run estimate procs user -> start
         1   0      500 500      2     2    -> 81
         2   1      500 500      2     2    -> 90
         3   2      500 500      2     2    -> 90
         4   10     50  50       2     1    -> 40
         5   10     50  50       2     1    -> 40
         6   11     40  40       2     1    -> 41",
    );
    preempted(jobs, "preempted = \"requeue\"\ngrace = 30").gives("start", "fcfs").gives("start", "easy");
}

#[test]
fn a_threshold_spares_the_tiers_above_it() {
    // Jobs 3 and 4 preempt below -5 only: job 2 of tier -10, not job 1 of tier 0, for which job 4 waits.
    page(
        4,
        "job submit run estimate procs user -> start
         1   0      100 100      2     3    -> 0
         2   1      100 100      2     2    -> 120
         3   10     20  20       2     1    -> 10
         4   11     20  20       4     1    -> 100",
    )
    .priorities(
        "[[class]]\nuser = 1\npriority = 10\npreempts = -5\n[[class]]\nuser = [2, 3]\npreempted = \"requeue\"\n\
         [[class]]\nuser = 2\npriority = -10\n",
    )
    .gives("start", "fcfs");
}

#[test]
fn a_job_that_needs_most_of_a_device_takes_one_from_its_victim() {
    // Jobs 1 to 4 leave 400 of each device: job 5 fits on no device, although 800 are free on each node.
    let jobs = page(
        16,
        "job submit run estimate procs gpu user -> start
         1   0      100 100      1     600 2    -> 0
         2   0      100 100      1     600 2    -> 0
         3   0      100 100      1     600 2    -> 0
         4   1      100 100      1     600 2    -> 30
         5   10     20  20       1     800 1    -> 10",
    )
    .unequal(&[&[8, 2000], &[8, 2000]])
    .devices("gpu", 1000)
    .tasks_of(8);
    preempted(jobs, "preempted = \"requeue\"").gives("start", "fcfs").gives("start", "easy");
}
