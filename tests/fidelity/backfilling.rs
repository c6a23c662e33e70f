//! Backfilling policies in the limits in which they equal another policy, and the K-resource policies with one resource, job for job on
//! real logs.

use crate::lab::{Case, Log, mean, starts_as_others};

const SAME: [(&str, &str); 15] = [
    ("relaxed:omega=0", "easy"),
    ("relaxed:omega=0,candidates=sjf", "easy:candidates=sjf"),
    ("relaxed:omega=inf", "first-fit"),
    ("selective:xfactor=1", "depth:k=inf"),
    ("selective:xfactor=1", "conservative:variant=replan"),
    ("selective:xfactor=inf", "first-fit"),
    ("slack:factor=0", "conservative:variant=replan"),
    ("slack:factor=0,of=estimate", "depth:k=inf"),
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

fn means(log: Log, spec: &'static str) -> Option<(f64, f64)> {
    let result = Case::new(log, spec).replay()?;
    Some((mean(&result.waits()), mean(&result.bounded_slowdowns())))
}

fn both_below(ours: (f64, f64), theirs: (f64, f64)) -> bool {
    ours.0 < theirs.0 && ours.1 < theirs.1
}

/// "better than both conservative and aggressive backfilling" (Srinivasan et al., JSSPP 2002, abstract).
#[test]
fn selective_reservations_are_better_than_one_and_than_all() {
    for log in [Log::KTH_CLEANED, Log::SDSC] {
        for other in ["easy", "conservative"] {
            let (Some(ours), Some(theirs)) = (means(log, "selective"), means(log, other)) else { return };
            assert!(both_below(ours, theirs), "{other} on {}: {ours:?} and {theirs:?}", log.0);
        }
    }
}

/// Delaying the head within limits shortens the mean wait, but not the longest wait.
#[test]
fn relaxed_promises_shorten_the_mean_wait_and_lengthen_the_longest() {
    for log in [Log::KTH_CLEANED, Log::SDSC] {
        let (Some(ours), Some(theirs)) =
            (Case::new(log, "relaxed").replay(), Case::new(log, "easy").replay())
        else {
            return;
        };
        let (ours, theirs) = (ours.waits(), theirs.waits());
        let longest = |waits: &[f64]| waits.iter().copied().fold(0.0, f64::max);
        assert!(mean(&ours) < mean(&theirs) && longest(&ours) > longest(&theirs), "{}", log.0);
    }
}

/// Shmueli and Feitelson find shorter mean responses and slowdowns than EASY's. This holds on KTH-SP2 as
/// recorded; on SDSC-SP2 it holds only with `ties=slowdown`.
#[test]
fn lookahead_is_better_than_easy_on_kth() {
    let ours = ["lookahead", "lookahead:depth=inf"].map(|spec| means(Log::KTH_CLEANED, spec));
    let ([Some(fifty), Some(all)], Some(easy)) = (ours, means(Log::KTH_CLEANED, "easy")) else { return };
    assert!(both_below(fifty, easy) && both_below(all, easy), "{fifty:?}, {all:?}, {easy:?}");
}

/// "repeatedly selecting the set with the maximal overall expected slowdown boosts performance" (Shmueli,
/// Feitelson, JPDC 2005, abstract).
#[test]
fn choosing_the_most_slowed_of_equal_sets_is_better() {
    for log in [Log::KTH_CLEANED, Log::SDSC] {
        for other in ["lookahead", "easy"] {
            let (ours, theirs) = (means(log, "lookahead:ties=slowdown"), means(log, other));
            let (Some(ours), Some(theirs)) = (ours, theirs) else { return };
            assert!(both_below(ours, theirs), "{other} on {}: {ours:?} and {theirs:?}", log.0);
        }
    }
}
