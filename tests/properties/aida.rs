//! The schemes of Aida et al. 1998 compared with the routines printed in the paper, and with each other.

use batchlab::policies::Needs;
use batchlab::traces::Time;
use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{Sample, event_orders, overruns, samples};
use crate::lab::{Figure10, Limit, Play, play};

const SCHEMES: [&str; 5] = ["mpfs", "lpfs", "fpfs", "fpmpfs", "fplpfs"];

const LIMITS: [(&str, Limit); 6] = [
    ("none", |_| None),
    ("0", |_| Some(Time::ZERO)),
    ("5", |_| Some(Time::from_secs(5))),
    ("20s", |_| Some(Time::from_secs(20))),
    ("expr(2*estimate)", |job| Some(job.estimate() + job.estimate())),
    ("expr(if(procs>2,procs,1/0))", |job| (job.procs() > 2).then(|| Time::from_secs(job.procs()))),
];

fn starts(scene: &Play, spec: &str) -> Vec<Time> {
    play(scene, spec).0.start
}

/// Three samples in sequence: queues that grow and empty, and arrivals behind jobs over their limits.
fn long_samples() -> impl Strategy<Value = Sample> {
    (samples(), samples(), samples()).prop_map(|(first, second, third)| {
        let mut all = first;
        for (part, from) in [(second, 60), (third, 90)] {
            for mut job in part.jobs {
                job.submit += Time::from_secs(from);
                job.demand[0] = job.demand[0].min(all.procs);
                all.jobs.push(job);
            }
        }
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    /// For any limit and event order, the tree finds the same jobs as the loops over an array.
    #[test]
    fn the_schemes_are_the_routines_of_figure_10(
        sample in long_samples(),
        scheme in select(SCHEMES.to_vec()),
        limit in 0..LIMITS.len(),
        rescan in any::<bool>(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let (text, meaning) = LIMITS[limit];
        // The routine that serves only the head has no place to skip.
        let skips = !rescan && scheme.starts_with("fp");
        let scene = sample.play(overrun).events(events);
        let spec = format!("{scheme}:waitlimit={text},rescan={rescan}");
        let mut figure = Figure10::new(scheme, meaning, skips);
        let (printed, _) = scene.with(Needs::POOL, &mut figure).unwrap();
        prop_assert_eq!(printed.start, starts(&scene, &spec), "{} in {}", spec, events);
    }

    /// Behind a job that does not fit are only jobs that ask for as many processors, or that a job over its
    /// limit keeps there.
    #[test]
    fn searching_for_least_processors_is_serving_the_least_first(
        sample in long_samples(),
        limit in select(vec!["none", "0", "5", "20"]),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let least = starts(&scene, &format!("lpfs:waitlimit={limit}"));
        prop_assert_eq!(least, starts(&scene, &format!("fplpfs:waitlimit={limit}")), "{} in {}", limit, events);
    }

    #[test]
    fn limits_of_nothing_and_of_infinity_are_other_policies(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        fractions in super::samples::fractions(),
    ) {
        let scene = sample.with_fractions(&fractions).play(overrun).events(events);
        for (ours, theirs) in [
            ("fpfs:waitlimit=0", "fcfs"),
            ("fpfs", "first-fit"),
            ("fpfs:waitlimit=expr(1/0)", "first-fit"),
            ("mpfs", "fcfs:order=lqf"),
            ("lpfs", "fcfs:order=sqf"),
            ("fpmpfs", "first-fit:order=lqf"),
            ("fplpfs", "first-fit:order=sqf"),
        ] {
            prop_assert_eq!(starts(&scene, theirs), starts(&scene, ours), "{} in {}", ours, events);
        }
    }

    /// One node is a pool, and a resource requested in the same amounts as processors changes nothing.
    #[test]
    fn nodes_and_resources_follow_the_same_rule(
        sample in samples(),
        scheme in select(SCHEMES.to_vec()),
        limit in 0..LIMITS.len(),
        rescan in any::<bool>(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let spec = format!("{scheme}:waitlimit={},rescan={rescan}", LIMITS[limit].0);
        let pool = sample.play(overrun).events(events);
        let node = Play { by_node: true, general: true, ..pool.clone() };
        let twice = sample.play_with(overrun, 2).events(events);
        let plain = starts(&pool, &spec);
        prop_assert_eq!(&plain, &starts(&node, &spec), "{} on a node, in {}", spec, events);
        prop_assert_eq!(&plain, &starts(&twice, &spec), "{} on two resources, in {}", spec, events);
    }
}
