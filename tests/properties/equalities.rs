//! Policies that are the same by definition.

use batchlab::Outcome;
use batchlab::traces::Time;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;

use super::samples::{event_orders, fractions, options, overruns, prompt_orders, queue_orders, samples};
use crate::lab::{Play, play};

fn starts(scene: &Play, spec: &str) -> Vec<Time> {
    let (Outcome { start, .. }, _) = play(scene, spec);
    start
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_depth_of_one_is_easy(
        sample in samples(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let easy = starts(&scene, &format!("easy:{options}"));
        prop_assert_eq!(easy, starts(&scene, &format!("depth:k=1,{options}")), "{} in {}", options, events);
    }

    /// Times in fractions of a second bring ends closer than the second that a job is expected to last.
    #[test]
    fn a_depth_of_one_is_easy_with_fractional_times(
        sample in samples(),
        ticks in fractions(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events);
        let easy = starts(&scene, &format!("easy:{options}"));
        prop_assert_eq!(easy, starts(&scene, &format!("depth:k=1,{options}")), "{} in {}", options, events);
    }

    #[test]
    fn an_infinite_depth_is_conservative_planned_anew(
        sample in samples(),
        order in queue_orders(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let depth = starts(&scene, &format!("depth:k=inf,order={order}"));
        prop_assert_eq!(depth, starts(&scene, &format!("conservative:variant=replan,order={order}")));
    }

    #[test]
    fn more_reservations_than_jobs_are_as_good_as_infinitely_many(
        sample in samples(),
        options in options(),
        events in prompt_orders(),
    ) {
        let scene = sample.play(Overrun::Raise).events(events);
        let all = starts(&scene, &format!("depth:k=41,{options}"));
        prop_assert_eq!(all, starts(&scene, &format!("depth:k=inf,{options}")), "{}", options);
    }

    /// Without a job that ends early there is no hole to move into.
    #[test]
    fn the_conservative_variants_coincide_with_exact_estimates(sample in samples(), events in prompt_orders()) {
        let scene = sample.exact().play(Overrun::Raise).events(events);
        let fixed = starts(&scene, "conservative:variant=fixed");
        for variant in ["compress", "replan"] {
            let spec = format!("conservative:variant={variant}");
            prop_assert_eq!(&fixed, &starts(&scene, &spec), "{} in {}", variant, events);
        }
    }

    /// A machine with nodes that has only one is a pool.
    #[test]
    fn one_node_is_a_pool(
        sample in samples(),
        options in options(),
        order in queue_orders(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let pool = sample.play(overrun).events(events);
        let node = Play { by_node: true, general: true, ..pool.clone() };
        let plain = |name: &str| format!("{name}:order={order}");
        let specs =
            [plain("fcfs"), plain("first-fit"), format!("easy:{options}"), format!("depth:k=2,{options}")];
        for spec in specs {
            prop_assert_eq!(starts(&pool, &spec), starts(&node, &spec), "{} in {}", spec, events);
        }
    }

    /// On one processor nobody can pass a head that does not fit.
    #[test]
    fn on_a_serial_machine_backfilling_is_fcfs(sample in samples(), overrun in overruns()) {
        let mut serial = sample;
        serial.procs = 1;
        serial.jobs.iter_mut().for_each(|job| job.demand = vec![1]);
        let scene = serial.play(overrun);
        let fcfs = starts(&scene, "fcfs");
        for spec in ["first-fit", "easy", "depth:k=2", "easy:extra=first"] {
            prop_assert_eq!(&fcfs, &starts(&scene, spec), "{}", spec);
        }
    }
}
