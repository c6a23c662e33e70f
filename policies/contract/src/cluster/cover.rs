//! The conditions that a placement must satisfy, regardless of free resources.

use batchlab_traces::{Field, JobId, Machine, Workload};

use crate::placement::{Placement, Share};
use crate::refused::Reason;

/// Checks that a placement has all processors of a job, on nodes of the machine that take jobs of its partition, each named once
/// with at least one processor; each node has whole tasks, and no more of them than the job's layout allows.
pub(super) fn expect_cover(
    machine: &Machine,
    workload: &Workload,
    job: JobId,
    at: &Placement,
) -> Result<(), Reason> {
    let (procs, nodes) = (workload.procs(job), machine.nodes());
    let sound = |share: &&Share| (share.node as usize) < nodes && share.procs > 0;
    let placed = at.0.iter().filter(sound).map(|share| share.procs).sum();
    if placed != procs || !at.0.iter().all(|share| sound(&share)) {
        return Err(Reason::Placement { placed, procs });
    }
    expect_each_once(at)?;
    expect_whole_tasks(workload, job, at)?;
    expect_partition(machine, workload, job, at)
}

fn expect_whole_tasks(workload: &Workload, job: JobId, at: &Placement) -> Result<(), Reason> {
    let layout = workload.layout(job);
    if layout.is_loose() {
        return Ok(());
    }
    let split = layout.first_split(at.0.iter().map(|share| share.procs));
    let Some(share) = split.and_then(|split| at.0.get(split)) else { return Ok(()) };
    let (node, placed) = (share.node as usize, share.procs);
    Err(Reason::Split { node, placed, task: layout.task, per_node: layout.per_node })
}

fn expect_partition(
    machine: &Machine,
    workload: &Workload,
    job: JobId,
    at: &Placement,
) -> Result<(), Reason> {
    if !machine.is_partitioned() && !workload.has_constraints() {
        return Ok(());
    }
    let takes = |share: &&Share| workload.admits(machine, job, share.node as usize);
    let Some(share) = at.0.iter().find(|share| !takes(share)) else { return Ok(()) };
    let (node, partition) = (share.node as usize, workload.attribute(job, Field::Partition));
    if machine.admits(node, partition) {
        return Err(Reason::Constraint { node });
    }
    Err(Reason::Partition { node, partition })
}

fn expect_each_once(at: &Placement) -> Result<(), Reason> {
    if at.0.windows(2).all(|pair| pair[0].node < pair[1].node) {
        return Ok(());
    }
    let mut nodes: Vec<u32> = at.0.iter().map(|share| share.node).collect();
    nodes.sort_unstable();
    match nodes.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Reason::Twice { node: pair[0] as usize }),
        None => Ok(()),
    }
}
