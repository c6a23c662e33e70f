//! The same policy in Python and in the program gives the same schedule.

use batchlab::Registry;
use batchlab::policies::spec::Chosen;
use batchlab::traces::Time;
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use proptest::prelude::*;

use super::{folder, none_left, python, run, shipped};
use crate::lab::{Play, play};
use crate::properties::samples::{event_orders, fractions, overruns, samples};

const CASES: u32 = 24;

fn choose(name: &str) -> Chosen {
    Registry::builtin().allow_exec().choose(&shipped(name)).unwrap()
}

fn starts(scene: &Play, chosen: &Chosen) -> Vec<Time> {
    let mut policy = chosen.build(&scene.scenario.setting(scene.overrun)).unwrap();
    scene.with(chosen.needs(), policy.as_mut()).unwrap().0.start
}

fn built_in(scene: &Play, spec: &str) -> Vec<Time> {
    play(scene, spec).0.start
}

fn fcfs_is_fcfs(name: &str) {
    if !python() {
        return;
    }
    let chosen = choose(name);
    proptest!(ProptestConfig::with_cases(CASES), |(
        sample in samples(),
        ticks in fractions(),
        events in event_orders(),
        overrun in overruns(),
    )| {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events);
        prop_assert_eq!(starts(&scene, &chosen), built_in(&scene, "fcfs"), "in {}", events);
    });
}

#[test]
fn fcfs_is_the_built_in_one() {
    fcfs_is_fcfs("fcfs");
}

#[test]
fn fcfs_without_the_module_is_the_built_in_one() {
    fcfs_is_fcfs("raw_fcfs");
}

#[test]
fn easy_is_the_built_in_one() {
    if !python() {
        return;
    }
    let chosen = choose("easy");
    proptest!(ProptestConfig::with_cases(2 * CASES), |(
        sample in samples(),
        ticks in fractions(),
        fractional in any::<bool>(),
        overrun in overruns(),
    )| {
        let sample = if fractional { sample.with_fractions(&ticks) } else { sample };
        let scene = sample.play(overrun);
        prop_assert_eq!(starts(&scene, &chosen), built_in(&scene, "easy"));
    });
}

#[test]
fn an_order_in_python_serves_as_the_built_in_one() {
    if !python() {
        return;
    }
    let registry = Registry::builtin().allow_exec();
    let order = shipped("sjf");
    let easy = registry.choose(&format!("easy:order=({order})")).unwrap();
    let candidates = registry.choose(&format!("easy:candidates=({order})")).unwrap();
    proptest!(ProptestConfig::with_cases(CASES), |(
        sample in samples(),
        ticks in fractions(),
        events in event_orders(),
        overrun in overruns(),
    )| {
        let scene = sample.with_fractions(&ticks).play(overrun).events(events);
        prop_assert_eq!(starts(&scene, &easy), built_in(&scene, "easy:order=sjf"), "in {}", events);
        prop_assert_eq!(starts(&scene, &candidates), built_in(&scene, "easy:candidates=sjf"), "in {}", events);
    });
}

#[test]
fn two_at_once_keep_to_themselves() {
    if !python() {
        return;
    }
    let folder = folder("");
    let (fcfs, easy) = (shipped("fcfs"), shipped("easy"));
    let policies = ["--policy", &fcfs, "--policy", "fcfs", "--policy", &easy, "--policy", "easy"];
    let options = ["--threads", "4", "-q", "--format", "csv", "--metrics", "mean_wait"];
    let done = run(&folder, &[&["replay", "a.swf"], &policies[..], &options].concat());
    let waits: Vec<&str> = done
        .succeeded()
        .lines()
        .skip(1)
        .filter_map(|row| row.split(",a.swf,").next()?.rsplit(',').next())
        .collect();
    assert_eq!(waits, ["61.75", "61.75", "24.75", "24.75", "24.75"], "{}", done.out);
    none_left(&folder);
}

#[test]
fn overdue_jobs_are_those_of_the_built_in_one_too() {
    if !python() {
        return;
    }
    let job = |submit: i64, run: i64, estimate: i64, procs: i64| PlainJob {
        estimate: Time::from_secs(estimate),
        user: 1,
        ..PlainJob::secs(submit, run, vec![procs])
    };
    let jobs =
        [job(0, 100, 5, 3), job(0, 50, 60, 1), job(10, 10, 10, 3), job(11, 2, 1, 1), job(12, 1, 40, 1)];
    let workload = batchlab::traces::Workload::from_jobs(&jobs);
    let machine = batchlab::traces::Machine::pool(5).unwrap();
    let scene = Play { overrun: Overrun::Overdue, ..Play::new(machine, workload) };
    assert_eq!(starts(&scene, &choose("easy")), built_in(&scene, "easy"));
}
