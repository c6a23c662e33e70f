//! Preemption by suspension in place; starts computed by hand. Users name the classes: user 1 is urgent, user 2 is a
//! scavenger, whose jobs are suspended.

use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::{IntervalKind, Outcome};
use batchlab::traces::{JobId, Time};

use crate::lab::{Page, page};

const URGENT: &str = "[[class]]\nuser = 1\npriority = 10\npreempts = true\n\
                      [[class]]\nuser = 2\npriority = -10\npreempted = \"suspend\"\n";

fn secs(seconds: i64) -> Time {
    Time::from_secs(seconds)
}

/// The page with scavengers that are suspended, with more keys of their class.
fn suspended(page: Page, keys: &str) -> Page {
    page.priorities(&format!("{URGENT}{keys}\n"))
}

/// When a job ran, in seconds.
fn runs(outcome: &Outcome, job: u32) -> Vec<(i64, i64)> {
    let seconds = |time: Time| time.ticks() / 1_000_000;
    let all = outcome.all_intervals();
    let own = all.iter().filter(|interval| interval.job == JobId(job) && interval.kind == IntervalKind::Run);
    own.map(|interval| (seconds(interval.from), seconds(interval.to))).collect()
}

const EVERY: [&str; 14] = [
    "fcfs",
    "first-fit",
    "easy",
    "easy:order=sjf",
    "easy:candidates=sjf,predictor=last2,corrector=increment",
    "conservative",
    "conservative:variant=replan",
    "depth:k=2",
    "selective",
    "relaxed",
    "slack",
    "lookahead",
    "ff-easy",
    "bkfl",
];

#[test]
fn a_suspended_job_goes_on_where_it_stopped() {
    // At 10 the urgent job takes all four processors; job 1 has run for 10 s, and for the remaining 90 s from 30 on.
    let jobs = page(
        4,
        "job submit run estimate procs user -> start
         1   0      100 100      4     2    -> 0
         2   10     20  20       4     1    -> 10
         3   11     10  10       4     2    -> 120",
    );
    let page = suspended(jobs, "");
    for policy in EVERY {
        page.clone().gives("start", policy);
        let outcome = page.outcome("start", policy);
        assert_eq!(runs(&outcome, 0), [(0, 10), (30, 120)], "{policy}");
        assert_eq!(outcome.tallies.get("suspensions by preemption"), Some(&1), "{policy}");
        assert!(outcome.lost.is_empty(), "{policy}");
    }
    page.events("submit-first")
        .gives("start", "easy")
        .gives("start", "conservative")
        .gives("start", "first-fit");
}

#[test]
fn it_resumes_on_its_own_nodes() {
    // The urgent job is on node 1 or 0, whichever the later scavenger left; job 1 runs on beside it.
    let jobs = page(
        8,
        "job submit run estimate procs user -> start
         1   0      100 100      4     2    -> 0
         2   1      50  50       4     2    -> 1
         3   10     20  20       4     1    -> 10",
    )
    .unequal(&[&[4], &[4]])
    .tasks_of(4);
    let page = suspended(jobs, "");
    for policy in ["fcfs", "first-fit", "easy", "conservative", "mcbp", "depth:k=2"] {
        page.clone().gives("start", policy);
        let outcome = page.outcome("start", policy);
        assert_eq!(
            (runs(&outcome, 0), runs(&outcome, 1)),
            (vec![(0, 100)], vec![(1, 10), (30, 71)]),
            "{policy}"
        );
        assert_eq!(outcome.places.at(JobId(1), secs(1)), outcome.places.at(JobId(1), secs(40)), "{policy}");
    }
}

#[test]
fn lost_work_and_suspended_time_are_measured() {
    // At 10 the urgent job takes the four processors of job 1, which has run for 10 s.
    let jobs = page(
        4,
        "job submit run estimate procs user -> start
         1   0      100 100      4     2    -> 0
         2   10     20  20       4     1    -> 10",
    );
    let values = |how: &str| {
        let page = jobs.clone().priorities(&URGENT.replace("suspend", how));
        let (play, outcome) = (page.play(), page.outcome("start", "easy"));
        let (workload, machine) = (&play.scenario.workload, &play.scenario.machine);
        let measurement = Measurement::new(workload, machine, &outcome, MeasureOptions::default()).unwrap();
        let catalogue = Catalogue::new(machine, &[]);
        ["lost_work", "max_suspended"].map(|key| catalogue.find(key).unwrap().value(&measurement).unwrap())
    };
    assert_eq!(values("suspend"), [0.0, 20.0]);
    assert_eq!(values("cancel"), [40.0, 0.0]);
}

#[test]
fn behind_a_job_that_cannot_be_helped_others_preempt_as_the_policy_lets_them() {
    // Job 3 needs five processors, and job 1 of tier 0 has two until 100. Job 4 could end before, and job 5 could not.
    let table = |fcfs: [i64; 3], first_fit: [i64; 3], easy: [i64; 3]| {
        format!(
            "job submit run estimate procs user -> fcfs first_fit easy
             1   0      100 100      2     3    -> 0 0 0
             2   1      500 500      4     2    -> 1 1 1
             3   10     50  50       5     1    -> {} {} {}
             4   11     60  60       2     1    -> {} {} {}
             5   12     200 200      3     1    -> {} {} {}",
            fcfs[0], first_fit[0], easy[0], fcfs[1], first_fit[1], easy[1], fcfs[2], first_fit[2], easy[2]
        )
    };
    // Under first-fit job 5 takes the processors of job 2 after job 4, and job 3 waits for it.
    let jobs = page(6, &table([100, 150, 150], [271, 11, 71], [100, 11, 150]));
    let page = suspended(jobs, "");
    page.gives("fcfs", "fcfs")
        .gives("first_fit", "first-fit")
        .gives("easy", "easy")
        .gives("easy", "conservative");
}
