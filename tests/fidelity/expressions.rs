//! Expressions in place of built-in orders give the same schedule, job for job on real logs.

use batchlab::Outcome;
use batchlab::traces::Time;

use crate::lab::{Case, Log};

const SAME: [(Log, &str, &str); 6] = [
    (Log::KTH, "easy:order=sjf", "easy:order=expr(estimate)"),
    (Log::KTH, "easy:order=wfp3", "easy:order=expr(-((wait/max(estimate,1))^3*procs))"),
    (Log::KTH, "easy:candidates=sjf,predictor=last2", "easy:candidates=expr(estimate),predictor=last2"),
    (
        Log::KTH,
        "easy:candidates=sjf,predictor=last2,predict=decision",
        "easy:candidates=sjf,predictor=expr(last2),predict=decision",
    ),
    (Log::KTH, "easy:order=sjf,threshold=20h", "easy:order=expr(estimate),threshold=expr(20h)"),
    (Log::LANL_CLEANED, "easy:order=smf", "easy:order=expr(if(known(memory),round(memory*procs),1/0))"),
];

#[test]
fn a_named_order_is_the_expression_of_its_formula() {
    for (log, named, spec) in SAME {
        let (Some(named), Some(computed)) = (Case::new(log, named).replay(), Case::new(log, spec).replay())
        else {
            return;
        };
        let pairs = |outcome: &Outcome| -> Vec<(Time, Time)> {
            outcome.start.iter().copied().zip(outcome.end.iter().copied()).collect()
        };
        let (ours, theirs) = (pairs(&named.outcome), pairs(&computed.outcome));
        assert_eq!(ours.len(), theirs.len());
        let differ = ours.iter().zip(&theirs).filter(|(left, right)| left != right);
        assert_eq!(differ.count(), 0, "jobs of {} that `{spec}` serves at other times", log.0);
    }
}
