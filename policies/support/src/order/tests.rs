mod plugins;

use super::subject::Log0;
use super::*;
use batchlab_traces::{JobId, Workload, workload::PlainJob};

fn score(name: &str, submit: i64, estimate: i64, procs: i64, now: i64, log0: Log0) -> f64 {
    let job =
        PlainJob { estimate: Time::from_secs(estimate), user: 1, ..PlainJob::secs(submit, 1, vec![procs]) };
    let workload = Workload::from_jobs(&[job]);
    let spec = ORDERS.iter().find(|order| order.name == name).expect("a known order");
    let mut order = Named::new(spec);
    order.log0 = log0;
    let view = JobView::new(&workload, JobId(0));
    order.score(view, view.estimate(), Time::from_secs(now))
}

#[test]
fn scores_are_the_published_formulas() {
    let at = |name: &str| score(name, 100, 1000, 4, 600, Log0::One); // waited 500 s
    let close =
        |name: &str, expected: f64| assert!((at(name) - expected).abs() < 1e-9, "{name}: {}", at(name));
    close("fcfs", 0.0);
    close("sjf", 1000.0);
    close("laf", -4000.0);
    close("srf", 250.0);
    close("expansion", -1.5);
    close("wfp3", -4.0 * 0.125);
    close("unicef", -500.0 / (2.0 * 1000.0));
    close("f1", 3.0 * 4.0 + 870.0 * 2.0);
    close("f2", 1000f64.sqrt() * 4.0 + 25_600.0 * 2.0);
    close("f3", 4000.0 + 6_860_000.0 * 2.0);
    close("f4", 2000.0 + 530_000.0 * 2.0);
}

#[test]
fn the_logarithm_of_a_submission_at_zero_follows_the_named_rule() {
    let at = |log0| score("f1", 0, 10, 1, 0, log0);
    assert_eq!((at(Log0::One), at(Log0::PlusOne)), (1.0, 1.0));
    assert!((at(Log0::Tenth) - (1.0 - 870.0)).abs() < 1e-9);
}

#[test]
fn a_serial_job_does_not_divide_unicef_by_zero_and_a_zero_estimate_counts_as_a_second() {
    assert_eq!(score("unicef", 0, 0, 1, 10, Log0::One), -10.0);
    assert_eq!(score("wfp3", 0, 0, 2, 2, Log0::One), -16.0);
}
