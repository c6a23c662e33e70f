//! Counts made by policies, as metrics.

use batchlab::metrics::{Catalogue, MeasureOptions, Measurement};
use batchlab::outcome::Outcome;
use batchlab::traces::reading::Overrun;

use super::schedule::Schedule;
use crate::lab::{Page, page};

/// Metrics of an outcome, in the order of the keys.
fn values<const N: usize>(page: &Page, outcome: &Outcome, keys: [&str; N]) -> [Option<f64>; N] {
    let scenario = page.play().scenario;
    let measurement =
        Measurement::new(&scenario.workload, &scenario.machine, outcome, MeasureOptions::default()).unwrap();
    let catalogue = Catalogue::new(&scenario.machine, &[]);
    keys.map(|key| catalogue.find(key).unwrap().value(&measurement))
}

#[test]
fn a_job_over_its_limit_stops_searches() {
    // At a limit of 9 s, job 2 stops the search at 10, and job 4 stops the search at 20.
    let page = page(
        2,
        "job submit run estimate procs -> after-9 never
         1   0      20  20       1     -> 0       0
         2   1      5   5        2     -> 20      20
         3   9      1   1        1     -> 9       9
         4   10     5   5        1     -> 25      10",
    );
    let keys = ["stopped_searches", "slipped_reservations", "score_ties"];
    let stopped = page.outcome("after-9", "fpfs:waitlimit=9");
    assert_eq!(values(&page, &stopped, keys), [Some(2.0), Some(0.0), None]);
    let never = page.outcome("never", "fpfs:waitlimit=10min");
    assert_eq!(values(&page, &never, keys), [Some(0.0), Some(0.0), None]);
}

#[test]
fn an_overdue_job_makes_a_reservation_slip() {
    // Job 2 is promised 10; job 1 still runs then.
    let page = page(
        2,
        "job submit run estimate procs -> compress
         1   0      20  10       2     -> 0
         2   1      5   5        2     -> 20",
    )
    .overrun(Overrun::Overdue);
    let outcome = page.outcome("compress", "conservative");
    let keys = ["slipped_reservations", "stopped_searches", "held_back_jobs"];
    assert_eq!(values(&page, &outcome, keys), [Some(1.0), Some(0.0), Some(0.0)]);
}

#[test]
fn ties_are_shares_of_the_choices_by_score() {
    // Jobs 1 and 2 have equal scores on the empty machine at 0, jobs 3 and 4 at 2: four of six scores are
    // ties.
    let page = page(
        4,
        "job submit run estimate procs memory partition -> mcbp
         1   0      10  10       4     2      1         -> 0
         2   0      100 100      1     6      2         -> 0
         3   1      20  20       4     6      -1        -> 30
         4   2      20  20       4     2      -1        -> 10",
    )
    .with("memory", 8)
    .nodes(2)
    .partitions(&[&[1], &[2]])
    .tasks_of(4);
    let outcome = page.outcome("mcbp", "mcbp");
    assert_eq!(outcome.ties["queue scores"], (6, 4));
    assert_eq!(values(&page, &outcome, ["queue_ties", "score_ties"]), [Some(4.0 / 6.0), None]);
    // Both nodes are empty when job 1 arrives; the node on which it runs fits job 2 better.
    let page = crate::lab::page(
        2,
        "job submit run estimate procs -> fcfs
         1   0      10  10       1     -> 0
         2   1      10  10       1     -> 1",
    )
    .nodes(2);
    let outcome = page.outcome("fcfs", "fcfs:place=best-fit");
    assert_eq!(values(&page, &outcome, ["host_ties"]), [Some(0.5)]);
}

#[test]
fn a_schedule_that_no_policy_made_has_no_counts() {
    let schedule = Schedule::new(4, &[(0, 0, 100, 2), (10, 100, 150, 4)]);
    for key in ["slipped_reservations", "stopped_searches", "held_back_jobs", "host_ties"] {
        assert_eq!(schedule.metric(key), None, "{key}");
    }
}
