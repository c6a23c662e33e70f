//! Gang scheduling in the limits in which it equals another policy, job for job on real logs.

use crate::lab::{Case, Log, play, windows};

#[track_caller]
fn same(ours: &'static str, theirs: &'static str) {
    let replay = |spec| Case::new(Log::KTH_CLEANED, spec).replay();
    let (Some(ours), Some(theirs)) = (replay(ours), replay(theirs)) else { return };
    let starts = ours.outcome.start.iter().zip(&theirs.outcome.start);
    let differ = starts.filter(|(left, right)| left != right).count();
    assert_eq!(differ, 0, "jobs that `{}` and `{}` start at other times", ours.spec(), theirs.spec());
    assert!(ours.outcome.end == theirs.outcome.end, "ends of `{}`", ours.spec());
}

#[test]
fn with_one_row_gang_scheduling_is_first_come_first_served() {
    same("gs:mpl=1", "fcfs");
}

#[test]
fn with_one_row_backfilling_gang_scheduling_is_conservative_backfilling() {
    same("bgs:mpl=1", "bf");
    same("bf", "conservative:variant=replan");
}

/// If no task may migrate, the phases of migration are omitted.
#[test]
fn without_migration_they_are_the_policies_that_have_none() {
    for (name, scene) in
        windows(3000, 1.0).iter().filter(|(name, _)| name.starts_with("KTH-SP2-1996-2.1-cln"))
    {
        for (migrating, plain) in
            [("mgs:q=0,c=30,cs=0.02", "gs:cs=0.02"), ("mbgs:q=0,c=30,cs=0.02", "bgs:cs=0.02")]
        {
            let ((ours, _), (theirs, _)) = (play(scene, migrating), play(scene, plain));
            assert!(
                ours.start == theirs.start && ours.end == theirs.end,
                "{migrating} and {plain} on {name}"
            );
        }
    }
}
