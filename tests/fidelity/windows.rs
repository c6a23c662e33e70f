//! Every registered policy on the beginning of every real log that is present, each schedule verified.

use std::sync::Arc;

use batchlab::traces::Machine;

use crate::lab::{Play, bare, policies, try_play, watched, windows};

/// Jobs of each log: enough that queues form, few enough that a dozen policies take seconds.
const JOBS: usize = 2000;

/// Fewer jobs where rows take turns, because every slice is verified separately.
const JOBS_IN_TURNS: usize = 300;

/// Fewer jobs on nodes, because every search looks at each of them.
const JOBS_ON_NODES: usize = 300;

#[test]
fn every_policy_on_the_beginning_of_every_log() {
    by_turns(JOBS, false);
    by_turns(JOBS_IN_TURNS, true);
}

/// Tests either every policy that takes turns, or every other one.
fn by_turns(jobs: usize, turns: bool) {
    for (log, scene) in windows(jobs, 1.0) {
        for spec in policies().iter().filter(|spec| spec.needs.processors == turns) {
            let played = try_play(&scene, &bare(spec));
            assert!(played.is_ok(), "{} on {log}: {:?}", spec.name, played.err());
        }
    }
}

/// The same processors on at most sixteen equal nodes; jobs arrive twice as fast.
#[test]
fn every_policy_on_the_beginning_of_every_log_on_nodes() {
    for (log, scene) in windows(JOBS_ON_NODES, 2.0) {
        let scene = on_nodes(scene);
        for spec in policies().iter().filter(|spec| !spec.needs.pool) {
            let played = watched(&scene, &bare(spec));
            assert!(played.is_ok(), "{} on {log}: {:?}", spec.name, played.err());
        }
    }
}

fn on_nodes(mut scene: Play) -> Play {
    let procs = scene.scenario.machine.procs();
    let nodes = (1..=16).rev().find(|nodes| procs % nodes == 0).unwrap();
    scene.scenario.machine = Arc::new(Machine::uniform(procs, nodes as usize).unwrap());
    scene
}
