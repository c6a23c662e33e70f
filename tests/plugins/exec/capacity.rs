//! Children on machines whose capacity comes and goes, and children that ask for shapes, sites and dependencies.

use batchlab::Registry;
use batchlab::policies::spec::Chosen;
use batchlab::traces::reading::Overrun;
use proptest::prelude::*;
use proptest::sample::select;

use super::{PYTHON, child, python, shipped};
use crate::cmd::Folder;
use crate::lab::Play;
use crate::properties::samples::{event_orders, samples};
use crate::properties::sites::sites;

const CASES: u32 = 16;

fn choose(spec: &str) -> Chosen {
    Registry::builtin().allow_exec().choose(spec).unwrap()
}

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

/// First come, first served on nodes, by nothing but what the child sees of each job.
const SHAPED: &str = include_str!("shaped.py");

#[test]
fn a_child_that_asks_for_devices_passes_the_suite_on_machines_with_some() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.write("shaped.py", &format!("import sys\nsys.path.insert(0, {PYTHON:?})\n{SHAPED}"));
    let spec = child(folder.path("shaped.py").display());
    let done = folder.run(&["conform", &spec, "--cases", "40", "--check", "legal"]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
}

/// A child that does not ask for devices is sent amounts of resources only, those of a calendar too.
#[test]
fn a_child_without_devices_sees_what_is_in_service_of_each_resource() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    let seen = include_str!("seen.py");
    let import =
        format!("import sys\nsys.path.insert(0, {PYTHON:?})\nfrom batchlab_policy import Policy, run\n");
    folder.write("seen.py", &(import + seen));
    let job = |job: i64, submit: i64, run: i64| {
        format!("{job} {submit} -1 {run} 1 -1 -1 1 {run} -1 1 1 -1 -1 -1 -1 -1 -1 0\n")
    };
    let log = format!("; MaxProcs: 8\n; Resource: 1 gpu scope=pool\n{}{}", job(1, 0, 50), job(2, 10, 5));
    folder.write("a.swf", &log);
    let gpus = "[[resource]]\nname = \"gpu\"\ndevice = 4\n";
    folder.write("m.toml", &format!("{gpus}[[nodes]]\ncount = 2\nprocs = 4\ngpu = 8\n"));
    folder.write("c.toml", "[[event]]\nkind = \"maintenance\"\nfrom = 5\nto = 20\nnodes = 1\n");
    let spec = child(folder.path("seen.py").display());
    let options = ["--machine", "m.toml", "--calendar", "c.toml", "-q"];
    folder.run(&[&["replay", "a.swf", "--policy", &spec], &options[..]].concat()).succeeded();
}

#[test]
fn a_child_that_asks_for_layouts_can_place_every_job() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    folder.write("shaped.py", &format!("import sys\nsys.path.insert(0, {PYTHON:?})\n{SHAPED}"));
    let spec = child(folder.path("shaped.py").display());
    let chosen = choose(&spec);
    proptest!(ProptestConfig::with_cases(CASES), |(site in sites())| {
        let scene = site.play(Overrun::Raise);
        if scene.scenario.machine.nodes() > 1 {
            let outcome = check(&scene, &chosen);
            prop_assert!(scene.scenario.workload.jobs().all(|job| outcome.ended(job).is_some()));
        }
    });
}
