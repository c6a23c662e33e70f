//! What a case has beside jobs and a machine: jobs that wait for others, layouts of jobs, devices of nodes, a calendar.

use std::fmt::Write as _;

use batchlab_traces::capacity::Foresight;
use batchlab_traces::header::{ColumnScope, ResourceDeclaration};
use batchlab_traces::layout::LayoutRule;
use batchlab_traces::reading::Dependencies;
use batchlab_traces::{Field, Record};

use super::Scenes;
use super::draw::Draw;
use crate::conform::case::Case;

/// The columns of the layout of a job, each with the largest value drawn.
const LAYOUT: [(&str, i64); 3] = [("nodes", 4), ("tasks_per_node", 2), ("exclusive", 1)];

pub(super) fn set(mut case: Case, draw: &mut Draw, scenes: Scenes) -> Case {
    let [depends, lies, changes] = [draw.one_in(3), draw.one_in(2), draw.one_in(3)];
    if scenes.dependencies && depends {
        set_dependencies(&mut case, draw);
    }
    if scenes.layouts && lies && case.machine.is_some() {
        set_layouts(&mut case, draw);
    }
    if scenes.calendars && changes {
        set_calendar(&mut case, draw, scenes.foresight);
    }
    case
}

/// Every other machine with cards of GPUs has them in devices of two to four units. Jobs that then fit no node need none.
pub(super) fn set_devices(mut case: Case, draw: &mut Draw, scenes: Scenes) -> Case {
    let (is_drawn, size) = (draw.one_in(2), draw.between(2, 4));
    let Some(at) = case.header.resources.iter().position(|resource| resource.name == "gpu") else {
        return case;
    };
    let Some(machine) = case.machine.as_ref().filter(|_| scenes.devices && is_drawn) else { return case };
    let plain = case.clone();
    let line = |line: &str| match line.strip_prefix("gpu = ").map(str::parse::<i64>) {
        Some(Ok(amount)) => format!("gpu = {}\n", amount / size * size),
        _ if line == "name = \"gpu\"" => format!("{line}\ndevice = {size}\n"),
        _ => format!("{line}\n"),
    };
    case.machine = Some(machine.lines().map(line).collect());
    let kept = kept(&case);
    for (record, _) in case.records.iter_mut().zip(kept).filter(|(_, kept)| !kept) {
        record.extra[at] = 0;
    }
    if kept_all(&case) { case } else { plain }
}

/// Returns for each record whether it is replayed; none is if the case cannot be.
fn kept(case: &Case) -> Vec<bool> {
    let mut kept = vec![false; case.records.len()];
    if let Ok(play) = case.play() {
        let workload = &play.scenario.workload;
        workload.jobs().for_each(|job| kept[workload.row(job)] = true);
    }
    kept
}

fn kept_all(case: &Case) -> bool {
    !kept(case).contains(&false)
}

/// Every third job waits for the end of an earlier one, and some of them a little longer.
fn set_dependencies(case: &mut Case, draw: &mut Draw) {
    case.dependencies = Dependencies::Log;
    for at in 1..case.records.len() {
        if draw.one_in(3) {
            let before = draw.below(at as i64) as usize;
            let number = case.records[before].get(Field::Job).truncated();
            case.records[at].set_whole(Field::Preceding, number);
            case.records[at].set_whole(Field::Think, draw.pick(&[0, 0, 5]));
        }
    }
}

/// Gives each job a layout of its own, except jobs that would then fit no node.
fn set_layouts(case: &mut Case, draw: &mut Draw) {
    let plain = case.clone();
    case.layout = Some(LayoutRule::Log);
    case.header.resources.extend(LAYOUT.map(|(name, _)| ResourceDeclaration {
        name: name.into(),
        unit: String::new(),
        capacity: None,
        scope: ColumnScope::Job,
    }));
    for record in &mut case.records {
        record.extra.extend(LAYOUT.map(|(_, most)| if draw.one_in(2) { -1 } else { draw.between(1, most) }));
    }
    let kept = kept(case);
    for (record, _) in case.records.iter_mut().zip(kept).filter(|(_, kept)| !kept) {
        let first = record.extra.len() - LAYOUT.len();
        record.extra[first..].fill(-1);
    }
    if !kept_all(case) {
        *case = plain;
    }
}

/// Adds one to three events of the machine, of a part of the pool or of some nodes.
fn set_calendar(case: &mut Case, draw: &mut Draw, foresight: Option<Foresight>) {
    let drawn = draw.pick(&[Foresight::Calendar, Foresight::None, Foresight::Reservations]);
    case.foresight = foresight.unwrap_or(drawn);
    let seconds = |record: &Record| record.get(Field::Submit).truncated();
    let last = case.records.iter().map(seconds).max().unwrap_or(0);
    let nodes = case.machine.as_ref().map(|machine| machine.matches("[[nodes]]").count() as i64);
    let mut text = String::new();
    for _ in 0..draw.between(1, 3) {
        let from = draw.between(0, last + 20);
        let to = from + draw.between(1, 40.max(last / 8));
        let kind = draw.pick(&["outage", "drain", "maintenance", "capacity"]);
        let jobs = draw.pick(&["requeue", "kill", "drain"]);
        let known = draw.pick(&["true", "false", "5", "20"]);
        // Writing to a string does not fail.
        let _ = write!(text, "[[event]]\nkind = \"{kind}\"\nfrom = {from}\nto = {to}\n");
        match nodes {
            Some(nodes) => {
                let first = draw.below(nodes);
                let last = draw.between(first, nodes - 1);
                let _ = writeln!(text, "nodes = \"{first}-{last}\"");
            }
            None if draw.one_in(2) => text.push_str("procs = 1\n"),
            None => {}
        }
        let _ = write!(text, "jobs = \"{jobs}\"\nknown = {known}\n");
    }
    case.calendar = Some(text);
}
