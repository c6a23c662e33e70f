//! The main loop: a pass in queue order, and the attempt at submission.
//!
//! Source: `_schedule` and `_top_priority` (`job_scheduler.c`, `job_mgr.c`) of Slurm 22.05.

use std::sync::Arc;

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedMap;

use crate::site::MainLoop;
use crate::twin::clock::PassDepth;
use crate::twin::controller::Controller;
use crate::twin::hypothesis::Held;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;
use batchlab_contract::journal::Why;
use batchlab_contract::policy::PolicyError;
use batchlab_contract::turn::Turn;

enum Tried {
    Started,
    NoRoom,
    /// Its limits do not admit it on the nodes that it would get.
    AtLimit,
}

/// What the jobs that do not fit close in a pass.
struct Closed {
    /// Partitions, with the first job that closed each.
    lanes: SortedMap<(Option<usize>, i64), JobId>,
    nodes: NodeSet,
    last: Option<JobId>,
}

/// Returns what a job closes: its partition, or only its advance reservation.
fn lane(job: &Waiting) -> (Option<usize>, i64) {
    (job.reservation, if job.reservation.is_some() { 0 } else { job.partition })
}

/// Tries a job as it is submitted, in each of its partitions. A waiting job of a higher priority keeps it out, in any partition, if
/// it names the same reservation, or neither names one (`_top_priority`).
pub(super) fn at_submission(
    controller: &mut Controller,
    turn: &mut Turn<'_>,
    job: JobId,
) -> Result<(), PolicyError> {
    let tries = |waiting: &&Arc<Waiting>| !controller.rules().main.defer && waiting.het.is_none();
    let mut all: Vec<Arc<Waiting>> = controller.queue().of(job).filter(tries).cloned().collect();
    all.sort_by_key(|waiting| waiting.rank());
    for waiting in &all {
        let competes = |other: &Arc<Waiting>| {
            let is_other = other.job != job && other.reservation == waiting.reservation;
            is_other && other.priority > waiting.priority
        };
        let is_free = !controller.queue().iter().any(competes);
        if is_free && controller.queue().has(waiting.job) && controller.is_allowed(turn, waiting) {
            try_now(controller, turn, waiting, &NodeSet::empty(controller.nodes()))?;
        }
    }
    Ok(())
}

struct Pass {
    rules: MainLoop,
    depth: PassDepth,
    tested: u64,
    starts: u64,
    by_partition: SortedMap<i64, u64>,
    closed: Closed,
}

/// Runs the main loop once: over the whole queue, or as deep as `default_queue_depth`.
pub(super) fn pass(
    controller: &mut Controller,
    turn: &mut Turn<'_>,
    depth: PassDepth,
) -> Result<(), PolicyError> {
    let rules = controller.rules().main.clone();
    let nodes = NodeSet::empty(controller.nodes());
    let closed = Closed { lanes: SortedMap::new(), nodes, last: None };
    let mut pass = Pass { rules, depth, tested: 0, starts: 0, by_partition: SortedMap::new(), closed };
    let jobs: Vec<Arc<Waiting>> = controller.queue().iter().take(pass.most()).cloned().collect();
    for job in jobs {
        if !pass.admits(&job) {
            continue;
        }
        if pass.is_over() {
            break;
        }
        // It may have started in another partition.
        if !controller.queue().has(job.job) {
            continue;
        }
        pass.tested += 1;
        if !pass.test(controller, turn, &job)? {
            controller.holds_back_rest(&job);
            break;
        }
    }
    Ok(())
}

impl Pass {
    /// Returns how many jobs of the queue it may come to: it tests one job more than the depth.
    fn most(&self) -> usize {
        if self.depth == PassDepth::Whole || self.rules.partition_depth > 0 {
            return usize::MAX;
        }
        usize::try_from(self.rules.queue_depth.saturating_add(1)).unwrap_or(usize::MAX)
    }

    /// Whether it is deep enough in a job's partition to come to the job. Jobs of closed partitions count towards the depths, too.
    fn admits(&mut self, job: &Waiting) -> bool {
        let most = self.rules.partition_depth;
        if most == 0 {
            return true;
        }
        let count = self.by_partition.entry(job.partition).or_default();
        *count += 1;
        *count <= most
    }

    /// Whether it has tested or started the most jobs that it may.
    fn is_over(&self) -> bool {
        let MainLoop { queue_depth, most_starts, .. } = self.rules;
        let is_limited = self.depth == PassDepth::Limited;
        is_limited && self.tested > queue_depth || most_starts > 0 && self.starts >= most_starts
    }

    /// Tests a job: starts it, or lets it close its partition and its nodes. Returns whether any nodes are still open.
    fn test(
        &mut self,
        controller: &mut Controller,
        turn: &mut Turn<'_>,
        job: &Arc<Waiting>,
    ) -> Result<bool, PolicyError> {
        if let Some(&first) = self.closed.lanes.get(&lane(job)) {
            controller.holds_back(job, Held::Behind(first));
            return Ok(true);
        }
        // Components start at the end of a cycle.
        if job.het.is_none() {
            if !controller.is_allowed(turn, job) {
                controller.holds_back(job, Held::Limit);
                return Ok(true);
            }
            match try_now(controller, turn, job, &self.closed.nodes)? {
                Tried::Started => {
                    self.starts += 1;
                    return Ok(true);
                }
                Tried::AtLimit => {
                    controller.holds_back(job, Held::Limit);
                    return Ok(true);
                }
                Tried::NoRoom => {}
            }
        }
        let closes = self.closed.add(controller, turn, job);
        Ok(!closes || self.closed.nodes.len() < controller.nodes())
    }
}

impl Closed {
    /// A job does not fit: it closes its partition, and its nodes, for the rest of the pass, or the reservation that it names.
    /// Returns whether it closes nodes.
    fn add(&mut self, controller: &mut Controller, turn: &mut Turn<'_>, job: &Arc<Waiting>) -> bool {
        let lacks_nodes = job.het.is_some() || self.lacks_nodes(controller, job);
        let all = controller.allocations().unreserved(turn, job);
        // Maintenance keeps the job out, not the other jobs.
        if all.is_empty() && !lacks_nodes {
            controller.holds_back(job, Held::Closed);
            return false;
        }
        let mut open = all.clone();
        if job.reservation.is_none() {
            open.subtract(&self.nodes);
        }
        let first = self.last.filter(|_| open.len() < all.len());
        let mut usable = open.clone();
        controller.allocations().leave_to_others(job, &mut usable);
        controller.holds_back(job, first.map_or(Held::Resources, Held::Behind));
        if job.het.is_none() {
            let held = controller.allocations_mut().hold_cores(job, turn.now());
            controller.preempt_for(turn, job, &usable);
            controller.allocations_mut().give_back(held);
        }
        let waits_for_jobs = || controller.allocations().waits_for_jobs(turn, job, &all, open);
        if !(lacks_nodes || controller.holds_reservations(turn, job) && waits_for_jobs()) {
            return false;
        }
        let closes_nodes = lacks_nodes || job.reservation.is_none();
        let lane = if closes_nodes { (None, job.partition) } else { lane(job) };
        self.lanes.insert(lane, job.job);
        if closes_nodes {
            self.last = Some(job.job);
            self.nodes.unite(&controller.partition_nodes(job));
        }
        closes_nodes
    }

    /// Whether a job's partition has fewer nodes in service that are not closed than the job needs (`_schedule`).
    fn lacks_nodes(&self, controller: &Controller, job: &Waiting) -> bool {
        let mut open = (*controller.partition_nodes(job)).clone();
        open.subtract(controller.allocations().out());
        open.subtract(&self.nodes);
        (open.len() as i64) < job.least_nodes()
    }
}

/// Starts a job if it fits now on nodes that are not `gone`, and its limits admit it on the nodes that it gets.
fn try_now(
    controller: &mut Controller,
    turn: &mut Turn<'_>,
    job: &Arc<Waiting>,
    gone: &NodeSet,
) -> Result<Tried, PolicyError> {
    let mut nodes = controller.allocations().usable(turn, job);
    if job.reservation.is_none() {
        nodes.subtract(gone);
    }
    let placement = controller.allocations_mut().now(job, &nodes, turn.now());
    let Some(placement) = placement else { return Ok(Tried::NoRoom) };
    if !controller.is_allowed_on(turn, job, placement.0.len()) {
        return Ok(Tried::AtLimit);
    }
    controller.launch(turn, job, &placement, Why::Head)?;
    Ok(Tried::Started)
}
