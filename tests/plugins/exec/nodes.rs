//! A policy that places jobs on nodes and tracks the free resources from the changes that it is sent.

use batchlab::Registry;
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload};

use super::{PYTHON, child, python};
use crate::cmd::Folder;
use crate::lab::{Play, play};

const FIRST_FIT: &str = include_str!("first_fit.py");

#[test]
fn a_child_can_track_the_free_resources_of_nodes() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.write("first.py", &format!("import sys\nsys.path.insert(0, {PYTHON:?})\n{FIRST_FIT}"));
    let memory = Resource { name: "mem".into(), unit: "GB".into(), sharing: Sharing::Space };
    let nodes = [vec![4, 8], vec![6, 8], vec![2, 16], vec![8, 5]];
    let machine = Machine::new(vec![processors(), memory], &nodes).unwrap();
    let jobs: Vec<PlainJob> = (0..120)
        .map(|index: i64| PlainJob {
            estimate: Time::from_secs(40),
            ..PlainJob::secs(
                index * 7 % 50 + index,
                index * 13 % 40,
                vec![2 * (1 + index * 5 % 7), index * 11 % 12],
            )
        })
        .collect();
    let scene = Play::new(machine, Workload::from_jobs(&jobs).in_tasks_of(2));
    let spec = child(folder.path("first.py").display());
    let chosen = Registry::builtin().allow_exec().choose(&spec).unwrap();
    let mut policy = chosen.build(&scene.scenario.setting(scene.overrun)).unwrap();
    let (outcome, _) = scene.with(chosen.needs(), policy.as_mut()).unwrap();
    assert_eq!(outcome.start, play(&scene, "fcfs:place=first-fit").0.start);
    assert!(outcome.start.iter().any(|&start| start > Time::from_secs(200)), "jobs wait for each other");
}
