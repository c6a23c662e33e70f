//! Expressions in the place of built-in orders, job for job on real logs.

use crate::lab::{Case, Log};

const SAME: [(Log, &str, &str); 5] = [
    (Log::KTH, "easy:order=sjf", "easy:order=expr(estimate)"),
    (Log::KTH, "easy:order=wfp3", "easy:order=expr(-((wait/max(estimate,1))^3*procs))"),
    (Log::KTH, "easy:candidates=sjf,predictor=last2", "easy:candidates=expr(estimate),predictor=last2"),
    (Log::KTH, "easy:order=sjf,threshold=20h", "easy:order=expr(estimate),threshold=expr(20h)"),
    (Log::LANL_CLEANED, "easy:order=smf", "easy:order=expr(memory*procs)"),
];

#[test]
fn a_named_order_is_the_expression_of_its_formula() {
    for (log, named, computed) in SAME {
        let (Some(named), Some(computed)) =
            (Case::new(log, named).replay(), Case::new(log, computed).replay())
        else {
            return;
        };
        assert_eq!(named.outcome.start, computed.outcome.start);
        assert_eq!(named.outcome.end, computed.outcome.end);
    }
}
