//! For any policy, parameters, event order and rule for overruns, the schedule is feasible.

use batchlab::Outcome;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;

use super::samples::{all_specs, event_orders, migrates_at_length, overruns, samples};
use crate::lab::{play, try_play};

fn times(outcome: &Outcome) -> (Vec<i64>, Vec<i64>) {
    let ticks = |times: &[batchlab::traces::Time]| times.iter().map(|time| time.ticks()).collect();
    (ticks(&outcome.start), ticks(&outcome.end))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Every replay is checked while it runs; a policy may decline a setting, but must not fail in one.
    #[test]
    fn every_policy_makes_schedules_that_hold(
        sample in samples(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        for spec in specs {
            // Reservations that never move decline readings that break promises; on a pool a job has one node
            // for all its tasks; and there is no memory.
            let may_decline = ["variant=fixed", "share=false", "memory=on"].iter().any(|word| spec.contains(word))
                || migrates_at_length(&spec);
            prop_assert!(try_play(&scene, &spec).is_ok() || may_decline, "{}", spec);
        }
    }

    #[test]
    fn the_general_path_gives_the_same_schedule_as_the_plain_one(
        sample in samples(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let mut general = scene.clone();
        general.general = true;
        for spec in specs {
            let (Ok((plain, _)), Ok((other, _))) = (try_play(&scene, &spec), try_play(&general, &spec)) else {
                continue;
            };
            prop_assert_eq!(times(&plain), times(&other), "{}", spec);
            prop_assert_eq!(plain.decisions, other.decisions, "{}", spec);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_outcome_and_a_journal_changes_nothing(
        sample in samples(),
        specs in all_specs(),
        events in event_orders(),
    ) {
        let scene = sample.play(Overrun::Raise).events(events);
        let mut journalled = scene.clone();
        journalled.journal = true;
        for spec in specs {
            let Ok((once, _)) = try_play(&scene, &spec) else { continue };
            let (again, _) = play(&scene, &spec);
            prop_assert_eq!(times(&once), times(&again), "{}", spec);
            let (told, journal) = play(&journalled, &spec);
            prop_assert_eq!(times(&once), times(&told), "{}", spec);
            prop_assert!(journal.entries.len() >= sample.jobs.len());
        }
    }

    #[test]
    fn fcfs_starts_jobs_in_the_order_of_submission(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let (outcome, _) = play(&sample.play(overrun).events(events), "fcfs");
        prop_assert!(outcome.start.is_sorted());
    }

    /// A job that ends when expected is gone for every decision of that instant, in any order of events.
    #[test]
    fn with_exact_estimates_the_order_of_ends_and_arrivals_does_not_matter_to_fcfs(sample in samples()) {
        let scene = sample.exact().play(Overrun::Raise);
        let (batch, _) = play(&scene, "fcfs");
        for events in ["submit-first", "finish-first"] {
            let (other, _) = play(&scene.events(events), "fcfs");
            prop_assert_eq!(times(&batch), times(&other), "{}", events);
        }
    }
}
