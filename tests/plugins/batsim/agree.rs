//! A policy that is served to our own carrier gives the schedule of the policy itself.

use batchlab::Registry;
use batchlab::policies::spec::Chosen;
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Machine, Time, Workload};

use super::SCHEDULER;
use crate::cmd::{Folder, four_jobs};
use crate::lab::{Play, play};
use crate::plugins::exec::python;

const POLICIES: [&str; 22] = [
    "fcfs",
    "fcfs:order=sjf",
    "fcfs:order=wfp3",
    "first-fit",
    "easy",
    "easy:order=sjf",
    "easy:candidates=sjf",
    "easy:order=expr(-wait/estimate)",
    "easy:order=f1",
    "depth:k=3",
    "conservative",
    "conservative:variant=fixed",
    "conservative:variant=replan",
    "selective",
    "slack",
    "relaxed",
    "lookahead",
    "fpfs",
    "lpfs",
    "ff-easy",
    "ff-cons",
    "bl-easy",
];

fn busy(jobs: u64) -> Vec<PlainJob> {
    let mut state = 12_345u64;
    let mut draw = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let mut at = 0;
    let job = |_| {
        at += draw(40);
        let (run, longer) = (1 + draw(200), 1 + draw(3));
        PlainJob {
            estimate: Time::from_secs((run * longer) as i64),
            ..PlainJob::secs(at as i64, run as i64, vec![1 + draw(8) as i64])
        }
    };
    (0..jobs).map(job).collect()
}

fn scene(rule: Overrun) -> Play {
    let scene = Play::new(Machine::pool(10).unwrap(), Workload::from_jobs(&busy(50)));
    Play { overrun: rule, ..scene }
}

fn serve(spec: &str, protocol: &str) -> Chosen {
    let program = env!("CARGO_BIN_EXE_batchlab");
    let (carrier, more, options) = match protocol {
        "exec" => ("exec", "", ""),
        "batsim5" => ("batsim", " --endpoint {endpoint}", ",protocol=5"),
        _ => ("batsim", " --endpoint {endpoint}", ""),
    };
    let command = format!("'{program}' serve '{spec}' -q --protocol {protocol}{more}");
    let spec = format!("{carrier}:({command}),timeout=60s{options}");
    Registry::builtin().allow_exec().choose(&spec).unwrap()
}

fn starts(scene: &Play, chosen: &Chosen) -> Vec<Time> {
    let mut policy = chosen.build(&scene.scenario.setting(scene.overrun)).unwrap();
    scene.with(chosen.needs(), policy.as_mut()).unwrap_or_else(|error| panic!("{error}")).0.start
}

fn agree(protocol: &str) {
    let scene = scene(Overrun::Raise);
    for spec in POLICIES {
        let built_in = play(&scene, spec).0.start;
        assert_eq!(starts(&scene, &serve(spec, protocol)), built_in, "{spec} by {protocol}");
    }
}

#[test]
fn served_by_version_4() {
    agree("batsim4");
}

#[test]
fn served_by_version_5() {
    agree("batsim5");
}

#[test]
fn served_as_a_child() {
    agree("exec");
}

/// The hosts of a machine with nodes are numbered through them.
#[test]
fn hosts_of_nodes_are_numbered() {
    let scene = Play::new(Machine::uniform(10, 5).unwrap(), Workload::from_jobs(&busy(40)));
    let pool = Play::new(Machine::pool(10).unwrap(), Workload::from_jobs(&busy(40)));
    let built_in = play(&pool, "easy").0.start;
    assert_eq!(starts(&scene, &serve("easy", "batsim4")), built_in);
}

/// A scheduler whose answers take time is told nothing meanwhile, and what it wants happens when it says so.
#[test]
fn a_scheduler_that_takes_time() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    let slow = "line = Line().begin()\nsay = line.say\nline.say = lambda now, *events: say(now + 2.5, *events)\n\
                line.fcfs()\n";
    folder.write("slow.py", &format!("{SCHEDULER}{slow}"));
    folder.write("a.swf", &four_jobs());
    let spec = format!("batsim:(python3 '{}' {{endpoint}}),timeout=60s", folder.path("slow.py").display());
    let form = ["-q", "--metrics", "mean_wait", "--schedule", "s.csv"];
    folder.run(&[&["replay", "a.swf", "--policy", &spec], &form[..]].concat()).succeeded();
    let starts = |name: &str| -> Vec<f64> {
        let text = std::fs::read_to_string(folder.path(name)).unwrap();
        text.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect()
    };
    folder.run(&["replay", "a.swf", "-q", "--policy", "fcfs", "--schedule", "f.csv"]).succeeded();
    let (slow, prompt) = (starts("s.csv"), starts("f.csv"));
    assert!(slow.iter().zip(&prompt).all(|(slow, prompt)| *slow >= prompt + 2.5), "{slow:?} {prompt:?}");
}

/// Hosts go out of service and come back: the scheduler is told, and the jobs that ran there come again. Each job fits on the
/// others: one that does not keeps a scheduler that knows of it waiting, while built-in policies do not see it.
#[test]
fn hosts_that_go_out_of_service() {
    if !python() {
        return;
    }
    let folder = Folder::new();
    let careful = include_str!("careful.py");
    folder.write("careful.py", &format!("{SCHEDULER}{careful}"));
    let spec = format!("batsim:(python3 '{}' {{endpoint}}),timeout=60s", folder.path("careful.py").display());
    let chosen = Registry::builtin().allow_exec().choose(&spec).unwrap();
    let outage = "[[event]]\nkind = \"outage\"\nfrom = 50\nto = 400\nprocs = 2\n";
    let scene = Play::new(Machine::pool(10).unwrap(), Workload::from_jobs(&busy(20)));
    let scene = scene.calendar(outage, "none");
    let plain = play(&scene, "fcfs").0.start;
    assert_eq!(starts(&scene, &chosen), plain);
}
