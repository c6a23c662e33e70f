//! What is free on the nodes, and the jobs that run there.

use std::collections::BTreeMap;
use std::sync::Arc;

use batchlab_traces::{JobId, Machine, Time};
use rustc_hash::FxHashMap;

use super::blocks::SlotCursor;
use super::choose::Weights;
use super::horizon::{Changes, Horizon, Horizons, Nodes};
use super::node_set::NodeSet;
use super::queue::Waiting;
use super::room::{Count, FirstNodes, HeldNodes, TaskShape};
use super::topology::SwitchTree;
use batchlab_policies::placement::{Placement, Share};
use batchlab_policies::view::JobView;

/// The nodes with what is free on them.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) kinds: usize,
    pub(super) capacity: Vec<i64>,
    pub(super) free: Vec<i64>,
    pub(super) weights: Weights,
    /// The switches, if jobs are placed by them.
    pub(super) tree: Option<Arc<SwitchTree>>,
    /// Running jobs by limit, then identity.
    pub(super) running: Vec<RunningJob>,
    /// The limits of the running jobs, ascending.
    pub(super) limits: Vec<Time>,
    /// The first nodes of the running jobs, in the same order.
    first_nodes: Vec<FirstNodes>,
    /// The limit of each running job.
    ends: BTreeMap<JobId, Time>,
    /// How many jobs are completing on each node: no job starts there.
    completing: Vec<u32>,
    pub(super) closing: NodeSet,
    /// Nodes with a free processor.
    pub(super) open: NodeSet,
    /// Counts the changes of what is free or running.
    pub(super) generation: u64,
    /// The generation of the last change of what is free on each node.
    changed: Vec<u64>,
    log: Changes,
    pub(super) rooms: Vec<Arc<TaskShape>>,
    /// The number of each room.
    numbers: FxHashMap<Arc<TaskShape>, usize>,
    pub(super) fields: Vec<Field>,
    /// The number of each field, by room and nodes.
    places: FxHashMap<(usize, Arc<NodeSet>), usize>,
    pub(super) horizons: Horizons,
    pub(super) sweep: SlotCursor,
}

/// A running job.
#[derive(Clone, Debug)]
pub(super) struct RunningJob {
    /// Its limit.
    pub(super) end: Time,
    pub(super) job: JobId,
    user: i64,
    owns: bool,
    pub(super) places: HeldNodes,
}

/// The nodes on which jobs with the same room may run, with the room there.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) room: usize,
    pub(super) nodes: Arc<NodeSet>,
    /// The generation to which the count belongs.
    generation: u64,
    /// The room on what is free now.
    pub(super) now: Count,
}

impl Space {
    pub(super) fn new(machine: &Machine, weights: Vec<i64>, tree: Option<Arc<SwitchTree>>) -> Space {
        let nodes = machine.nodes();
        let capacity: Vec<i64> = (0..nodes).flat_map(|node| machine.capacity(node).to_vec()).collect();
        let open = NodeSet::of(nodes, |_| true);
        Space {
            kinds: machine.kinds(),
            free: capacity.clone(),
            weights: Weights::of(weights),
            tree,
            running: Vec::new(),
            limits: Vec::new(),
            first_nodes: Vec::new(),
            ends: BTreeMap::new(),
            completing: vec![0; nodes],
            closing: NodeSet::empty(nodes),
            open,
            capacity,
            generation: 1,
            changed: vec![1; nodes],
            log: Changes::default(),
            rooms: Vec::new(),
            numbers: FxHashMap::default(),
            fields: Vec::new(),
            places: FxHashMap::default(),
            horizons: Horizons::default(),
            sweep: SlotCursor::default(),
        }
    }

    /// Returns a number that is another one after each change of what is free or running.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn nodes(&self) -> usize {
        self.completing.len()
    }

    /// Returns the nodes on which jobs are completing.
    pub(super) fn closing(&self) -> &NodeSet {
        &self.closing
    }

    /// Returns the number of the field of a job: its room on its nodes.
    pub(super) fn field(&mut self, room: Arc<TaskShape>, nodes: &Arc<NodeSet>) -> usize {
        let next = self.rooms.len();
        let number = *self.numbers.entry(room.clone()).or_insert(next);
        if number == next {
            self.rooms.push(room);
        }
        let next = self.fields.len();
        let field = *self.places.entry((number, nodes.clone())).or_insert(next);
        if field == next {
            let now = Count::default();
            self.fields.push(Field { room: number, nodes: nodes.clone(), generation: 0, now });
        }
        field
    }

    /// Sets what is free on a node, after a change of its capacity.
    pub(super) fn set_free(&mut self, node: usize, free: &[i64]) {
        self.generation += 1;
        self.free[node * self.kinds..(node + 1) * self.kinds].copy_from_slice(free);
        self.note(node);
    }

    /// Takes up what is free on a node now.
    fn note(&mut self, node: usize) {
        self.changed[node] = self.generation;
        self.log.note(node);
        self.open.set(node, self.free[node * self.kinds] > 0);
    }

    /// Puts a job on its nodes until its limit; if it `owns` them, jobs of other users have no place there.
    pub(super) fn start(&mut self, job: JobView<'_>, placement: &Placement, end: Time, owns: bool) {
        let amounts = self.amounts(job, placement);
        self.put((job.id(), job.user()), amounts.into_iter(), end, owns);
    }

    /// Returns what a job holds on its nodes: the amounts of each resource.
    pub(super) fn amounts(&self, job: JobView<'_>, placement: &Placement) -> Vec<(u32, Vec<i64>)> {
        let of = |share: &Share| {
            let at = share.node as usize * self.kinds;
            let held = |kind| job.held_on(kind, share.procs, self.capacity[at + kind]);
            (share.node, (0..self.kinds).map(held).collect())
        };
        placement.0.iter().map(of).collect()
    }

    /// Whether what a job holds on its nodes is free there.
    pub(super) fn has_free(&self, job: JobView<'_>, placement: &Placement) -> bool {
        self.amounts(job, placement).iter().all(|(node, amounts)| {
            let free = &self.free[*node as usize * self.kinds..];
            amounts.iter().zip(free).all(|(amount, free)| amount <= free)
        })
    }

    /// Puts a job of a user on its nodes, with what it holds there, until its limit.
    pub(super) fn put(
        &mut self,
        (job, user): (JobId, i64),
        nodes: impl Iterator<Item = (u32, Vec<i64>)>,
        end: Time,
        owns: bool,
    ) {
        self.generation += 1;
        let mut places = HeldNodes::default();
        for (node, amounts) in nodes {
            places.add(node, amounts);
            let node = node as usize;
            let at = node * self.kinds;
            let taken = &places.amounts[places.amounts.len() - self.kinds..];
            self.free[at..at + self.kinds].iter_mut().zip(taken).for_each(|(free, amount)| *free -= amount);
            self.note(node);
        }
        let at = self.position(end, job);
        self.first_nodes.insert(at, places.first_nodes());
        self.running.insert(at, RunningJob { end, job, user, owns, places });
        self.limits.insert(at, end);
        self.ends.insert(job, end);
    }

    /// Returns the processors that are free on a node.
    pub(super) fn free_procs(&self, node: usize) -> i64 {
        self.free[node * self.kinds]
    }

    /// Puts a reservation on its nodes until its end, with the processors that it holds there.
    pub(super) fn hold(&mut self, reservation: JobId, held: &[(u32, i64)], end: Time) {
        let amounts = |procs: i64| (0..self.kinds).map(|kind| if kind == 0 { procs } else { 0 }).collect();
        let nodes: Vec<(u32, Vec<i64>)> = held.iter().map(|&(node, procs)| (node, amounts(procs))).collect();
        self.put((reservation, i64::MIN), nodes.into_iter(), end, false);
    }

    /// Returns where a job is, or would be, among the running ones.
    fn position(&self, end: Time, job: JobId) -> usize {
        self.running.partition_point(|other| (other.end, other.job) < (end, job))
    }

    /// Takes a job off its nodes, which complete from now on if `completes`. Returns the nodes.
    pub(super) fn end(&mut self, job: JobId, completes: bool) -> Option<Vec<u32>> {
        let end = self.ends.remove(&job)?;
        self.generation += 1;
        let at = self.position(end, job);
        self.limits.remove(at);
        self.first_nodes.remove(at);
        let RunningJob { places, .. } = self.running.remove(at);
        for (node, amounts) in places.iter(self.kinds) {
            for (free, amount) in self.free[node * self.kinds..].iter_mut().zip(amounts) {
                *free += amount;
            }
            self.note(node);
            if completes {
                self.completing[node] += 1;
                self.closing.insert(node);
            }
        }
        Some(places.nodes)
    }

    /// Lets a running job end by an instant, if its limit is later.
    pub(super) fn ends_by(&mut self, job: JobId, end: Time) {
        let Some(&limit) = self.ends.get(&job).filter(|&&limit| limit > end) else { return };
        let RunningJob { user, owns, places, .. } = self.running[self.position(limit, job)].clone();
        self.end(job, false);
        let nodes = places.iter(self.kinds).map(|(node, amounts)| (node as u32, amounts.to_vec()));
        self.put((job, user), nodes, end, owns);
    }

    /// Returns the running jobs with one of some nodes, each with the number of all its nodes.
    pub(super) fn running_on(&self, nodes: Arc<NodeSet>) -> impl Iterator<Item = (JobId, usize)> {
        let is_on = move |running: &&RunningJob| !is_reservation(running.job) && running.places.meets(&nodes);
        let on = self.running.iter().filter(is_on);
        on.map(|running| (running.job, running.places.nodes.len()))
    }

    /// Returns the nodes that a job of a user has to leave to other users: those that these own, or all on which they have jobs if
    /// it would own them itself. O(nodes of the running jobs).
    pub(super) fn of_others(&self, user: i64, owns: bool) -> NodeSet {
        let mut nodes = NodeSet::empty(self.nodes());
        let others = self.running.iter().filter(|other| other.user != user && (owns || other.owns));
        for &node in others.flat_map(|other| &other.places.nodes) {
            nodes.insert(node as usize);
        }
        nodes
    }

    /// Returns how many of some nodes a running job has.
    pub(super) fn nodes_in(&self, job: JobId, nodes: &NodeSet) -> usize {
        let running = self.ends.get(&job).and_then(|&end| self.running.get(self.position(end, job)));
        running.map_or(0, |running| {
            running.places.nodes.iter().filter(|&&node| nodes.has(node as usize)).count()
        })
    }

    /// The nodes of a job have completed.
    pub(super) fn completed(&mut self, nodes: &[u32]) {
        for node in nodes.iter().map(|&node| node as usize) {
            self.completing[node] -= 1;
            if self.completing[node] == 0 {
                self.closing.remove(node);
            }
        }
    }

    /// Whether a running job, by its place among them, has one of some nodes.
    #[inline]
    pub(super) fn touches(&self, at: usize, nodes: &NodeSet) -> bool {
        let first = self.first_nodes[at];
        first.meet(nodes) || !first.are_all && self.running[at].places.meets(nodes)
    }

    /// Whether no job runs.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty()
    }

    /// Whether a job fits on what is free of all its nodes, completing ones included. O(1) for a field that was asked about
    /// since the last change.
    pub(super) fn fits(&mut self, job: &Waiting) -> bool {
        if self.fields[job.field].generation != self.generation {
            let room = self.fields[job.field].room;
            let mut horizon = self.horizon(room);
            let field = &mut self.fields[job.field];
            (field.generation, field.now) = (self.generation, horizon.view(0).count(&field.nodes));
            self.horizons.put(room, horizon);
        }
        self.fields[job.field].now.suffices(job)
    }

    /// Whether a job may fit on what is free now of some nodes.
    pub(super) fn has_room(&mut self, job: &Waiting, nodes: &NodeSet) -> bool {
        let room = self.fields[job.field].room;
        let mut horizon = self.horizon(room);
        let suffices = horizon.view(0).suffices(job, nodes);
        self.horizons.put(room, horizon);
        suffices
    }

    /// Begins the search for the start of a job with [`Space::candidate`].
    pub(super) fn begin_search(&mut self) {
        self.sweep.begin();
    }

    pub(super) fn horizon(&mut self, room: usize) -> Box<Horizon> {
        let mut horizons = std::mem::take(&mut self.horizons);
        let horizon = horizons.take(room, &self.rooms[room], self.as_nodes());
        self.horizons = horizons;
        horizon
    }

    pub(super) fn as_nodes(&self) -> Nodes<'_> {
        Nodes {
            kinds: self.kinds,
            capacity: &self.capacity,
            free: &self.free,
            changed: &self.changed,
            log: &self.log,
            generation: self.generation,
        }
    }
}

/// The first of the numbers that stand for reservations among running jobs; no log has so many jobs.
pub(super) const FIRST: u32 = u32::MAX - (1 << 20);

/// Whether a number stands for a reservation.
fn is_reservation(job: JobId) -> bool {
    job.0 >= FIRST
}
