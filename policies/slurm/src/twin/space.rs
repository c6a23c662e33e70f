//! What is free on the nodes, and what will be when running jobs reach their limits.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_will_run_test`).

use std::collections::BTreeMap;
use std::sync::Arc;

use batchlab_traces::{JobId, Machine, Time};
use rustc_hash::FxHashMap;

use super::bins::Bins;
use super::choose::{Weights, choose, choose_in, chosen_in, is_plain};
use super::cores::is_reservation;
use super::node_set::NodeSet;
use super::queue::Waiting;
use super::room::{Changes, Count, Horizon, Horizons, Nodes, Places, Room, View};
use super::table::{Length, Search, Sweep, Table};
use super::topology::Tree;
use batchlab_policies::placement::{Placement, Share};
use batchlab_policies::view::JobView;

/// The nodes with what is free on them.
#[derive(Clone, Debug)]
pub(super) struct Space {
    kinds: usize,
    capacity: Vec<i64>,
    free: Vec<i64>,
    weights: Weights,
    /// The switches, if jobs are placed by them.
    tree: Option<Arc<Tree>>,
    /// Running jobs by limit, then identity.
    running: Vec<Running>,
    /// The limits of the running jobs, ascending.
    limits: Vec<Time>,
    /// The limit of each running job.
    ends: BTreeMap<JobId, Time>,
    /// How many jobs are completing on each node: no job starts there.
    completing: Vec<u32>,
    closing: NodeSet,
    /// Nodes with a free processor.
    open: NodeSet,
    /// Counts the changes of what is free or running.
    generation: u64,
    /// The generation of the last change of what is free on each node.
    changed: Vec<u64>,
    log: Changes,
    rooms: Vec<Arc<Room>>,
    /// The number of each room.
    numbers: FxHashMap<Arc<Room>, usize>,
    fields: Vec<Field>,
    /// The number of each field, by room and nodes.
    places: FxHashMap<(usize, Arc<NodeSet>), usize>,
    horizons: Horizons,
    sweep: Sweep,
}

/// A running job.
#[derive(Clone, Debug)]
struct Running {
    /// Its limit.
    end: Time,
    job: JobId,
    user: i64,
    owns: bool,
    places: Places,
}

/// The nodes on which jobs with the same room may run, with the room there.
#[derive(Clone, Debug)]
struct Field {
    room: usize,
    nodes: Arc<NodeSet>,
    /// The generation to which the count belongs.
    generation: u64,
    /// The room on what is free now.
    now: Count,
}

/// When a job could start, and where, given the limits of the running jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Forecast {
    pub(super) start: Time,
    /// `None` if whichever it gets, not all of them are free for long enough.
    pub(super) nodes: Option<NodeSet>,
}

/// When a job may start.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    pub(super) now: Time,
    /// A bound, if it is later than now.
    pub(super) floor: Time,
    /// The last instant.
    pub(super) by: Time,
    /// Returns the nodes that stay free if it starts at an instant; `None` for all.
    pub(super) stay: &'a dyn Fn(Time) -> Option<NodeSet>,
}

impl Space {
    pub(super) fn new(machine: &Machine, weights: Vec<i64>, tree: Option<Arc<Tree>>) -> Space {
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
            sweep: Sweep::default(),
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
    pub(super) fn field(&mut self, job: JobView<'_>, nodes: &Arc<NodeSet>) -> usize {
        let room = Arc::new(Room::of(job.layout(), job.demand()));
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
        let mut places = Places::default();
        for (node, amounts) in nodes {
            places.add(node, amounts);
            let node = node as usize;
            let at = node * self.kinds;
            let taken = &places.amounts[places.amounts.len() - self.kinds..];
            self.free[at..at + self.kinds].iter_mut().zip(taken).for_each(|(free, amount)| *free -= amount);
            self.note(node);
        }
        let at = self.position(end, job);
        self.running.insert(at, Running { end, job, user, owns, places });
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
        let Running { places, .. } = self.running.remove(at);
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
        let Running { user, owns, places, .. } = self.running[self.position(limit, job)].clone();
        self.end(job, false);
        let nodes = places.iter(self.kinds).map(|(node, amounts)| (node as u32, amounts.to_vec()));
        self.put((job, user), nodes, end, owns);
    }

    /// Returns the running jobs with one of some nodes, each with the number of all its nodes.
    pub(super) fn running_on(&self, nodes: Arc<NodeSet>) -> impl Iterator<Item = (JobId, usize)> {
        let is_on = move |running: &&Running| !is_reservation(running.job) && running.places.meets(&nodes);
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

    /// Returns the nodes that a job gets now of some nodes; `None` if they do not suffice.
    pub(super) fn now(&mut self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let mut usable = nodes.clone();
        usable.subtract(&self.closing);
        self.now_or_completing(job, &usable)
    }

    /// As [`Space::now`], on completing nodes too.
    pub(super) fn now_or_completing(&mut self, job: &Waiting, usable: &NodeSet) -> Option<Placement> {
        let number = self.fields[job.field].room;
        let mut horizon = self.horizon(number);
        let view = horizon.view(0);
        let found = job.parts(usable).find_map(|part| {
            if !view.suffices(job, &part) {
                return None;
            }
            if job.least_loaded {
                self.choose_least_loaded(job, &part)
            } else {
                self.choose_in(view, job, &part)
            }
        });
        self.horizons.put(number, horizon);
        found
    }

    /// Whether a job could be placed on its nodes if no other job were there.
    pub(super) fn reaches(&self, job: &Waiting) -> bool {
        let tasks = |node: usize| self.tasks_if_empty(job, node);
        let patient = Waiting { most_leaves: job.most_leaves.map(|_| i64::MAX), ..job.clone() };
        let all = |node: usize| (self.capacity[node * self.kinds], self.capacity[node * self.kinds]);
        let found = |part: &NodeSet| match self.tree(job) {
            Some(tree) => tree.choose(&self.weights, &patient, part.iter(), tasks),
            None => choose(&self.weights, job, part.iter(), tasks, all),
        };
        job.parts(&job.nodes).any(|part| found(&part).is_some())
    }

    /// Returns the least number of nodes, from what a job asks for to `most`, on which it could be if no other job were there.
    pub(super) fn least_nodes(&self, job: &Waiting, most: i64) -> i64 {
        let suffices = |part: &NodeSet| {
            let room = part.iter().map(|node| self.tasks_if_empty(job, node));
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

    /// Returns how many whole tasks of a job an empty node has room for, and whether a smaller one fits beside them.
    fn tasks_if_empty(&self, job: &Waiting, node: usize) -> (i64, bool) {
        let capacity = &self.capacity[node * self.kinds..(node + 1) * self.kinds];
        self.rooms[self.fields[job.field].room].tasks(capacity, capacity)
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

    /// Returns the first instant, not before `from`, from which the nodes that are not reserved for as long as a job's limit may
    /// be enough by the instant when further nodes may be free. Reservations are rounded down to multiples of `step`.
    pub(super) fn candidate(&mut self, job: &Waiting, table: &Table, from: Time, step: Time) -> Search {
        let number = self.fields[job.field].room;
        let mut horizon = self.horizon(number);
        let room = &self.rooms[number];
        let mut sweep = std::mem::take(&mut self.sweep);
        let length = Length { full: job.limit, sure: (job.limit - step).max(Time::ZERO) };
        let found = table.candidate(&job.nodes, from, length, &mut sweep, |nodes, by| {
            let ended = horizon.ended_by(&self.limits, by);
            self.extend(&mut horizon, room, ended);
            horizon.view(ended).suffices(job, nodes)
        });
        self.sweep = sweep;
        self.horizons.put(number, horizon);
        found
    }

    /// Returns the earliest start of a job on some nodes, were it alone with the running jobs, which stay until their limits;
    /// `None` also if it is after `by`. The floor is that of [`Space::earliest`].
    pub(super) fn forecast(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        within: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let number = self.fields[job.field].room;
        let mut horizon = self.horizon(number);
        let room = &self.rooms[number];
        let found = job
            .parts(nodes)
            .filter_map(|part| self.found(&mut horizon, room, job, &part, within, bins))
            .min_by_key(|forecast| forecast.start);
        self.horizons.put(number, horizon);
        found
    }

    fn found(
        &self,
        horizon: &mut Horizon,
        room: &Room,
        job: &Waiting,
        nodes: &NodeSet,
        within: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let view = horizon.view(0);
        if within.floor <= within.now
            && view.suffices(job, nodes)
            && let Some(nodes) = self.chosen_in(view, job, nodes)
        {
            return Some(Forecast { start: within.now, nodes: Some(nodes) });
        }
        self.later(horizon, room, job, nodes, within, bins)
    }

    fn horizon(&mut self, room: usize) -> Box<Horizon> {
        let mut horizons = std::mem::take(&mut self.horizons);
        let horizon = horizons.take(room, &self.rooms[room], self.as_nodes());
        self.horizons = horizons;
        horizon
    }

    fn as_nodes(&self) -> Nodes<'_> {
        Nodes {
            kinds: self.kinds,
            capacity: &self.capacity,
            free: &self.free,
            changed: &self.changed,
            log: &self.log,
            generation: self.generation,
        }
    }

    /// Makes a horizon reach until so many of the running jobs have ended.
    fn extend(&self, horizon: &mut Horizon, room: &Room, ended: usize) {
        for running in self.running.get(horizon.reach()..ended).unwrap_or_default() {
            horizon.extend((running.end, running.job), &running.places, room, self.as_nodes());
        }
    }

    /// Lets running jobs end, bin by bin, until a job fits.
    fn later(
        &self,
        horizon: &mut Horizon,
        room: &Room,
        job: &Waiting,
        nodes: &NodeSet,
        Within { floor, now, by, stay }: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let touches = |at: usize| self.running[at].places.meets(nodes);
        // There is ever more room: often not even the last bin has enough.
        let most = bins.most_ended(&self.limits, touches, by, |at| horizon.ended_by(&self.limits, at));
        self.extend(horizon, room, most);
        if !horizon.view(most).suffices(job, nodes) {
            return None;
        }
        let ends = bins.ends(&self.limits, touches, by, |at| horizon.ended_by(&self.limits, at));
        let &(_, whole) = ends.last()?;
        if whole != most {
            self.extend(horizon, room, whole);
            if !horizon.view(whole).suffices(job, nodes) {
                return None;
            }
        }
        let early = ends.partition_point(|&(last, _)| last < floor && now < floor);
        let ends = ends.get(early..)?;
        let first =
            ends.partition_point(|&(_, ended)| ended < whole && !horizon.view(ended).suffices(job, nodes));
        ends[first..].iter().find_map(|&(last, ended)| {
            let soon = now + Time::SECOND;
            // An overdue job of select/linear is expected to be gone at once.
            let overdue = if bins.single { soon } else { (last + bins.overtime).max(soon) };
            let start = if last > now { last } else { overdue };
            let view = horizon.view(ended);
            if self.is_plain(job) && stay(start).is_some_and(|stay| !view.suffices(job, &stay)) {
                return Some(Forecast { start, nodes: None });
            }
            Some(Forecast { start, nodes: Some(self.chosen_in(view, job, nodes)?) })
        })
    }

    /// Returns a bound on the start of a job by limits of running jobs alone, on all its nodes: [`Space::forecast`] is never
    /// earlier, on no subset of the nodes. `None` if it can never start.
    pub(super) fn earliest(&mut self, job: &Waiting, now: Time) -> Option<Time> {
        if self.fits(job) {
            return Some(now);
        }
        let field = &self.fields[job.field];
        let (number, nodes, mut count) = (field.room, field.nodes.clone(), field.now);
        let mut horizon = self.horizon(number);
        let mut after = std::mem::take(horizon.after(job.field));
        // There is ever more room.
        let mut ended = after.partition_point(|count| !count.suffices(job));
        if ended == after.len() {
            count = after.last().copied().unwrap_or(count);
            while ended < self.running.len() {
                self.extend(&mut horizon, &self.rooms[number], ended + 1);
                count += horizon.ending(ended, &nodes);
                after.push(count);
                if count.suffices(job) {
                    break;
                }
                ended += 1;
            }
        }
        *horizon.after(job.field) = after;
        self.horizons.put(number, horizon);
        self.running.get(ended).map(|running| running.end.max(now))
    }

    /// Returns the switches by which a job is placed, if it is.
    fn tree(&self, job: &Waiting) -> Option<&Tree> {
        self.tree.as_deref().filter(|tree| !job.least_loaded && tree.places(job))
    }

    /// Chooses of some nodes by the room at an instant.
    fn choose_in(&self, view: &View, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        if let Some(tree) = self.tree(job) {
            return tree.choose(&self.weights, job, nodes.iter(), |node| view.tasks(node));
        }
        if self.weights.differ() || job.least_loaded {
            // Of what is free later only the tasks are known.
            let spare =
                |node: usize| (view.tasks(node).0 * job.layout.task, self.capacity[node * self.kinds]);
            return choose(&self.weights, job, nodes.iter(), |node| view.tasks(node), spare);
        }
        choose_in(view, job, nodes)
    }

    /// Whether any nodes with enough room will do for a job, each as well as the others.
    fn is_plain(&self, job: &Waiting) -> bool {
        is_plain(job) && self.tree(job).is_none() && !self.weights.differ()
    }

    /// Returns the nodes that [`Space::choose_in`] chooses.
    fn chosen_in(&self, view: &View, job: &Waiting, nodes: &NodeSet) -> Option<NodeSet> {
        if self.is_plain(job) {
            return chosen_in(view, job, nodes);
        }
        self.choose_in(view, job, nodes).map(|placement| nodes.same_size().with(&placement))
    }

    /// Chooses the least loaded of some nodes by what is free now, the processors beside those of whole tasks included.
    fn choose_least_loaded(&self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let room = &self.rooms[self.fields[job.field].room];
        let tasks = |node: usize| {
            let at = node * self.kinds..(node + 1) * self.kinds;
            room.tasks(&self.free[at.clone()], &self.capacity[at])
        };
        let spare = |node: usize| (self.free[node * self.kinds], self.capacity[node * self.kinds]);
        choose(&self.weights, job, nodes.both(&self.open), tasks, spare)
    }
}
