//! Tsafrir, Etsion, Feitelson, TPDS 18(6), 2007: KTH-SP2 before cleaning, with overruns kept, without the
//! first one per cent of terminations. The published numbers come from another simulator: they agree within
//! five per cent, and an independent replay agrees to all its digits.

use crate::lab::{Case, Log, Replayed, mean};

/// Mean wait in minutes and mean bounded slowdown after the warm-up.
fn trimmed(result: &Replayed) -> (f64, f64) {
    let (waits, bslds) = (result.waits(), result.bounded_slowdowns());
    let mut jobs: Vec<usize> = (0..waits.len()).collect();
    jobs.sort_by_key(|&job| result.outcome.end[job]);
    let kept = &jobs[jobs.len() / 100..];
    let over = |values: &[f64]| mean(&kept.iter().map(|&job| values[job]).collect::<Vec<_>>());
    (over(&waits) / 60.0, over(&bslds))
}

fn case(spec: &'static str) -> Case {
    Case::new(Log::KTH_UNCLEANED, spec).overdue()
}

fn agrees(case: Case, published: (f64, f64), independent: (&str, &str)) {
    let Some(result) = case.replay() else { return };
    let (wait, bsld) = trimmed(&result);
    for (ours, theirs) in [(wait, published.0), (bsld, published.1)] {
        assert!((ours / theirs - 1.0).abs() < 0.05, "{ours} against {theirs}");
    }
    result.same("trimmed wait", wait, independent.0).same("trimmed bsld", bsld, independent.1);
}

#[test]
fn easy() {
    agrees(case("easy"), (114.2, 89.9), ("114.6", "91.8"));
}

#[test]
fn shortest_job_backfilled_first() {
    agrees(case("easy:candidates=sjf"), (102.0, 73.0), ("100.7", "73.1"));
}

#[test]
fn shortest_job_backfilled_first_with_exact_run_times() {
    agrees(case("easy:candidates=sjf").exact(), (91.0, 50.0), ("91.6", "50.95"));
}

/// For EASY++ only the order of the slowdowns is reproduced: published are 94 min and 57; the details that
/// give the schedules of 2015 give 106 min and 64 here.
#[test]
fn predictions_improve_slowdowns_beyond_shortest_first_and_less_than_exact_run_times_do() {
    let plus_plus = case("easy:candidates=sjf,predictor=last2,corrector=increment").replay();
    let sjbf = case("easy:candidates=sjf").replay();
    let exact = case("easy:candidates=sjf").exact().replay();
    let (Some(plus_plus), Some(sjbf), Some(exact)) = (plus_plus, sjbf, exact) else { return };
    let bsld = |result: &Replayed| trimmed(result).1;
    assert!(bsld(&exact) < bsld(&plus_plus) && bsld(&plus_plus) < bsld(&sjbf));
}
