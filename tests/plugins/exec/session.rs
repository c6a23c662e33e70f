//! The protocol page, line by line: its sessions are replayed with the program.

use batchlab::Registry;
use batchlab::policies::Policy;
use batchlab::policies::external::{self, Allowed, Begin};
use batchlab::policies::spec::{Params, Setting};
use batchlab::traces::machine::{Resource, Sharing, processors};
use batchlab::traces::workload::{Condition, Dependency, Milestone, PlainJob};
use batchlab::traces::{JobId, Machine, Time, Workload};

use super::{command, python};
use crate::cmd::Folder;
use crate::lab::Play;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/policies/abi/PROTOCOL.md");

/// A child that sends its lines of the page, and fails if the program does not send the program's lines.
const PLAYER: &str = include_str!("player.py");

fn player(session: &str) -> (Folder, String) {
    let folder = Folder::new();
    folder.write("player.py", PLAYER);
    let command = format!("{} '{PAGE}' {session}", command(folder.path("player.py").display()));
    (folder, command)
}

/// Replays under a fixed name, which determines the random numbers.
fn replay(scene: &Play, session: &str) -> Vec<Time> {
    let (_folder, command) = player(session);
    let chosen = Registry::builtin().allow_exec().choose(&format!("exec:({command}),timeout=60s")).unwrap();
    let mut policy: Box<dyn Policy> = chosen.build(&scene.scenario.setting(scene.overrun)).unwrap();
    let done = scene.named("protocol", chosen.needs(), policy.as_mut());
    done.unwrap_or_else(|error| panic!("{error}")).0.end
}

fn job(submit: i64, run: f64, estimate: f64, demand: &[i64], user: i64) -> PlainJob {
    PlainJob {
        estimate: Time::from_secs_f64(estimate),
        user,
        ..PlainJob::new(Time::from_secs(submit), Time::from_secs_f64(run), demand.to_vec())
    }
}

#[test]
fn the_session_on_a_pool_is_as_the_page_says() {
    if !python() {
        return;
    }
    let jobs = [job(0, 90.0, 100.0, &[2], 7), job(1, 60.25, 60.5, &[4], -1)];
    let scene = Play::new(Machine::pool(4).unwrap(), Workload::from_jobs(&jobs));
    assert_eq!(replay(&scene, "pool"), [90.0, 150.25].map(Time::from_secs_f64));
}

#[test]
fn the_session_on_nodes_is_as_the_page_says() {
    if !python() {
        return;
    }
    let jobs = [job(0, 90.0, 100.0, &[4, 8], -1), job(0, 30.0, 30.0, &[4, 6], -1)];
    let memory = Resource { name: "mem".into(), unit: "GB".into(), sharing: Sharing::Space };
    let machine = Machine::new(vec![processors(), memory], &[vec![4, 16], vec![4, 16]]).unwrap();
    let scene = Play::new(machine, Workload::from_jobs(&jobs));
    assert_eq!(replay(&scene, "nodes"), [80, 80].map(Time::from_secs));
}

#[test]
fn the_session_with_a_calendar_is_as_the_page_says() {
    if !python() {
        return;
    }
    let jobs = [job(0, 40.0, 40.0, &[2], -1), job(1, 20.0, 20.0, &[4], -1)];
    let on = Dependency { on: JobId(0), milestone: Milestone::End, delay: Time::ZERO };
    let condition = Condition::all(Time::from_secs(1), vec![on]);
    let workload = Workload::from_jobs(&jobs).with_conditions(vec![(JobId(1), condition)]);
    let outage = "[[event]]\nkind = \"outage\"\nfrom = 50\nto = 60\n";
    let scene = Play::new(Machine::pool(4).unwrap(), workload).calendar(outage, "calendar");
    assert_eq!(replay(&scene, "calendar"), [40, 80].map(Time::from_secs));
}

#[test]
fn the_session_of_an_order_is_as_the_page_says() {
    if !python() {
        return;
    }
    let (_folder, command) = player("order");
    let exec = external::carrier("exec").unwrap();
    let options = Params::check(exec.name, exec.params, &[]).unwrap();
    let (_, plugin) = exec.plugin(&command, &options, Allowed { exec: true, ..Allowed::default() }).unwrap();
    assert!(plugin.is_order());
    let machine = Machine::pool(4).unwrap();
    let begin = Begin { which: 0, params: &[], setting: &Setting::new(&machine) };
    let mut conversation = plugin.library.begin(&begin).unwrap();
    let mut scores = vec![7.0; 9];
    conversation.order(&mut vec![100.0, 60.5, 2.0, 4.0], 2, &mut scores).unwrap();
    assert_eq!(scores, [200.0, 242.0]);
    conversation.order(&mut vec![f64::INFINITY, 1.0], 1, &mut scores).unwrap();
    assert_eq!(scores, [f64::INFINITY]);
    conversation.end().unwrap();
}
