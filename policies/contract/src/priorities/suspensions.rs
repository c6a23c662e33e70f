use std::cmp::Reverse;

use batchlab_traces::machine::take_room;
use batchlab_traces::priorities::{Preempted, PriorityTable};
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use super::claims::{Claim, add_shares};
use crate::event::Event;
use crate::policy::PolicyError;
use crate::stage::Stage;
use crate::turn::Turn;

/// Resumes suspended jobs, the highest tier first, then the earliest start, if no job that may take their processors holds
/// or awaits them. Reports these jobs to the policy, and suspended jobs whose expected resumption has changed. `lenders` are
/// the jobs on the machine that may preempt others.
///
/// O(s · (nodes + l log l)) for s suspended jobs and l lenders.
pub(super) fn resume(
    turn: &mut Turn<'_>,
    table: &PriorityTable,
    lenders: &SortedSet<JobId>,
    events: &mut Vec<Event>,
) -> Result<(), PolicyError> {
    let stage = turn.stage();
    let mut order: Vec<JobId> = stage.cluster.suspended().collect();
    if order.is_empty() {
        return Ok(());
    }
    let (cluster, workload) = (&stage.cluster, stage.cluster.workload());
    order.sort_by_key(|&job| (Reverse(workload.tier(job)), cluster.started(job), job));
    for &job in &order {
        if may_resume(turn.stage(), table, lenders, job) {
            turn.resume(job)?;
            events.push(Event::Resumed(job));
        }
    }
    let now = turn.now();
    for job in order {
        let stage = turn.stage();
        if stage.cluster.is_suspended(job) {
            let at = expected(stage, table, lenders, job, now);
            if stage.resumes_at(job, at) {
                events.push(Event::Suspended(job));
            }
        }
    }
    Ok(())
}

/// Whether a job may take what another gave back when it was suspended.
fn takes_from(table: &PriorityTable, stage: &Stage, taker: JobId, job: JobId) -> bool {
    let workload = stage.cluster.workload();
    table.standing(workload, taker).preempts.is_some_and(|below| workload.tier(job) < below)
}

/// Returns the amounts that a suspended job may have on each node now. On draining nodes it resumes only when no job there
/// may have its processors.
fn room_now(stage: &Stage, table: &PriorityTable, lenders: &SortedSet<JobId>, job: JobId) -> Vec<Vec<i64>> {
    let cluster = &stage.cluster;
    let own = cluster.placement(job);
    let meets = |other: JobId| {
        let there = cluster.placement(other);
        there.0.iter().any(|share| own.0.iter().any(|own| own.node == share.node))
    };
    let takes = |other: JobId| takes_from(table, stage, other, job);
    let mut running = lenders.iter().copied().filter(|&other| other != job && !cluster.is_suspended(other));
    let is_alone = !running.any(|other| takes(other) && meets(other));
    cluster.room_to_resume(job, is_alone, takes)
}

fn may_resume(stage: &Stage, table: &PriorityTable, lenders: &SortedSet<JobId>, job: JobId) -> bool {
    let given = stage.cluster.released(job);
    let mut room = room_now(stage, table, lenders, job);
    if !fits(&given, &room) {
        return false;
    }
    let Some(claims) = &stage.claims else { return true };
    let tier = stage.cluster.workload().tier(job);
    let waiting: Vec<Claim> = claims.jobs().iter().copied().filter(|&(_, below)| tier < below).collect();
    if waiting.is_empty() {
        return true;
    }
    for (&leaving, &how) in claims.leaving() {
        add_shares(&stage.cluster, leaving, how, &mut room);
    }
    for (claim, _) in waiting {
        take_room(stage.cluster.machine(), stage.cluster.workload(), claim, &mut room);
    }
    fits(&given, &room)
}

/// Returns when a suspended job is expected to resume: when the jobs that hold or await its processors are expected to have
/// ended.
fn expected(stage: &Stage, table: &PriorityTable, lenders: &SortedSet<JobId>, job: JobId, now: Time) -> Time {
    let (cluster, given) = (&stage.cluster, stage.cluster.released(job));
    let (width, soon) = (cluster.machine().width(), now + Time::SECOND);
    let mut room = room_now(stage, table, lenders, job);
    let end = |job| Some(stage.expected_end(job)).filter(|&end| end > now && end < Time::MAX).unwrap_or(soon);
    let mut ends: Vec<(Time, JobId)> = lenders
        .iter()
        .copied()
        .filter(|&other| other != job && takes_from(table, stage, other, job))
        .map(|other| (end(other), other))
        .collect();
    ends.sort_unstable();
    let mut at = soon;
    for (claim, below) in stage.claims.iter().flat_map(|claims| claims.jobs()) {
        if cluster.workload().tier(job) < *below {
            at = at.max(now.saturating_add(stage.expected_duration(*claim)));
        }
    }
    for (end, other) in ends {
        if fits(&given, &room) {
            break;
        }
        at = at.max(end);
        if cluster.is_suspended(other) {
            for (cell, amount) in cluster.released(other) {
                room[cell / width][cell % width] += amount;
            }
        } else {
            add_shares(cluster, other, Preempted::Requeued, &mut room);
        }
    }
    at
}

/// Whether a room has the amounts that a job needs back, given by node and resource.
fn fits(given: &[(usize, i64)], room: &[Vec<i64>]) -> bool {
    let width = room.first().map_or(1, Vec::len);
    given.iter().all(|&(at, amount)| room[at / width][at % width] >= amount)
}
