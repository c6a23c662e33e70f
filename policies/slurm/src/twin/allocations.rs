//! What jobs hold, and what is left for others: nodes, the processors of reservations, licences.

use std::sync::Arc;

use batchlab_contract::placement::Placement;
use batchlab_contract::turn::Turn;
use batchlab_traces::capacity::Closure;
use batchlab_traces::{JobId, Machine, Time};

use super::completing::{Completing, Left};
use super::node_set::NodeSet;
use super::nodes::{Spaces, held_by};
use super::queue::Waiting;
use super::reservations::AdvanceReservations;
use crate::site::SlurmSite;

#[derive(Clone)]
pub(super) struct Allocations {
    site: Arc<SlurmSite>,
    spaces: Spaces,
    reservations: AdvanceReservations,
    /// How many there are of each licence, without those of running jobs.
    licences: Vec<i64>,
    completing: Completing,
    /// The nodes that are wholly out of service with no known end: slurmctld plans nothing on them.
    out: NodeSet,
}

/// What becomes of the nodes of a job that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vacated {
    Free,
    Completing,
}

impl Allocations {
    /// Returns an empty machine on which the nodes of a job take a time to complete; `suspends` is that of [`Spaces::new`].
    pub(super) fn new(
        site: &Arc<SlurmSite>,
        machine: &Machine,
        complete: Time,
        suspends: bool,
    ) -> Allocations {
        Allocations {
            spaces: Spaces::new(&site.system, machine, suspends),
            reservations: AdvanceReservations::new(site, machine.nodes()),
            licences: site.licences().collect(),
            completing: Completing::new(complete, site.system.complete_wait),
            out: NodeSet::empty(machine.nodes()),
            site: site.clone(),
        }
    }

    pub(super) fn spaces(&self) -> &Spaces {
        &self.spaces
    }

    pub(super) fn spaces_mut(&mut self) -> &mut Spaces {
        &mut self.spaces
    }

    pub(super) fn reservations_and_spaces(&mut self) -> (&AdvanceReservations, &mut Spaces) {
        (&self.reservations, &mut self.spaces)
    }

    pub(super) fn reservations(&self) -> &AdvanceReservations {
        &self.reservations
    }

    pub(super) fn completing(&self) -> &Completing {
        &self.completing
    }

    pub(super) fn out(&self) -> &NodeSet {
        &self.out
    }

    /// Whether nothing runs, and nothing completes.
    pub(super) fn is_idle(&self) -> bool {
        self.spaces.is_idle() && self.completing.next().is_none()
    }

    pub(super) fn has_licences(&self) -> bool {
        !self.licences.is_empty()
    }

    pub(super) fn take_up_capacity(&mut self, turn: &Turn<'_>) {
        for node in 0..self.spaces.all().nodes() {
            self.spaces.set_free(node, &kept_free(turn, node));
            let is_closed = turn.in_service(node).first().is_some_and(|&procs| procs == 0);
            self.out.set(node, is_closed && foreseen(turn, node).is_none());
        }
    }

    /// Puts a job on its nodes from now on until its limit, with its licences.
    pub(super) fn start(&mut self, turn: &Turn<'_>, job: &Waiting, placement: &Placement) {
        self.spaces.start(turn.job(job.job), job, placement, turn.now());
        self.take_licences(turn, job.job, 1);
    }

    pub(super) fn enter_reservation(&mut self, job: &Waiting, placement: &Placement) {
        self.reservations.enter(job, placement);
    }

    /// Takes a job off its nodes at once, as if it had never run.
    pub(super) fn undo_start(&mut self, turn: &Turn<'_>, job: JobId) {
        self.spaces.end(job, false);
        self.take_licences(turn, job, -1);
    }

    /// Takes a job off the machine; `None` if it did not run.
    pub(super) fn end(&mut self, turn: &Turn<'_>, job: JobId, was_killed: bool) -> Option<Vacated> {
        let completes = self.completing.takes_time();
        let nodes = self.spaces.end(job, completes)?;
        self.reservations.leave(job);
        // What a job leaves may be out of service by now.
        for &node in &nodes {
            self.spaces.set_free(node as usize, &kept_free(turn, node as usize));
        }
        self.take_licences(turn, job, -1);
        if completes {
            self.completing.add(job, Left { nodes, was_killed }, turn.now());
        }
        Some(if completes { Vacated::Completing } else { Vacated::Free })
    }

    /// Frees the nodes that have completed first, if any have by now; returns whether their job was killed.
    pub(super) fn take_completed(&mut self, now: Time) -> Option<bool> {
        let left = self.completing.take_done(now)?;
        self.spaces.completed(&left.nodes);
        Some(left.was_killed)
    }

    fn take_licences(&mut self, turn: &Turn<'_>, job: JobId, times: i64) {
        let needs = self.site.licences_of(turn.job(job));
        self.licences.iter_mut().zip(needs).for_each(|(free, need)| *free -= times * need);
    }

    pub(super) fn licences_suffice(&self, turn: &Turn<'_>, job: JobId) -> bool {
        let needs = self.site.licences_of(turn.job(job));
        self.licences.iter().zip(needs).all(|(&free, need)| need <= free)
    }

    /// Returns the nodes of a job that it does not have to leave to others, by [`Allocations::unreserved`] and by users.
    pub(super) fn usable(&self, turn: &Turn<'_>, job: &Waiting) -> NodeSet {
        let mut nodes = self.unreserved(turn, job);
        self.leave_to_others(job, &mut nodes);
        nodes
    }

    /// Returns the nodes of a job that neither go out of service nor are reserved for others until it reaches its limit.
    pub(super) fn unreserved(&self, turn: &Turn<'_>, job: &Waiting) -> NodeSet {
        // slurmctld counts whole seconds.
        let from = turn.now();
        let to = from - Time::from_ticks(from.ticks().rem_euclid(Time::SECOND.ticks())) + job.limit;
        let mut nodes = (*job.nodes).clone();
        for closure in turn.foreseen().iter().filter(|closure| closure.from < to && closure.to > from) {
            nodes.remove(closure.node);
        }
        self.reservations.keep_usable(job, from, to, &mut nodes);
        nodes
    }

    /// Whether a job that does not fit now waits for other jobs to end (`ESLURM_NODES_BUSY`), rather than for nodes that are not
    /// available (`ESLURM_NODE_NOT_AVAIL`): on those of its nodes that are in service and not closed before it, there would be room
    /// for it without other jobs, or another job keeps it off one of them as a whole. `all` are the nodes that are not reserved for
    /// others, `open` those of them that are not closed.
    ///
    /// Source: `_pick_best_nodes` (`node_scheduler.c`) of Slurm 22.05.
    pub(super) fn waits_for_jobs(
        &self,
        turn: &Turn<'_>,
        job: &Waiting,
        all: &NodeSet,
        mut open: NodeSet,
    ) -> bool {
        let (space, system) = (self.spaces.all(), &self.site.system);
        open.subtract(&self.out);
        if open.len() == job.nodes.len() || space.reaches(job, &open) {
            return true;
        }
        let is_whole = job.layout.exclusive || system.select.whole_nodes;
        let keeps_off = |(other, _): (JobId, usize)| is_whole || turn.job(other).layout().exclusive;
        let keeps_all_off = || {
            let mut left = open.clone();
            self.leave_to_others(job, &mut left);
            left.len() < open.len() || space.running_on(Arc::new(left)).any(keeps_off)
        };
        let is_busy = space.closing().meets(&open) || system.preemption.is_none() && keeps_all_off();
        is_busy && space.reaches(job, all)
    }

    /// Takes out the nodes that a job has to leave to other users (`ExclusiveUser`).
    pub(super) fn leave_to_others(&self, job: &Waiting, nodes: &mut NodeSet) {
        if self.site.system.partitions.iter().any(|partition| partition.exclusive_user) {
            nodes.subtract(&self.spaces.all().of_others(job.user, job.owns));
        }
    }

    /// Returns the nodes that a job gets now of some nodes, off the processors that reservations keep from it.
    pub(super) fn now(&mut self, job: &Waiting, nodes: &NodeSet, now: Time) -> Option<Placement> {
        let held = self.hold_cores(job, now);
        let placement = self.spaces.now(job, nodes);
        self.give_back(held);
        placement
    }

    pub(super) fn now_without(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        procs: &[(u32, i64)],
        now: Time,
    ) -> Option<Placement> {
        self.spaces.hold(held_by(0), procs, now + job.limit);
        let placement = self.spaces.now(job, nodes);
        self.give_back(1);
        placement
    }

    /// Takes the processors that reservations of cores keep from a job off the nodes. Returns how many reservations do, for
    /// [`Allocations::give_back`].
    pub(super) fn hold_cores(&mut self, job: &Waiting, now: Time) -> u32 {
        let mut count = 0;
        if !self.reservations.hold_cores() {
            return count;
        }
        for at in 0..self.reservations.all().len() {
            let (held, end) =
                self.reservations.held_from(job, at, now, |node| self.spaces.all().free_procs(node));
            if !held.is_empty() {
                self.spaces.hold(held_by(count), &held, end);
                count += 1;
            }
        }
        count
    }

    /// Gives back what [`Allocations::hold_cores`] took.
    pub(super) fn give_back(&mut self, count: u32) {
        for at in 0..count {
            self.spaces.end(held_by(at), false);
        }
    }

    pub(super) fn nodes_of(&self, placement: &Placement) -> NodeSet {
        NodeSet::empty(self.spaces.all().nodes()).with(placement)
    }
}

/// Returns what is free on a node. What a foreseen closure of the whole node has taken counts as free: slurmctld keeps jobs off the
/// nodes of a reservation, and plans with them for the time behind it.
fn kept_free(turn: &Turn<'_>, node: usize) -> Vec<i64> {
    match foreseen(turn, node) {
        Some(closure) => {
            let with_it =
                turn.balance(node).into_iter().zip(&closure.amounts).map(|(free, taken)| free + taken);
            with_it.take(turn.free(node).len()).collect()
        }
        None => turn.free(node).to_vec(),
    }
}

/// Returns the foreseen closure that has taken all processors of a node, if there is one.
fn foreseen<'a>(turn: &'a Turn<'_>, node: usize) -> Option<&'a Closure> {
    let mut begun = turn.foreseen().iter().take_while(|closure| closure.from <= turn.now());
    let whole = turn.machine().capacity(node).first();
    begun.find(|closure| closure.node == node && closure.amounts.first() == whole)
}
