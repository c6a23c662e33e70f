//! Children on machines whose capacity comes and goes, and children that ask for shapes, sites and dependencies.

use batchlab::Registry;
use batchlab::policies::registry::Chosen;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::{PYTHON, python, shipped};
use crate::cmd::Folder;
use crate::lab::Play;
use crate::properties::samples::{event_orders, samples};
use crate::properties::sites::sites;

/// Number of cases of each test: each case starts a child.
const CASES: u32 = 16;

fn choose(spec: &str) -> Chosen {
    Registry::builtin().allow_exec().choose(spec).unwrap()
}

/// Replays a child; the checker of the lab finds nothing, or this fails.
fn check(scene: &Play, chosen: &Chosen) -> batchlab::Outcome {
    let mut policy = chosen.build(&scene.scenario.setting(scene.overrun)).unwrap();
    scene.with(chosen.needs(), policy.as_mut()).unwrap_or_else(|error| panic!("{error}")).0
}

fn event(from: i64, length: i64, procs: i64, jobs: &str) -> String {
    let part = if procs > 0 { format!("procs = {procs}\n") } else { String::new() };
    let to = from + length;
    format!("[[event]]\nkind = \"maintenance\"\nfrom = {from}\nto = {to}\n{part}jobs = \"{jobs}\"\n")
}

/// A child that asks for nothing new hears that jobs were killed and submitted again, and serves them.
#[test]
fn children_of_the_first_protocol_serve_jobs_that_had_to_leave() {
    if !python() {
        return;
    }
    for name in ["fcfs", "raw_fcfs"] {
        let chosen = choose(&shipped(name));
        proptest!(ProptestConfig::with_cases(CASES), |(
            sample in samples(),
            (from, length, procs) in (0i64..60, 1i64..40, 0i64..2),
            jobs in select(vec!["requeue", "kill", "drain"]),
            foresight in select(vec!["calendar", "none"]),
            order in event_orders(),
        )| {
            let scene = sample.play(Overrun::Raise).events(order);
            let scene = scene.calendar(&event(from, length, procs, jobs), foresight);
            let outcome = check(&scene, &chosen);
            prop_assert!(scene.scenario.workload.jobs().all(|job| outcome.ended(job).is_some()));
        });
    }
}

/// A child that asks for foresight interrupts no job where all is known.
#[test]
fn a_child_with_foresight_plans_around_what_it_is_told() {
    if !python() {
        return;
    }
    let chosen = choose(&shipped("ahead"));
    assert!(chosen.needs().foresees);
    proptest!(ProptestConfig::with_cases(CASES), |(
        sample in samples(),
        (from, length, procs) in (0i64..60, 1i64..40, 0i64..2),
        order in event_orders(),
    )| {
        let scene = sample.play(Overrun::Raise).events(order);
        let scene = scene.calendar(&event(from, length, procs, "requeue"), "calendar");
        let outcome = check(&scene, &chosen);
        prop_assert!(outcome.lost.is_empty(), "{:?}", outcome.lost);
    });
}

/// First come, first served on nodes, by nothing but what the child is told of each job.
const SHAPED: &str = r#"
from batchlab_policy import Policy, run

class Shaped(Policy):
    needs = ["layout"]

    def begin(self):
        self.queue = []

    def decide(self, turn):
        gone = set(turn.killed)
        self.queue = [job for job in self.queue if job not in gone] + turn.submitted
        while self.queue:
            shares = self.shares(turn, self.queue[0])
            if shares is None:
                return
            turn.place(self.queue.pop(0), shares)

    def shares(self, turn, job):
        """Returns the nodes of a job: whole tasks first, each on the first node with room."""
        small = job.smaller_tasks or (1 if job.smaller_procs else 0)
        left = [(job.procs - small * (job.smaller_procs or 0)) // job.task_procs, small]
        shares = []
        for node, free in enumerate(turn.free):
            sites = job.sites if job.sites is not None else [[0, len(turn.free) - 1]]
            if not any(first <= node <= last for first, last in sites):
                continue
            if job.exclusive and free != self.machine.nodes[node]:
                continue
            procs, tasks = 0, 0
            for kind, size in enumerate([job.task_procs, job.smaller_procs or 0]):
                while left[kind] and tasks < (job.tasks_per_node or left[kind] + tasks) and self.holds(job, procs + size, free):
                    procs, tasks, left[kind] = procs + size, tasks + 1, left[kind] - 1
            if procs:
                shares.append((node, procs))
        return None if any(left) else shares

    def holds(self, job, procs, free):
        return all(-(-need * procs // job.procs) <= amount for need, amount in zip(job.demand, free))

run(Shaped)
"#;

#[test]
fn a_child_that_asks_for_layouts_can_place_every_job() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.write("shaped.py", &format!("import sys\nsys.path.insert(0, {PYTHON:?})\n{SHAPED}"));
    let spec = format!("exec:(python3 '{}'),timeout=60s", folder.path("shaped.py").display());
    let chosen = choose(&spec);
    proptest!(ProptestConfig::with_cases(CASES), |(site in sites())| {
        let scene = site.play(Overrun::Raise);
        // The protocol does not tell which resources are whole devices.
        if scene.scenario.machine.nodes() > 1 && scene.scenario.machine.devices().is_none() {
            let outcome = check(&scene, &chosen);
            prop_assert!(scene.scenario.workload.jobs().all(|job| outcome.ended(job).is_some()));
        }
    });
}
