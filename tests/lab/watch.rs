//! Checks after every decision of a policy that the jobs fit on their nodes.

use std::collections::BTreeSet;

use batchlab::policies::cluster::State;
use batchlab::policies::policy::{Late, PolicyError};
use batchlab::policies::spec::{BuildError, Setting};
use batchlab::policies::{Placement, Policy, Rate, Share, Turn};
use batchlab::replay::capability;
use batchlab::traces::machine::Sharing;
use batchlab::traces::{JobId, Machine, Time};
use batchlab::{Outcome, Registry};

use super::Play;

/// Replays a built-in policy and checks every node after every decision, or returns why the policy cannot work here.
pub fn watched(play: &Play, spec: &str) -> Result<Outcome, BuildError> {
    let chosen = Registry::builtin().choose(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    capability::check_startable(&chosen, &play.scenario)
        .map_err(|unmet| BuildError::Unfit(unmet.to_string()))?;
    let by_node = play.by_node || !play.scenario.machine.is_pool();
    let setting = Setting { by_node, ..play.scenario.setting(play.overrun) };
    let mut watch = Watch { policy: chosen.build(&setting)?, faults: BTreeSet::new() };
    let done = play.named(&chosen.canonical(), chosen.needs(), &mut watch);
    let (outcome, _) = done.unwrap_or_else(|error| panic!("{error}"));
    assert!(watch.faults.is_empty(), "`{spec}` in {}: {:?}", play.scenario.order, watch.faults);
    Ok(outcome)
}

/// Counts independently: it reads only capacities from the machine and only requests from jobs.
struct Watch {
    policy: Box<dyn Policy>,
    faults: BTreeSet<String>,
}

impl Policy for Watch {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        self.policy.decide(turn)?;
        self.look(turn);
        Ok(())
    }

    fn expired(&mut self, late: Late<'_>) -> Option<Time> {
        self.policy.expired(late)
    }
}

impl Watch {
    fn look(&mut self, turn: &Turn<'_>) {
        let machine = turn.machine();
        let mut used = vec![vec![0; machine.kinds()]; machine.nodes()];
        // A job that ends at this instant, as expected, has returned its resources.
        for job in turn.resident().filter(|&job| turn.state(job) == State::Resident) {
            let placement = turn.placement(job);
            if let Err(fault) = place(turn, job, &placement) {
                self.faults.insert(format!("job {} {fault} at {:?}", job.0, turn.now()));
                continue;
            }
            add(&mut used, turn, job, &placement);
        }
        for (node, used) in used.iter().enumerate() {
            for (kind, used) in used.iter().enumerate() {
                let most = i128::from(machine.capacity(node)[kind]) * i128::from(Rate::WHOLE);
                if *used > most {
                    self.faults.insert(format!("{used} of {most} parts of resource {kind} on node {node}"));
                }
            }
        }
    }
}

/// Adds a job's use, part by part: proportional to its processors on the node, or the same on each, rounded up; time resources by
/// its rate.
fn add(used: &mut [Vec<i128>], turn: &Turn<'_>, job: JobId, placement: &Placement) {
    let (view, machine) = (turn.job(job), turn.machine());
    for share in &placement.0 {
        for (kind, resource) in machine.resources().iter().enumerate() {
            // Some resources are the same on each node of the job.
            let is_even = view.layout().is_even(kind);
            let among = if is_even { view.layout().count() } else { view.procs() };
            let exact = i128::from(view.demand()[kind]) * i128::from(if is_even { 1 } else { share.procs });
            let share_of_job = exact / i128::from(among) + i128::from(exact % i128::from(among) > 0);
            let alone = view.layout().exclusive && !machine.is_pool();
            let amount =
                if alone { machine.capacity(share.node as usize)[kind].into() } else { share_of_job };
            let parts = match resource.sharing {
                Sharing::Space => Rate::FULL.parts(),
                Sharing::Time => turn.rate(job).parts(),
            };
            used[share.node as usize][kind] += amount * i128::from(parts);
        }
    }
}

fn place(turn: &Turn<'_>, job: JobId, placement: &Placement) -> Result<(), String> {
    let (view, machine) = (turn.job(job), turn.machine());
    let nodes: BTreeSet<u32> = placement.0.iter().map(|share| share.node).collect();
    if nodes.len() != placement.0.len() || nodes.iter().any(|&node| node as usize >= machine.nodes()) {
        return Err(format!("is on the nodes {nodes:?}"));
    }
    let held: i64 = placement.0.iter().map(|share| share.procs).sum();
    if held != view.procs() || placement.0.iter().any(|share| share.procs <= 0) {
        return Err(format!("asked for {} processors and has {placement:?}", view.procs()));
    }
    if !takes(machine, view.partition(), &nodes) {
        return Err(format!("of partition {} is on the nodes {nodes:?}", view.partition()));
    }
    let layout = view.layout();
    let smaller = |share: &&Share| share.procs % layout.task == layout.rest && layout.rest > 0;
    let whole = |share: &Share| share.procs / layout.task;
    let tasks: i64 = placement.0.iter().map(whole).sum();
    let rests = placement.0.iter().filter(smaller).count() as i64;
    let crowded = placement.0.iter().any(|share| whole(share) + i64::from(smaller(&share)) > layout.per_node);
    if (tasks, rests) != (layout.tasks, layout.rests) || crowded {
        return Err(format!("laid out as {layout:?} has {placement:?}"));
    }
    Ok(())
}

fn takes(machine: &Machine, partition: i64, nodes: &BTreeSet<u32>) -> bool {
    nodes.iter().all(|&node| machine.admits(node as usize, partition))
}
