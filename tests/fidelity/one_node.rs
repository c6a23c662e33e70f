//! Choosing nodes on a machine of one node is the same as a pool, on whole logs.

use crate::lab::{Case, Log};

fn same_as_the_pool(case: Case) {
    let (Some(pool), Some(node)) = (case.replay(), case.by_node().replay()) else { return };
    let differ =
        pool.workload.jobs().filter(|&job| pool.outcome.start(job) != node.outcome.start(job)).count();
    assert_eq!(differ, 0, "jobs start at other times");
}

#[test]
fn kth_conservative() {
    same_as_the_pool(Case::new(Log::KTH_CLEANED, "conservative"));
    same_as_the_pool(Case::new(Log::KTH_CLEANED, "conservative").overdue());
    same_as_the_pool(Case::new(Log::KTH_CLEANED, "conservative:predictor=last2,corrector=increment"));
}

#[test]
fn kth_conservative_with_replanning() {
    same_as_the_pool(Case::new(Log::KTH_CLEANED, "conservative:variant=replan").submit_first());
}

#[test]
fn sdsc_easy_and_conservative() {
    same_as_the_pool(Case::new(Log::SDSC, "easy"));
    same_as_the_pool(Case::new(Log::SDSC, "conservative").kill());
}
