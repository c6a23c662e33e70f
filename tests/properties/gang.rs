//! Gang scheduling: the cases in which policies equal others, and properties that always hold.

use batchlab::traces::Time;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{event_orders, fractions, overruns, samples};
use crate::lab::play;

fn gangs() -> impl Strategy<Value = String> {
    let slice = select(vec!["1", "3", "7.5", "200"]);
    let after = select(vec!["continue", "next", "first"]);
    let rank = select(vec!["once", "each"]);
    let within = select(vec!["start", "size"]);
    let columns = select(vec!["lowest", "sparse"]);
    let order = select(vec!["fcfs", "sjf", "lqf"]);
    (slice, after, rank, within, columns, order).prop_map(|(slice, after, rank, within, columns, order)| {
        format!(
            "slice={slice},after-event={after},rank={rank},within={within},columns={columns},order={order}"
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// One row is a machine that is not shared in time. There are exceptions: if a decision follows each
    /// event separately, jobs without run time end at once in space sharing but have an empty slice here, so
    /// other jobs may see another machine in between. These policies also do not decide when no event has
    /// happened, as in a periodic order; for overdue jobs time alone matters.
    #[test]
    fn with_one_row_they_are_policies_of_space_sharing(
        sample in samples(),
        fractions in fractions(),
        overrun in overruns(),
        events in select(vec!["batch", "periodic:7"]),
        options in gangs(),
        order in select(vec!["fcfs", "sjf", "lqf"]),
    ) {
        let events = if overrun == Overrun::Overdue { "batch" } else { events };
        let scene = sample.with_fractions(&fractions).play(overrun).events(events);
        let options = options.rsplit_once(",order=").map_or("", |(options, _)| options);
        for (ours, theirs) in [("gs", "fcfs"), ("bgs", "bf"), ("bf", "conservative:variant=replan")] {
            let ours = if ours == "bf" { format!("bf:order={order}") } else { format!("{ours}:mpl=1,{options},order={order}") };
            let separator = if theirs.contains(':') { ',' } else { ':' };
            let theirs = format!("{theirs}{separator}order={order}");
            let ((one, _), (other, _)) = (play(&scene, &ours), play(&scene, &theirs));
            prop_assert_eq!(&one.start, &other.start, "{} and {}", ours, theirs);
            prop_assert_eq!(&one.end, &other.end, "{} and {}", ours, theirs);
        }
    }

    /// If no task may migrate, migration is omitted.
    #[test]
    fn without_migration_they_are_the_policies_that_have_none(
        sample in samples(),
        events in event_orders(),
        options in gangs(),
        mpl in 1..5,
        cs in select(vec!["0", "0.25"]),
    ) {
        let scene = sample.play(Overrun::Raise).events(events);
        for (migrating, plain) in [("mgs", "gs"), ("mbgs", "bgs")] {
            let ours = format!("{migrating}:mpl={mpl},{options},cs={cs},c=1,q=0");
            let theirs = format!("{plain}:mpl={mpl},{options},cs={cs}");
            let ((one, _), (other, _)) = (play(&scene, &ours), play(&scene, &theirs));
            prop_assert_eq!(&one.start, &other.start, "{} and {}", ours, theirs);
            prop_assert_eq!(&one.end, &other.end, "{} and {}", ours, theirs);
        }
    }

    /// For a journal every job gets its reservation at once; otherwise they are computed as far as they are
    /// needed. Both give the same schedule and the same slipped reservations.
    #[test]
    fn reservations_are_the_same_whenever_they_are_computed(
        sample in samples(),
        fractions in fractions(),
        events in event_orders(),
        options in gangs(),
        order in select(vec!["fcfs", "sjf", "wfp3", "expansion", "tetris"]),
        mpl in 1..5,
        from in select(vec!["start", "remaining"]),
    ) {
        let scene = sample.with_fractions(&fractions).play(Overrun::Raise).events(events);
        let mut journalled = scene.clone();
        journalled.journal = true;
        let options = options.rsplit_once(",order=").map_or("", |(options, _)| options);
        for policy in ["bgs", "mbgs"] {
            let spec = format!("{policy}:mpl={mpl},{options},order={order},from={from}");
            let ((one, _), (other, _)) = (play(&scene, &spec), play(&journalled, &spec));
            prop_assert_eq!(&one.start, &other.start, "{}", spec);
            prop_assert_eq!(&one.end, &other.end, "{}", spec);
            prop_assert_eq!(&one.tallies, &other.tallies, "{}", spec);
        }
    }

    /// With exact estimates and rows that are never late, every reservation is kept.
    #[test]
    fn with_one_row_and_exact_estimates_no_reservation_slips(sample in samples(), options in gangs()) {
        let scene = sample.exact().play(Overrun::Raise);
        let options = options.rsplit_once(",order=").map_or("", |(options, _)| options);
        let (outcome, _) = play(&scene, &format!("bgs:mpl=1,{options}"));
        prop_assert_eq!(outcome.tallies.get("slipped reservations"), None);
    }

    /// Every job gets exactly its run time and ends, whatever switches and migrations cost.
    #[test]
    fn every_job_ends_and_none_early(
        sample in samples(),
        fractions in fractions(),
        overrun in overruns(),
        events in event_orders(),
        options in gangs(),
        mpl in 1..5,
        costs in select(vec!["cs=0,c=0", "cs=0.5,c=1", "cs=0,c=1,c-charge=step", "cs=0.1,c=0.5,cs-charge=changed"]),
        q in select(vec!["1", "4", "inf"]),
        qcounts in select(vec!["qscope=event", "qscope=row", "qunit=tasks"]),
        backfilling in select(vec!["inflate=mpl,from=start", "inflate=mpl+cs,from=remaining"]),
    ) {
        let scene = sample.with_fractions(&fractions).play(overrun).events(events);
        let workload = &scene.scenario.workload;
        for spec in [
            format!("mgs:mpl={mpl},{options},{costs},q={q},{qcounts}"),
            format!("mbgs:mpl={mpl},{options},{costs},q={q},{qcounts},{backfilling}"),
        ] {
            let (outcome, _) = play(&scene, &spec);
            for job in workload.jobs() {
                let (start, end) = (outcome.start(job), outcome.end(job));
                prop_assert!(start >= workload.submit(job) && end < Time::MAX, "{}", spec);
                prop_assert!(end - start >= workload.run(job), "{}", spec);
            }
        }
    }
}
