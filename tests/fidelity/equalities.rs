//! Two ways to name a policy give the same schedule on whole logs; choosing nodes on a machine of one node is the same as a pool.

use crate::lab::{Case, Log, starts_as_others};

#[test]
fn a_named_order_is_the_expression_of_its_formula() {
    let of_kth = [
        ("easy:order=sjf", "easy:order=expr(estimate)"),
        ("easy:order=wfp3", "easy:order=expr(-((wait/max(estimate,1))^3*procs))"),
        ("easy:candidates=sjf,predictor=last2", "easy:candidates=expr(estimate),predictor=last2"),
        (
            "easy:candidates=sjf,predictor=last2,predict=decision",
            "easy:candidates=sjf,predictor=expr(last2),predict=decision",
        ),
        ("easy:order=sjf,threshold=20h", "easy:order=expr(estimate),threshold=expr(20h)"),
    ];
    starts_as_others(&of_kth, Log::KTH);
    let smf = ("easy:order=smf", "easy:order=expr(if(known(memory),round(memory*procs),1/0))");
    starts_as_others(&[smf], Log::LANL_CLEANED);
}

#[test]
fn with_processors_alone_tetris_is_largest_first() {
    let candidates = ("easy:candidates=tetris", "easy:candidates=lqf");
    starts_as_others(&[candidates, ("easy:order=tetris", "easy:order=lqf")], Log::KTH);
    starts_as_others(&[candidates], Log::SDSC);
}

#[test]
fn one_reservation_is_easy_under_orders_that_every_start_changes() {
    let both = ("depth:k=1,order=drf,candidates=tetris", "easy:order=drf,candidates=tetris");
    starts_as_others(&[both], Log::KTH);
}

#[test]
fn limits_that_are_never_reached_give_the_schedule_of_the_inner_policy() {
    let limited = "limits:policy=(easy:candidates=sjf),user-jobs=100000,group-procs=10000000";
    let conservative = ("conservative", "limits:policy=conservative,user-procs=10000000");
    starts_as_others(&[("easy:candidates=sjf", limited), ("easy", "limits"), conservative], Log::KTH);
}

#[test]
fn one_node_is_a_pool() {
    let conservative = Case::new(Log::KTH_CLEANED, "conservative");
    for case in [
        conservative,
        conservative.overdue(),
        Case::new(Log::KTH_CLEANED, "conservative:predictor=last2,corrector=increment"),
        Case::new(Log::KTH_CLEANED, "conservative:variant=replan").submit_first(),
        Case::new(Log::SDSC, "easy"),
        Case::new(Log::SDSC, "conservative").kill(),
    ] {
        let (Some(pool), Some(node)) = (case.replay(), case.by_node().replay()) else { return };
        assert!(pool.outcome.start == node.outcome.start, "{case:?}");
    }
}
