//! Backfilling policies in the limits in which they are others by another name, job for job on real logs.

use crate::lab::{Case, Log};

const SAME: [(&str, &str); 8] = [
    ("relaxed:omega=0", "easy"),
    ("relaxed:omega=0,candidates=sjf", "easy:candidates=sjf"),
    ("relaxed:omega=inf", "first-fit"),
    ("selective:xfactor=1", "depth:k=inf"),
    ("selective:xfactor=1", "conservative:variant=replan"),
    ("selective:xfactor=inf", "first-fit"),
    ("slack:factor=0", "conservative:variant=replan"),
    ("slack:factor=0,of=estimate", "depth:k=inf"),
];

fn starts_as_others(log: Log) {
    for (left, right) in SAME {
        let (Some(ours), Some(theirs)) = (Case::new(log, left).replay(), Case::new(log, right).replay())
        else {
            return;
        };
        let differ =
            ours.outcome.start.iter().zip(&theirs.outcome.start).filter(|(left, right)| left != right);
        assert_eq!(differ.count(), 0, "jobs that `{left}` and `{right}` start at other times on {}", log.0);
    }
}

#[test]
fn on_kth() {
    starts_as_others(Log::KTH_CLEANED);
}

#[test]
fn on_sdsc() {
    starts_as_others(Log::SDSC);
}
