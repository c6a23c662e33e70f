//! Schedules that are written to files and read again, with their intervals: the checker finds nothing there either.

use batchlab::Outcome;
use batchlab::schedule::{self, verify::stated_procs};
use proptest::prelude::*;

use super::priorities::priorities;
use super::samples::{all_specs, event_orders, overruns, samples};
use super::sites::sites;
use crate::lab::{Play, assert_clean, bare, policies, try_play};

/// Returns an outcome as `batchlab verify` reads it from the files of its schedule.
fn read_again(scene: &Play, outcome: &Outcome) -> Outcome {
    let (scenario, log) = (&scene.scenario, &scene.scenario.workload);
    let workload = outcome.workload(log);
    let (mut rows, mut intervals) = (Vec::new(), Vec::new());
    schedule::write(workload, outcome, &mut rows).unwrap();
    let rows = schedule::read_on(&scenario.machine, &String::from_utf8(rows).unwrap()).unwrap();
    assert_eq!(stated_procs(log, &rows).unwrap(), []);
    let mut again = schedule::partial_outcome(log, &rows).unwrap();
    if outcome.shares_time() {
        schedule::write_intervals(workload, outcome, &mut intervals).unwrap();
        schedule::read_intervals(log, &String::from_utf8(intervals).unwrap(), &mut again).unwrap();
    }
    again.entering(log)
}

fn check(scene: &Play, spec: &str) {
    let Ok((outcome, _)) = try_play(scene, spec) else { return };
    assert_clean(&scene.scenario, &read_again(scene, &outcome), &format!("{spec}, read again"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Every policy on a pool, those that share time included.
    #[test]
    fn the_schedule_of_every_policy_passes(
        sample in samples(),
        specs in all_specs(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events);
        for spec in &specs {
            check(&scene, spec);
        }
    }

    /// Where jobs lose their processors, and are suspended.
    #[test]
    fn so_it_does_with_priorities(
        sample in samples(),
        specs in all_specs(),
        priorities in priorities(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = sample.play(overrun).events(events).priorities(&priorities);
        for spec in &specs {
            check(&scene, spec);
        }
    }

    /// On nodes, with and without priorities.
    #[test]
    fn so_it_does_on_nodes(
        site in sites(),
        priorities in priorities(),
        ranked in any::<bool>(),
        events in event_orders(),
        overrun in overruns(),
    ) {
        let scene = site.play(overrun).events(events).priorities(if ranked { &priorities } else { "" });
        for spec in policies() {
            check(&scene, &bare(&spec));
        }
    }
}
