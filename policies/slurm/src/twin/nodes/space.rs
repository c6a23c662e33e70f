//! The nodes as the jobs of one tier see them: what is free, who runs there, and where a waiting job fits.

use std::sync::Arc;

use batchlab_contract::placement::{Placement, Share};
use batchlab_contract::view::JobView;
use batchlab_traces::{JobId, Machine, Time};

use super::amounts::NodeAmounts;
use super::bins::Bins;
use super::chooser::Chooser;
use super::fields::Fields;
use super::horizon::Horizons;
use super::outlook::{Forecast, Outlook, Within};
use super::room::TaskShape;
use super::running::{HeldNodes, RunningJob, RunningJobs, is_reservation};
use super::topology::SwitchTree;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;
use crate::twin::table::{NodeSpaceMap, Search, SlotCursor, StayLength};

/// The nodes with what is free on them, and the jobs that run there.
#[derive(Clone, Debug)]
pub struct Space {
    amounts: NodeAmounts,
    running: RunningJobs,
    completing: Vec<u32>,
    /// The nodes on which jobs are completing: no job starts there.
    closing: NodeSet,
    chooser: Chooser,
    fields: Fields,
    horizons: Horizons,
    cursor: SlotCursor,
}

impl Space {
    pub fn new(machine: &Machine, weights: Vec<i64>, tree: Option<Arc<SwitchTree>>) -> Space {
        Space {
            amounts: NodeAmounts::new(machine),
            running: RunningJobs::default(),
            completing: vec![0; machine.nodes()],
            closing: NodeSet::empty(machine.nodes()),
            chooser: Chooser::new(weights, tree),
            fields: Fields::default(),
            horizons: Horizons::default(),
            cursor: SlotCursor::default(),
        }
    }

    pub fn generation(&self) -> u64 {
        self.amounts.generation()
    }

    pub fn nodes(&self) -> usize {
        self.amounts.nodes()
    }

    pub fn closing(&self) -> &NodeSet {
        &self.closing
    }

    pub fn field(&mut self, shape: Arc<TaskShape>, nodes: &Arc<NodeSet>) -> usize {
        self.fields.number(shape, nodes)
    }

    /// Sets what is free on a node, after a change of its capacity.
    pub fn set_free(&mut self, node: usize, free: &[i64]) {
        self.amounts.set(node, free);
    }

    /// Puts a job on its nodes until its limit; if it `owns` them, jobs of other users have no place there.
    pub fn start(&mut self, job: JobView<'_>, placement: &Placement, end: Time, owns: bool) {
        let held = HeldNodes::of(self.held_by(job, placement).into_iter());
        self.put(RunningJob { end, job: job.id(), user: job.user(), owns, held });
    }

    pub fn held_by(&self, job: JobView<'_>, placement: &Placement) -> Vec<(u32, Vec<i64>)> {
        let on = |share: &Share| {
            let capacity = self.amounts.capacity(share.node as usize).iter().enumerate();
            let held = capacity.map(|(kind, &capacity)| job.held_on(kind, share.procs, capacity));
            (share.node, held.collect())
        };
        placement.0.iter().map(on).collect()
    }

    pub fn has_free(&self, job: JobView<'_>, placement: &Placement) -> bool {
        self.held_by(job, placement).iter().all(|(node, held)| {
            held.iter().zip(self.amounts.free(*node as usize)).all(|(amount, free)| amount <= free)
        })
    }

    /// Puts a job on its nodes, with what it holds there, until its limit.
    pub fn put(&mut self, job: RunningJob) {
        self.amounts.take(job.held.iter(self.amounts.kinds()));
        self.running.insert(job);
    }

    pub fn free_procs(&self, node: usize) -> i64 {
        self.amounts.free(node)[0]
    }

    /// Puts a reservation on its nodes until its end, with the processors that it holds there.
    pub fn hold(&mut self, reservation: JobId, procs: &[(u32, i64)], end: Time) {
        let kinds = self.amounts.kinds();
        let amounts = |procs: i64| (0..kinds).map(|kind| if kind == 0 { procs } else { 0 }).collect();
        let held = HeldNodes::of(procs.iter().map(|&(node, procs)| (node, amounts(procs))));
        self.put(RunningJob { end, job: reservation, user: i64::MIN, owns: false, held });
    }

    /// Takes a job off its nodes, which complete from now on if `completes`. Returns the nodes.
    pub fn end(&mut self, job: JobId, completes: bool) -> Option<Vec<u32>> {
        let job = self.running.remove(job)?;
        self.amounts.give(job.held.iter(self.amounts.kinds()));
        let nodes = job.held.into_nodes();
        for &node in nodes.iter().filter(|_| completes) {
            self.completing[node as usize] += 1;
            self.closing.insert(node as usize);
        }
        Some(nodes)
    }

    /// Lets a running job end by an instant, if its limit is later.
    pub fn ends_by(&mut self, job: JobId, end: Time) {
        if let Some(running) = self.running.get(job).filter(|running| running.end > end).cloned() {
            self.end(job, false);
            self.put(RunningJob { end, ..running });
        }
    }

    /// Lets a running job end later than before by some time, or earlier.
    pub fn lasts(&mut self, job: JobId, more: Time) {
        if let Some(running) = self.running.get(job).cloned() {
            self.end(job, false);
            self.put(RunningJob { end: running.end + more, ..running });
        }
    }

    pub fn running_on(&self, nodes: Arc<NodeSet>) -> impl Iterator<Item = (JobId, usize)> {
        let is_on = move |running: &&RunningJob| !is_reservation(running.job) && running.held.meets(&nodes);
        self.running.iter().filter(is_on).map(|running| (running.job, running.held.nodes().len()))
    }

    /// Returns the nodes that a job of a user has to leave to other users: the nodes of jobs that own them, or all nodes on which
    /// other users have jobs if it would own them itself. O(nodes of the running jobs).
    pub fn of_others(&self, user: i64, owns: bool) -> NodeSet {
        let mut nodes = NodeSet::empty(self.nodes());
        let others = self.running.iter().filter(|other| other.user != user && (owns || other.owns));
        for &node in others.flat_map(|other| other.held.nodes()) {
            nodes.insert(node as usize);
        }
        nodes
    }

    pub fn nodes_in(&self, job: JobId, nodes: &NodeSet) -> usize {
        let held = self.running.get(job).map_or(&[][..], |running| running.held.nodes());
        held.iter().filter(|&&node| nodes.has(node as usize)).count()
    }

    pub fn completed(&mut self, nodes: &[u32]) {
        for node in nodes.iter().map(|&node| node as usize) {
            self.completing[node] -= 1;
            if self.completing[node] == 0 {
                self.closing.remove(node);
            }
        }
    }

    pub fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Returns the nodes for the jobs of a field, now and as the running jobs reach their limits.
    fn outlook(&mut self, field: usize) -> Outlook<'_> {
        let (amounts, shape) = (&self.amounts, self.fields.shape(field));
        let horizon = self.horizons.horizon(self.fields.shape_number(field), shape, amounts);
        let nodes = self.fields.nodes(field);
        Outlook { amounts, running: &self.running, nodes, chooser: &self.chooser, shape, horizon }
    }

    /// Returns the nodes that a job gets now of some nodes; `None` if they do not suffice.
    pub fn now(&mut self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let mut usable = nodes.clone();
        usable.subtract(&self.closing);
        self.now_or_completing(job, &usable)
    }

    /// As [`Space::now`], on completing nodes too.
    pub fn now_or_completing(&mut self, job: &Waiting, usable: &NodeSet) -> Option<Placement> {
        let mut outlook = self.outlook(job.field);
        let Outlook { chooser, shape, amounts, .. } = outlook;
        let view = outlook.now();
        job.parts(usable).find_map(|part| {
            let suffices = view.suffices(job, &part);
            suffices.then(|| chooser.now(view, job, &part, shape, amounts)).flatten()
        })
    }

    /// Whether a job could be placed on some of its nodes if no other job were there.
    pub fn reaches(&self, job: &Waiting, nodes: &NodeSet) -> bool {
        let shape = self.fields.shape(job.field);
        job.parts(nodes).any(|part| self.chooser.reaches(job, &part, shape, &self.amounts))
    }

    /// Returns the least number of nodes, from what a job asks for to `most`, on which it could be if no other job were there.
    pub fn least_nodes(&self, job: &Waiting, most: i64) -> i64 {
        let shape = self.fields.shape(job.field);
        let empty = |node: usize| shape.tasks(self.amounts.capacity(node), self.amounts.capacity(node));
        let suffices = |part: &NodeSet| {
            let room = part.iter().map(empty);
            let mut room: Vec<(i64, bool)> = room.filter(|&(tasks, beside)| tasks > 0 || beside).collect();
            room.sort_unstable_by(|one, other| other.cmp(one));
            let (mut tasks, mut beside) = (0_i64, 0);
            room.iter().position(|&(here, rest)| {
                tasks = tasks.saturating_add(here);
                beside += i64::from(rest);
                job.layout.is_enough(tasks, beside)
            })
        };
        let least = job.parts(&job.nodes).filter_map(|part| suffices(&part)).min();
        least.map_or(job.asked, |last| (last as i64 + 1).clamp(job.asked, most))
    }

    /// Whether a job fits on what is free of all its nodes, completing ones included. O(1) for a field that was asked about
    /// since the last change.
    pub fn fits(&mut self, job: &Waiting) -> bool {
        let generation = self.generation();
        if self.fields.room(job.field, generation).is_none() {
            let now = self.outlook(job.field).count_now();
            self.fields.note(job.field, generation, now);
        }
        self.fields.room(job.field, generation).is_some_and(|now| now.suffices(job))
    }

    /// Whether a job may fit on what is free now of some nodes.
    pub fn has_room(&mut self, job: &Waiting, nodes: &NodeSet) -> bool {
        self.outlook(job.field).now().suffices(job, nodes)
    }

    /// Begins the search for the start of a job with [`Space::candidate`].
    pub fn begin_search(&mut self) {
        self.cursor.begin();
    }

    /// Returns the first instant, not before `from`, at which a job may have enough nodes: nodes count that no reservation holds until
    /// the job's limit. The search ends when further nodes may be free. Reservations are rounded down to multiples of `step`.
    pub fn candidate(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        table: &NodeSpaceMap,
        from: Time,
        step: Time,
    ) -> Search {
        let mut cursor = std::mem::take(&mut self.cursor);
        let mut outlook = self.outlook(job.field);
        let length = StayLength { full: job.limit, sure: (job.limit - step).max(Time::ZERO) };
        let may_suffice = |nodes: &NodeSet, by| outlook.may_suffice(job, nodes, by);
        let found = table.candidate(nodes, from, length, &mut cursor, may_suffice);
        self.cursor = cursor;
        found
    }

    /// Returns the earliest start of a job on some nodes, were it alone with the running jobs, which stay until their limits;
    /// `None` also if it is after the last instant. The floor is that of [`Space::earliest`].
    pub fn forecast(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        within: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let mut outlook = self.outlook(job.field);
        let found = job.parts(nodes).filter_map(|part| outlook.forecast(job, &part, within, bins));
        found.min_by_key(|forecast| forecast.start)
    }

    /// Returns a bound on the start of a job by limits of running jobs alone, on all its nodes: [`Space::forecast`] is never
    /// earlier, on no subset of the nodes. `None` if it can never start.
    pub fn earliest(&mut self, job: &Waiting, now: Time) -> Option<Time> {
        if self.fits(job) {
            return Some(now);
        }
        let room = self.fields.room(job.field, self.generation())?;
        Some(self.outlook(job.field).earliest(job, room)?.max(now))
    }
}
