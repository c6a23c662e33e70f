//! The schemes of Aida et al. 1998 on real logs: where the paper says that two are the same, they are, job by job.

use batchlab::traces::Time;

use crate::lab::{Case, Figure10, Log};

const LOGS: [Log; 2] = [Log::KTH_CLEANED, Log::SDSC];

/// Both give the same start to every job of both logs.
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
