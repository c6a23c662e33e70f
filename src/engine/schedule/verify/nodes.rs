//! Rules for the nodes of every job.

use batchlab_support::Share;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use super::jobs::served;
use super::violation::{PlaceRule, ScheduleRule, Violation};
use crate::outcome::{Fate, Outcome};
use crate::replay::engine::Scenario;

pub(super) fn check(scenario: &Scenario, outcome: &Outcome, violations: &mut Vec<Violation>) {
    for job in scenario.workload.jobs() {
        let Some((start, end)) = served(outcome, job) else { continue };
        // A job cut off while it waited held no node.
        let nowhere = start == end && outcome.fate(job) != Fate::Finished;
        let mut stays = outcome.places.stays(job).peekable();
        if stays.peek().is_none() && !nowhere {
            let (rule, amounts) = (ScheduleRule::Place(PlaceRule::Placed), [scenario.workload.procs(job), 0]);
            violations.push(Violation::of_amounts(&scenario.workload, rule, job, start, amounts));
        }
        for (at, shares) in stays {
            check_stay(scenario, (job, at), &shares, violations);
        }
    }
}

fn check_stay(
    scenario: &Scenario,
    (job, at): (JobId, Time),
    shares: &[Share],
    violations: &mut Vec<Violation>,
) {
    let (workload, machine) = (&scenario.workload, &scenario.machine);
    let mut broken = |rule, node: Option<u32>, need: i64, have: i64| {
        let violation = Violation::of_amounts(workload, ScheduleRule::Place(rule), job, at, [need, have]);
        violations.push(Violation { node, ..violation });
    };
    let (procs, partition) = (workload.procs(job), workload.admission(job));
    let placed: i128 = shares.iter().map(|share| i128::from(share.procs)).sum();
    if placed != i128::from(procs) {
        broken(PlaceRule::Covered, None, procs, i64::try_from(placed).unwrap_or(i64::MAX));
    }
    let layout = workload.layout(job);
    let mut smaller = 0;
    let mut seen = SortedSet::new();
    for &Share { node, devices, procs: here } in shares {
        if !seen.insert(node) {
            broken(PlaceRule::NodeOnce, Some(node), 1, 2);
        }
        if node as usize >= machine.nodes() {
            broken(PlaceRule::NodeExists, Some(node), machine.nodes() as i64, 0);
        } else if !machine.admits(node as usize, partition) {
            broken(PlaceRule::Partition, Some(node), partition, 0);
        }
        if (node as usize) < machine.nodes()
            && machine.admits(node as usize, partition)
            && !workload.admits(machine, job, node as usize)
        {
            broken(PlaceRule::Constraint, Some(node), 1, 0);
        }
        if here < 1 {
            broken(PlaceRule::SomeProcs, Some(node), 1, here);
            continue;
        }
        if let Some(known) = machine.devices().filter(|_| (node as usize) < machine.nodes()) {
            let capacity = machine.capacity(node as usize)[known.resource()];
            let need = devices_needed(scenario, job, (here, capacity));
            let exist = (0..capacity / known.size()).filter(|device| devices >> device & 1 == 1).count();
            if need != exist as i64 || need != i64::from(devices.count_ones()) {
                broken(PlaceRule::Devices, Some(node), need, exist as i64);
            }
        }
        let over = here % layout.task;
        smaller += i64::from(over != 0);
        if over != 0 && (smaller > layout.rests || over != layout.rest) {
            broken(PlaceRule::WholeTasks, Some(node), layout.task, here);
        }
        let tasks = here / layout.task + i64::from(over != 0);
        if tasks > layout.per_node {
            broken(PlaceRule::TasksPerNode, Some(node), layout.per_node, tasks);
        }
    }
}

/// Returns the number of devices that a share needs, of its processors and the node's capacity of the resource: a part of
/// one, or whole ones.
fn devices_needed(scenario: &Scenario, job: JobId, (here, capacity): (i64, i64)) -> i64 {
    let Some(devices) = scenario.machine.devices() else { return 0 };
    let workload = &scenario.workload;
    let (layout, demand) = (workload.layout(job), workload.demand(job)[devices.resource()]);
    let of_all =
        |parts: i64, all: i64| -(-i128::from(demand) * i128::from(parts)).div_euclid(i128::from(all.max(1)));
    let need = if layout.exclusive {
        i128::from(capacity)
    } else if layout.is_even(devices.resource()) {
        of_all(1, layout.tasks + layout.rests)
    } else {
        of_all(here, workload.procs(job))
    };
    -(-need).div_euclid(i128::from(devices.size())) as i64
}
