//! What is free on the nodes, and what will be when running jobs reach their limits.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_will_run_test`).

use std::collections::BTreeMap;
use std::sync::Arc;

use batchlab_traces::{JobId, Machine, Time};
use rustc_hash::FxHashMap;

use super::choose::{Weights, choose, choose_in};
use super::node_set::NodeSet;
use super::queue::Waiting;
use super::room::{Count, Horizon, Horizons, Nodes, Places, Room, View};
use super::table::{Length, Search, Sweep, Table};
use super::topology::Tree;
use crate::placement::{Placement, Share};
use crate::view::JobView;

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
    pub(super) placement: Placement,
}

/// The bins in which the ends of running jobs are considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bins {
    /// Whether each end is considered by itself (`select/linear`).
    pub(super) single: bool,
    /// By how much a bin is longer than the one before; zero for doubling.
    pub(super) step: Time,
    /// Instant of the log's zero, in seconds since 1970, to which bins are aligned.
    pub(super) epoch: i64,
    /// How long after its limit a job is expected to be gone (`KillWait`, `OverTimeLimit`).
    pub(super) overtime: Time,
}

/// The width of the first bin.
const FIRST_BIN: Time = Time::from_secs(30);

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
        let on = self.running.iter().filter(move |running| running.places.meets(&nodes));
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
        let Some(tree) = self.tree(job) else { return true };
        let room = &self.rooms[self.fields[job.field].room];
        let tasks = |node: usize| {
            let at = node * self.kinds..(node + 1) * self.kinds;
            room.tasks(&self.capacity[at.clone()], &self.capacity[at])
        };
        let patient = Waiting { most_leaves: job.most_leaves.map(|_| i64::MAX), ..job.clone() };
        job.parts(&job.nodes).any(|part| tree.choose(&self.weights, &patient, part.iter(), tasks).is_some())
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
        let (room, mut horizon) = (self.rooms[number].clone(), self.horizon(number));
        let mut sweep = std::mem::take(&mut self.sweep);
        let length = Length { full: job.limit, sure: (job.limit - step).max(Time::ZERO) };
        let found = table.candidate(&job.nodes, from, length, &mut sweep, |nodes, by| {
            let ended = self.limits.partition_point(|limit| *limit <= by);
            self.extend(&mut horizon, &room, ended);
            horizon.view(ended).suffices(job, nodes)
        });
        self.sweep = sweep;
        self.horizons.put(number, horizon);
        found
    }

    /// Returns the earliest start of a job on some nodes, were it alone with the running jobs, which stay until their limits;
    /// `None` also if it is after `by`.
    pub(super) fn forecast(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        by: Time,
        now: Time,
        bins: Bins,
    ) -> Option<Forecast> {
        let number = self.fields[job.field].room;
        let (room, mut horizon) = (self.rooms[number].clone(), self.horizon(number));
        let found = job
            .parts(nodes)
            .filter_map(|part| self.found(&mut horizon, &room, job, &part, (now, by), bins))
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
        (now, by): (Time, Time),
        bins: Bins,
    ) -> Option<Forecast> {
        let view = horizon.view(0);
        if view.suffices(job, nodes)
            && let Some(placement) = self.choose_in(view, job, nodes)
        {
            return Some(Forecast { start: now, placement });
        }
        self.later(horizon, room, job, nodes, (now, by), bins)
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
        (now, by): (Time, Time),
        bins: Bins,
    ) -> Option<Forecast> {
        let ends = self.ends(nodes, by, bins);
        // There is ever more room: often not even the last bin has enough.
        let &(_, most) = ends.last()?;
        self.extend(horizon, room, most);
        if !horizon.view(most).suffices(job, nodes) {
            return None;
        }
        let first = ends.partition_point(|&(_, ended)| !horizon.view(ended).suffices(job, nodes));
        ends[first..].iter().find_map(|&(last, ended)| {
            let placement = self.choose_in(horizon.view(ended), job, nodes)?;
            let soon = now + Time::SECOND;
            // An overdue job of select/linear is expected to be gone at once.
            let overdue = if bins.single { soon } else { (last + bins.overtime).max(soon) };
            let start = if last > now { last } else { overdue };
            Some(Forecast { start, placement })
        })
    }

    /// Returns the bins of the running jobs on some nodes, as far as all of their jobs reach their limits by an instant: the
    /// last of these limits, and how many of all running jobs have ended then.
    fn ends(&self, nodes: &NodeSet, by: Time, bins: Bins) -> Vec<(Time, usize)> {
        let running = &self.running[..];
        let touches = |running: &Running| running.places.meets(nodes);
        // The first running job from a place on that has some of the nodes.
        let from = |at: usize| running[at..].iter().position(touches).map(|next| at + next);
        let (mut ends, mut window, mut next) = (Vec::new(), Window::new(bins), from(0));
        // Each bin begins with the next running job that has some of the nodes.
        while let Some(first) = next.filter(|&next| running[next].end <= by) {
            window.begin(running[first].end);
            // Behind a job with the nodes, the bin ends if the next job of all is too late for it: jobs on other nodes are
            // passed over without a look at their ends.
            let behind = first + self.limits[first..].partition_point(|&limit| window.holds(Some(limit)));
            let sought = from(first.max(behind.saturating_sub(1)));
            let last =
                sought.or_else(|| running[first..behind].iter().rposition(touches).map(|at| first + at));
            let last = last.unwrap_or(first);
            if running[last].end > by {
                break;
            }
            let at = sought.map_or(running.len(), |sought| sought + 1);
            // What ends in the bin beside the nodes changes nothing on them: few instants serve all of their subsets.
            ends.push((running[last].end, behind.max(last + 1)));
            window.grow(running.get(at).map(|next| next.end));
            next = from(at);
        }
        ends
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

/// The bin in which running jobs end together, while a job looks for its start: all bins end the width of the time since the
/// end of the first job, which is rounded up to a multiple of the first width. The widths grow.
struct Window {
    bins: Bins,
    /// The rounded end of the first job.
    origin: Option<Time>,
    width: Time,
}

impl Window {
    fn new(bins: Bins) -> Window {
        Window { bins, origin: None, width: FIRST_BIN }
    }

    /// A bin begins with a job's end.
    fn begin(&mut self, end: Time) {
        let absolute =
            i128::from(end.ticks()) + i128::from(self.bins.epoch) * i128::from(Time::SECOND.ticks());
        let past = absolute.rem_euclid(i128::from(FIRST_BIN.ticks())) as i64;
        self.origin.get_or_insert(end + FIRST_BIN - Time::from_ticks(past));
    }

    /// Whether the next job, by its end, belongs to the bin.
    fn holds(&self, next: Option<Time>) -> bool {
        let until = self.origin.map(|origin| origin + self.width);
        !self.bins.single && next.is_some_and(|next| until.is_some_and(|until| next <= until))
    }

    /// Makes the next bin so wide that it holds the next job.
    fn grow(&mut self, next: Option<Time>) {
        while !self.bins.single {
            self.width += if self.bins.step > Time::ZERO { self.bins.step } else { self.width };
            if next.is_none() || self.holds(next) || self.width > Time::from_secs(1 << 30) {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_aligned_with_the_first_end_and_grow() {
        let bins = Bins { single: false, step: Time::ZERO, epoch: 10, overtime: Time::ZERO };
        let at = |secs: i64| Some(Time::from_secs(secs));
        let mut window = Window::new(bins);
        // 25 s after the zero is 35 s after the epoch: it is rounded up to 60 s there, and the first bin ends 30 s later.
        window.begin(Time::from_secs(25));
        assert_eq!([80, 81].map(|end| window.holds(at(end))), [true, false]);
        // The second bin ends 60 s after the rounded end, wherever it begins.
        window.grow(at(100));
        window.begin(Time::from_secs(100));
        assert_eq!([110, 111].map(|end| window.holds(at(end))), [true, false]);
        // A bin without a job is passed over.
        window.grow(at(171));
        assert_eq!([290, 291].map(|end| window.holds(at(end))), [true, false]);
    }
}
