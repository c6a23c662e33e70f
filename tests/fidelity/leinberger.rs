//! With one resource, the K-resource policies equal other policies, job for job on real logs.

use crate::lab::{Log, starts_as_others};

const SAME: [(&str, &str); 7] = [
    ("ff-easy", "easy"),
    ("ff-cons", "conservative"),
    ("bl-easy", "easy"),
    ("bb-easy", "easy:candidates=lqf"),
    ("bb-easy:protect=2", "depth:k=2,candidates=lqf"),
    ("ff-easy:protect=inf", "conservative:variant=replan"),
    ("bb-easy:protect=inf", "conservative:variant=replan"),
];

#[test]
fn on_kth() {
    starts_as_others(&SAME, Log::KTH_CLEANED);
}

#[test]
fn on_sdsc() {
    starts_as_others(&SAME, Log::SDSC);
}
