//! With one resource, the K-resource policies equal other policies, job for job on real logs.

use crate::lab::{Case, Log};

const SAME: [(&str, &str); 7] = [
    ("ff-easy", "easy"),
    ("ff-cons", "conservative"),
    ("bl-easy", "easy"),
    ("bb-easy", "easy:candidates=lqf"),
    ("bb-easy:protect=2", "depth:k=2,candidates=lqf"),
    ("ff-easy:protect=inf", "conservative:variant=replan"),
    ("bb-easy:protect=inf", "conservative:variant=replan"),
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
