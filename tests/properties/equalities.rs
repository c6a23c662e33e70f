//! Policies that are the same by definition.

use batchlab::Outcome;
use batchlab::traces::reading::Overrun;
use batchlab::traces::{Field, JobId, Time};
use proptest::prelude::*;
use proptest::sample::select;

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

    /// Nobody's share differs from anybody else's.
    #[test]
    fn with_one_user_shares_are_first_come_first_served(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        name in select(vec!["fcfs", "first-fit", "easy", "depth:k=2", "conservative"]),
    ) {
        let mut alone = sample;
        alone.jobs.iter_mut().for_each(|job| job.user = 7);
        let scene = alone.play(overrun).events(events);
        let with = |order: &str| starts(&scene, &format!("{name}{}order={order}", separator(name)));
        for order in ["drf", "fairshare"] {
            prop_assert_eq!(with("fcfs"), with(order), "{} in {}", order, events);
        }
    }

    /// Of one resource, who uses most of what is free is who uses most. The walk that begins anew after each start
    /// passes over the same jobs as the one that goes on.
    #[test]
    fn with_one_resource_tetris_takes_the_largest_first(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        name in select(vec!["fcfs", "first-fit", "easy", "depth:k=1", "depth:k=2", "depth:k=inf"]),
    ) {
        let scene = sample.play(overrun).events(events);
        let with = |order: &str| starts(&scene, &format!("{name}{}order={order}", separator(name)));
        prop_assert_eq!(with("lqf"), with("tetris"), "{} in {}", name, events);
        let candidates = |order: &str| starts(&scene, &format!("easy:order=sjf,candidates={order}"));
        prop_assert_eq!(candidates("lqf"), candidates("tetris"), "candidates in {}", events);
    }

    #[test]
    fn limits_that_nobody_reaches_change_nothing(
        sample in samples(),
        options in options(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        for inner in [format!("easy:{options}"), format!("depth:k=2,{options}"), "conservative".into()] {
            let plain = starts(&scene, &inner);
            for limits in ["", ",user-jobs=40,partition-procs=640,group-jobs=40"] {
                let limited = starts(&scene, &format!("limits:policy=({inner}){limits}"));
                prop_assert_eq!(&plain, &limited, "{}{} in {}", inner, limits, events);
            }
        }
    }

    /// Whatever the policy within: at no instant does a user have more than the limits allow.
    #[test]
    fn limits_hold_at_every_instant(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        most in 1usize..4,
        inner in select(vec!["fcfs", "first-fit", "easy", "(depth:k=2,order=drf)", "conservative"]),
    ) {
        let scene = sample.play(overrun).events(events);
        let spec = format!("limits:policy={inner},user-jobs={most}");
        let (outcome, _) = play(&scene, &spec);
        let workload = &scene.scenario.workload;
        for at in workload.jobs().map(|job| outcome.start(job)) {
            for user in 0..3 {
                let runs = |&job: &JobId| {
                    let of_user = workload.attribute(job, Field::User) == user;
                    of_user && outcome.start(job) <= at && at < outcome.end(job)
                };
                prop_assert!(workload.jobs().filter(runs).count() <= most, "{} at {} in {}", spec, at, events);
            }
        }
    }
}

/// What stands before the next parameter of a spec.
fn separator(spec: &str) -> char {
    if spec.contains(':') { ',' } else { ':' }
}
