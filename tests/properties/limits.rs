//! Limits from a file around any policy.

use proptest::prelude::*;
use proptest::sample::select;

use super::samples::{all_specs, event_orders, is_gang, migrates_at_length, overruns, samples};
use crate::lab::try_play;

/// Limits of each kind, or several of them.
pub fn limits() -> impl Strategy<Value = String> {
    let class = select(vec!["", "user = \"*\"\n", "user = 1\n", "user = [0, 2]\n"]);
    let bound = select(vec![
        "running_jobs = 1\n",
        "running_jobs = 2\nprocs = 16\n",
        "procs = 16\n",
        "procs = 20\nnode_hours = 0.14\n",
        "node_hours = 0.14\n",
    ]);
    let count = select(vec!["", "count = \"eligible\"\n"]);
    let limit =
        (class, bound, count).prop_map(|(class, bound, count)| format!("[[limit]]\n{class}{bound}{count}"));
    prop::collection::vec(limit, 1..4).prop_map(|limits| limits.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// The checker finds no job beyond a limit, and every job ends.
    #[test]
    fn every_policy_keeps_to_limits(
        sample in samples(),
        specs in all_specs(),
        limits in limits(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let Some(scene) = sample.play(overrun).events(events).some_limits(&limits) else { return Ok(()) };
        for spec in specs {
            let may_decline = ["variant=fixed", "share=false", "memory=on", "dhc"].iter().any(|word| spec.contains(word))
                || migrates_at_length(&spec) || is_gang(&spec);
            prop_assert!(try_play(&scene, &spec).is_ok() || may_decline, "{}", spec);
        }
    }

    /// Limits that no job reaches change nothing.
    #[test]
    fn wide_limits_change_nothing(
        sample in samples(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        let wide = scene.limits("[[limit]]\nuser = \"*\"\nrunning_jobs = 1000\n[[limit]]\nprocs = 100000");
        for spec in specs {
            let (Ok((free, _)), Ok((within, _))) = (try_play(&scene, &spec), try_play(&wide, &spec)) else {
                continue;
            };
            prop_assert_eq!((&free.start, &free.end), (&within.start, &within.end), "{}", spec);
        }
    }
}
