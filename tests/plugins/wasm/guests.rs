//! Tests that the guests of the repository equal the built-in policies, job for job.

use batchlab::Outcome;
use proptest::prelude::*;
use proptest::sample::select;

use crate::cmd::Folder;
use crate::lab::{Play, play};
use crate::properties::samples::{event_orders, overruns, samples};

const GUESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/wat");

fn times(scene: &Play, spec: &str) -> Outcome {
    play(scene, spec).0
}

/// An order in WAT with three columns, one of them the waiting time: WFP3 of Tang et al. 2009, -n (w/r)^3.
const WFP3: &str = include_str!("wfp3.wat");

#[test]
fn an_order_that_looks_at_the_wait_is_asked_at_each_decision() {
    let folder = Folder::new();
    let busy = ["--jobs", "2000", "--procs", "64", "--set", "estimates=phi:0.2", "--seed", "7"];
    folder.run(&[&["generate", "lublin", "-o", "week.swf", "-q"], &busy[..]].concat()).succeeded();
    for (changes, code) in [("", 0), (r#"\"changes\": true,"#, 0), (r#"\"changes\": false,"#, 1)] {
        folder.write("wfp3.wat", &WFP3.replace("CHANGES", changes));
        let policies =
            ["--policy", "easy:order=wfp3", "--policy", "easy:order=(wasm:wfp3.wat)", "--policy", "easy"];
        let done = folder.run(
            &[
                &["replay", "week.swf", "-q", "--format", "csv", "--metrics", "mean_wait,mean_bsld"],
                &policies[..],
            ]
            .concat(),
        );
        let values: Vec<&str> = done
            .succeeded()
            .lines()
            .skip(1)
            .filter_map(|row| row.split_once(',').map(|(_, values)| values))
            .collect();
        assert_eq!(values[0], values[1], "{changes}");
        assert_ne!(values[0], values[2], "{changes}: the wait matters");
        // A description that denies the need is detected, and by that check alone.
        let done = folder.run(&[
            "conform",
            "easy:order=(wasm:wfp3.wat)",
            "--like",
            "easy:order=wfp3",
            "--cases",
            "40",
        ]);
        assert_eq!(done.code, code, "{}{}", done.out, done.err);
        let words = r#"its description has `"changes": false` and the column `wait`"#;
        assert_eq!(done.out.contains(words), code == 1, "{}", done.out);
    }
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
