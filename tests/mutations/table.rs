//! KTH-SP2 (28,481 jobs, 100 processors), users' estimates, `kill`, `batch`: mean wait in seconds and mean
//! bounded slowdown, to all printed digits.

use super::mutant::{Mistake, Mutant};
use crate::lab::{Case, Log};

fn costs(mistake: Mistake, wait: &str, bsld: &str) {
    let case = Case::new(Log::KTH, "mutant").kill();
    let Some(result) = case.replay_with(&mut Mutant::new(mistake)) else { return };
    assert_eq!(result.workload.len(), 28_481);
    result.wait(wait).bsld(bsld);
}

fn gives(spec: &'static str, wait: &str, bsld: &str) {
    let Some(result) = Case::new(Log::KTH, spec).kill().replay() else { return };
    result.wait(wait).bsld(bsld);
}

#[test]
fn no_mistake() {
    costs(Mistake::None, "6834.587", "92.687654");
    gives("easy", "6834.587", "92.687654");
    gives("depth:k=1", "6834.587", "92.687654");
}

#[test]
fn no_extra_processors() {
    costs(Mistake::NoExtraProcessors, "8602.650", "102.627584");
}

#[test]
fn extra_processors_not_reduced() {
    costs(Mistake::ExtraNotReduced, "6517.415", "88.159108");
}

#[test]
fn strictly_before_the_shadow_time() {
    costs(Mistake::StrictlyBefore, "6850.801", "93.265164");
}

#[test]
fn ties_at_the_shadow_time_not_grouped() {
    costs(Mistake::TiesNotGrouped, "6840.169", "91.9550");
    gives("easy:extra=first", "6840.169", "91.9550");
}

#[test]
fn no_backfilling_at_all() {
    gives("fcfs", "353776.409", "6814.973310");
}
