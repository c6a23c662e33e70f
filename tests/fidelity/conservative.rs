//! Conservative backfilling on KTH-SP2, cleaned, with the users' estimates.

use crate::lab::{Case, Log, mean};

#[test]
fn compressed_one_by_one() {
    let case = Case::new(Log::KTH_CLEANED, "conservative:variant=compress");
    let Some(result) = case.agrees_with("cons-compress.batch") else { return };
    result.wait("7301.354");
}

#[test]
fn with_replanning() {
    let case = Case::new(Log::KTH_CLEANED, "conservative:variant=replan");
    let Some(result) = case.agrees_with("cons-replan.batch") else { return };
    result.wait("8024.040");
}

#[test]
fn never_moved_is_more_than_twenty_times_worse() {
    let Some(result) = Case::new(Log::KTH_CLEANED, "conservative:variant=fixed").replay() else { return };
    let times = mean(&result.waits()) / 7301.354;
    assert!((20.0..25.0).contains(&times), "{times} times the mean wait of `compress`");
}
