//! The guests of the repository are the built-in policies, job for job.

use batchlab::Outcome;
use proptest::prelude::*;
use proptest::sample::select;

use crate::lab::{Play, play};
use crate::properties::samples::{event_orders, overruns, samples};

const GUESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/wat");

fn times(scene: &Play, spec: &str) -> Outcome {
    play(scene, spec).0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn first_come_first_served(
        sample in samples(),
        kinds in 1usize..4,
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play_with(overrun, kinds).events(events);
        let (ours, guests) = (times(&scene, "fcfs"), times(&scene, &format!("wasm:({GUESTS}/fcfs.wat)")));
        prop_assert_eq!((ours.start, ours.end), (guests.start, guests.end), "{}", events);
    }

    #[test]
    fn shortest_job_first(
        sample in samples(),
        events in event_orders(),
        overrun in overruns(),
        policy in select(vec!["fcfs", "first-fit", "easy", "depth:k=2", "conservative"]),
    ) {
        let scene = sample.play(overrun).events(events);
        let separator = if policy.contains(':') { ',' } else { ':' };
        let ours = times(&scene, &format!("{policy}{separator}order=sjf"));
        let guests = times(&scene, &format!("{policy}{separator}order=(wasm:{GUESTS}/sjf.wat)"));
        prop_assert_eq!((ours.start, ours.end), (guests.start, guests.end), "{} in {}", policy, events);
    }
}
