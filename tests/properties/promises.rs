//! Reservations that are kept.

use batchlab::policies::Act;
use batchlab::schedule::verify::promises;
use batchlab::traces::Time;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{queue_orders, samples};
use crate::lab::{Play, play};

/// Replays with a journal; returns the broken promises, and the number of all promises.
fn broken(scene: &Play, spec: &str) -> (Vec<String>, usize) {
    let mut scene = scene.clone();
    scene.journal = true;
    let (outcome, journal) = play(&scene, spec);
    let made = journal.entries.iter().filter(|entry| matches!(entry.act, Act::Promised(_))).count();
    let broken = promises(&scene.scenario, &outcome, &journal);
    (broken.iter().map(ToString::to_string).collect(), made)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn easy_never_delays_the_reservation_of_its_head(
        sample in samples(),
        candidates in queue_orders(),
        extra in select(vec!["all", "first"]),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let spec = format!("easy:candidates={candidates},extra={extra}");
        prop_assert_eq!(broken(&sample.play(overrun), &spec).0, Vec::<String>::new());
    }

    /// With estimates in fractions of a second, promises may move by less than a second, and starts keep
    /// them.
    #[test]
    fn easy_keeps_its_promises_with_fractional_times(
        sample in samples(),
        fractions in prop::collection::vec(0i64..1_000_000, 40),
    ) {
        let mut sample = sample;
        for (job, ticks) in sample.jobs.iter_mut().zip(fractions) {
            job.submit += Time::from_ticks(ticks);
            job.run = (job.run + Time::from_ticks(ticks / 2)).max(Time::SECOND);
            job.estimate = job.estimate.max(job.run);
        }
        prop_assert_eq!(broken(&sample.play(Overrun::Raise), "easy").0, Vec::<String>::new());
    }

    #[test]
    fn conservative_backfilling_keeps_every_promise(
        sample in samples(),
        variant in select(vec!["compress", "fixed"]),
        overrun in select(vec![Overrun::Raise, Overrun::Kill]),
    ) {
        let spec = format!("conservative:variant={variant}");
        let (broken, made) = broken(&sample.play(overrun), &spec);
        prop_assert_eq!(broken, Vec::<String>::new());
        prop_assert!(made >= sample.jobs.len());
    }
}
