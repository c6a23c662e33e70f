//! The schemes of Aida et al. 1998 on real logs: schemes that the paper calls equal give equal schedules.

use batchlab::traces::reading::{Estimate, Overrun};
use batchlab::traces::{Findings, Machine, Provenance, Reading, Time, Workload, models};

use crate::lab::{Case, Figure10, Log, Play, play};

const LOGS: [Log; 2] = [Log::KTH_CLEANED, Log::SDSC];

/// Asserts that two specs give the same start to every job of both logs.
#[track_caller]
fn same(ours: &'static str, theirs: &'static str) {
    for log in LOGS {
        let replay = |spec| Case::new(log, spec).replay();
        let (Some(ours), Some(theirs)) = (replay(ours), replay(theirs)) else { continue };
        assert!(ours.outcome.start == theirs.outcome.start, "{} and its twin on {}", ours.spec(), log.0);
    }
}

#[test]
fn without_a_limit_they_are_orders_of_the_queue() {
    same("fpfs", "first-fit");
    same("mpfs", "fcfs:order=lqf");
    same("lpfs", "fcfs:order=sqf");
    same("fpmpfs", "first-fit:order=lqf");
    Case::new(Log::KTH_CLEANED, "fpfs").agrees_with("firstfit.batch");
}

#[test]
fn a_limit_of_nothing_is_first_come_first_served() {
    same("fpfs:waitlimit=0", "fcfs");
    Case::new(Log::KTH_CLEANED, "fpfs:waitlimit=0").agrees_with("fcfs.batch");
}

#[test]
fn searching_for_least_processors_is_serving_the_least_first() {
    same("fplpfs", "lpfs");
    same("fplpfs:waitlimit=4h", "lpfs:waitlimit=4h");
}

#[test]
fn the_schemes_are_the_routines_of_figure_10() {
    let limit = |_: batchlab::policies::JobView<'_>| Some(Time::from_secs(4 * 3600));
    for (scheme, spec, skips) in [
        ("mpfs", "mpfs:waitlimit=4h", false),
        ("lpfs", "lpfs:waitlimit=4h", false),
        ("fpfs", "fpfs:waitlimit=4h", false),
        ("fpmpfs", "fpmpfs:waitlimit=4h", false),
        ("fpmpfs", "fpmpfs:waitlimit=4h,rescan=false", true),
    ] {
        let case = Case::new(Log::KTH_CLEANED, spec);
        let printed = case.replay_with(&mut Figure10::new(scheme, limit, skips));
        let (Some(ours), Some(printed)) = (case.replay(), printed) else { return };
        assert!(ours.outcome.start == printed.outcome.start, "{spec}");
    }
}

/// Table 3: sorting raises the variance of response times, searching lowers it. The values themselves, and
/// those of a thousand replications, are in `tests/papers/aida98/README.md`.
#[test]
fn the_variances_of_table_3_rank_as_in_the_paper() {
    const PAPER: [(&str, f64); 6] = [
        ("fcfs", 639.0),
        ("mpfs:waitlimit=600", 1765.0),
        ("lpfs:waitlimit=600", 1058.0),
        ("fpfs:waitlimit=600", 365.0),
        ("fpmpfs:waitlimit=600", 498.0),
        ("easy", 370.0),
    ];
    let mut sums = [0.0; PAPER.len()];
    for seed in 1..=8 {
        let scene = aida98(seed);
        for (sum, (spec, _)) in sums.iter_mut().zip(PAPER) {
            *sum += variance_of_response(&scene, spec);
        }
    }
    for ((spec, paper), sum) in PAPER.iter().zip(sums).skip(1) {
        let ratio = (sum / sums[0]) / (paper / PAPER[0].1);
        assert!((0.8..1.25).contains(&ratio), "{spec}: {ratio} times the paper's ratio to FCFS");
    }
    // FPFS and backfilling have 365 and 370 in the paper, whose values are exact to 10 %; their order is not tested.
    let [fcfs, most, least, search, search_most, backfilling] = sums;
    let ranks = [search.max(backfilling), search_most, fcfs, least, most];
    assert!(ranks.is_sorted(), "{sums:?}");
}

fn aida98(seed: u64) -> Play {
    let trace = models::find("aida98").unwrap().generate::<&str>(5000, 256, seed, &[]).unwrap();
    let machine = Machine::pool(256).unwrap();
    let reading = Reading { estimate: Estimate::Actual, overrun: Overrun::Raise, ..Reading::default() };
    let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
    let workload = Workload::read(&trace, &machine, &reading, &mut findings, &mut provenance).unwrap();
    Play::new(machine, workload)
}

fn variance_of_response(scene: &Play, spec: &str) -> f64 {
    let (outcome, _) = play(scene, spec);
    let workload = &scene.scenario.workload;
    let responses: Vec<f64> =
        workload.jobs().map(|job| (outcome.end(job) - workload.submit(job)).secs()).collect();
    let mean = crate::lab::mean(&responses);
    responses.iter().map(|response| (response - mean).powi(2)).sum::<f64>() / (responses.len() - 1) as f64
}
