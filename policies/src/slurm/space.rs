//! What is free on the nodes, what will be when running jobs reach their limits, and which nodes a job gets.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_eval_nodes`, `_will_run_test`): of the runs
//! of consecutive nodes with room, the tightest that suffices; without one, the largest, and so on.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use batchlab_traces::{JobId, Layout, Machine, Time};

use super::node_set::NodeSet;
use super::queue::Waiting;
use super::room::{Count, Horizon, Horizons, Nodes, Places, Room, View};
use super::table::{Length, Search, Table};
use crate::placement::{Placement, Share};
use crate::view::JobView;

/// The nodes with what is free on them.
#[derive(Clone, Debug)]
pub(super) struct Space {
    kinds: usize,
    capacity: Vec<i64>,
    free: Vec<i64>,
    weights: Vec<i64>,
    /// The different weights, ascending.
    tiers: Vec<i64>,
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
    numbers: HashMap<Arc<Room>, usize>,
    fields: Vec<Field>,
    /// The number of each field, by room and nodes.
    places: HashMap<(usize, Arc<NodeSet>), usize>,
    horizons: Horizons,
    scratch: Vec<NodeSet>,
}

/// A running job.
#[derive(Clone, Debug)]
struct Running {
    /// Its limit.
    end: Time,
    job: JobId,
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
    pub(super) fn new(machine: &Machine, weights: Vec<i64>) -> Space {
        let nodes = machine.nodes();
        let capacity: Vec<i64> = (0..nodes).flat_map(|node| machine.capacity(node).to_vec()).collect();
        let mut tiers = weights.clone();
        tiers.sort_unstable();
        tiers.dedup();
        let open = NodeSet::of(nodes, |_| true);
        Space {
            kinds: machine.kinds(),
            free: capacity.clone(),
            weights,
            tiers,
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
            numbers: HashMap::new(),
            fields: Vec::new(),
            places: HashMap::new(),
            horizons: Horizons::default(),
            scratch: Vec::new(),
        }
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

    /// Puts a job on its nodes until its limit.
    pub(super) fn start(&mut self, job: JobView<'_>, placement: &Placement, end: Time) {
        self.generation += 1;
        let mut places = Places::default();
        for share in &placement.0 {
            let node = share.node as usize;
            let at = node * self.kinds;
            let capacity = &self.capacity;
            let amounts = (0..self.kinds).map(|kind| job.held_on(kind, share.procs, capacity[at + kind]));
            places.add(share.node, amounts);
            let taken = &places.amounts[places.amounts.len() - self.kinds..];
            self.free[at..at + self.kinds].iter_mut().zip(taken).for_each(|(free, amount)| *free -= amount);
            self.note(node);
        }
        let at = self.position(end, job.id());
        self.running.insert(at, Running { end, job: job.id(), places });
        self.limits.insert(at, end);
        self.ends.insert(job.id(), end);
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
    pub(super) fn now(&self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let mut usable = nodes.clone();
        usable.subtract(&self.closing);
        self.choose_now(job, &usable)
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

    /// Returns the first instant, not before `from`, from which the nodes that are not reserved for as long as a job's limit may
    /// be enough by the instant when further nodes may be free. Reservations are rounded down to multiples of `step`.
    pub(super) fn candidate(&mut self, job: &Waiting, table: &Table, from: Time, step: Time) -> Search {
        let number = self.fields[job.field].room;
        let (room, mut horizon) = (self.rooms[number].clone(), self.horizon(number));
        let mut scratch = std::mem::take(&mut self.scratch);
        let length = Length { full: job.limit, sure: (job.limit - step).max(Time::ZERO) };
        let found = table.candidate(&job.nodes, from, length, &mut scratch, |nodes, by| {
            let ended = self.limits.partition_point(|limit| *limit <= by);
            self.extend(&mut horizon, &room, ended);
            horizon.view(ended).suffices(job, nodes)
        });
        self.scratch = scratch;
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
        let found = self.found(&mut horizon, &room, job, nodes, (now, by), bins);
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
            running: self.running.len(),
            changed: &self.changed,
            generation: self.generation,
        }
    }

    /// Makes a horizon reach until so many of the running jobs have ended.
    fn extend(&self, horizon: &mut Horizon, room: &Room, ended: usize) {
        for running in self.running.get(horizon.reach()..ended).unwrap_or_default() {
            horizon.extend(running.job, &running.places, room, self.as_nodes());
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

    /// Chooses of some nodes by the room at an instant.
    fn choose_in(&self, view: &View, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let layout = &job.layout;
        if self.tiers.len() > 1 || job.asked > 0 || layout.rests > 0 {
            return self.choose(job, nodes.iter(), |node| view.tasks(node));
        }
        let (mut runs, mut whole) = (Vec::new(), 0);
        view.runs(nodes, |from, to, tasks| {
            runs.push((from, to, tasks));
            whole += tasks;
        });
        if !layout.is_enough(whole, 0) {
            return None;
        }
        let of = |node: usize| (node, view.tasks(node).0, false);
        fill(runs, of, layout, 0)
    }

    /// Chooses of some nodes by what is free now.
    fn choose_now(&self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let room = &self.rooms[self.fields[job.field].room];
        self.choose(job, nodes.both(&self.open), |node| {
            let at = node * self.kinds..(node + 1) * self.kinds;
            room.tasks(&self.free[at.clone()], &self.capacity[at])
        })
    }

    /// Chooses nodes: those of the smallest weights that suffice, among them by runs of consecutive nodes.
    fn choose(
        &self,
        job: &Waiting,
        nodes: impl Iterator<Item = usize>,
        of: impl Fn(usize) -> (i64, bool),
    ) -> Option<Placement> {
        let layout = &job.layout;
        let mut room: Vec<(usize, i64, bool)> = Vec::new();
        let (mut whole, mut beside) = (0_i64, 0_i64);
        for node in nodes {
            let (tasks, rest) = of(node);
            if tasks > 0 || rest {
                whole += tasks;
                beside += i64::from(rest);
                room.push((node, tasks, rest));
            }
        }
        if !layout.is_enough(whole, beside) || (room.len() as i64) < job.asked {
            return None;
        }
        if self.tiers.len() > 1 {
            for most in &self.tiers {
                let cheap = |&&(node, ..): &&(usize, i64, bool)| self.weights[node] <= *most;
                let tasks = room.iter().filter(cheap).fold(0_i64, |sum, room| sum.saturating_add(room.1));
                let rests = room.iter().filter(cheap).filter(|room| room.2).count() as i64;
                let nodes = room.iter().filter(cheap).count() as i64;
                if layout.is_enough(tasks, rests) && nodes >= job.asked {
                    room.retain(|room| self.weights[room.0] <= *most);
                    break;
                }
            }
        }
        let found = place(&room, layout, job.asked);
        if found.is_some() || job.asked == 0 {
            return found;
        }
        // With too few tasks on some of so many nodes: without the nodes of the least room.
        while let Some(least) = room.iter().map(|room| room.1).min() {
            room.retain(|room| room.1 > least);
            let found = place(&room, layout, job.asked);
            if found.is_some() {
                return found;
            }
        }
        None
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

/// Places the tasks of a job on nodes with room, ascending: each with its whole tasks, and whether a smaller one fits beside.
fn place(room: &[(usize, i64, bool)], layout: &Layout, asked: i64) -> Option<Placement> {
    // Runs as ranges of `room`, with the tasks for which they have room.
    let mut runs: Vec<(usize, usize, i64)> = Vec::new();
    for (at, &(node, tasks, rest)) in room.iter().enumerate() {
        let tasks = tasks.saturating_add(i64::from(rest));
        match runs.last_mut() {
            Some((_, end, sum)) if room[*end - 1].0 + 1 == node => {
                *end = at + 1;
                *sum = sum.saturating_add(tasks);
            }
            _ => runs.push((at, at + 1, tasks)),
        }
    }
    fill(runs, |at| room[at], layout, asked)
}

/// Places the tasks of a job: of the runs of consecutive nodes, the tightest that suffices, else the largest; of this one the
/// tightest node that suffices alone, else all from the first one on; then the next run for the rest. With `asked` nodes, each of
/// them gets a task, and no others do. Runs are ranges of places, with the tasks for which they have room; `of` tells of each place
/// the node and the room there.
fn fill(
    mut runs: Vec<(usize, usize, i64)>,
    of: impl Fn(usize) -> (usize, i64, bool),
    layout: &Layout,
    asked: i64,
) -> Option<Placement> {
    let (mut whole, mut rests, mut nodes) = (layout.tasks, layout.rests, asked);
    let mut shares = Vec::new();
    while whole + rests > 0 {
        if asked > 0 && nodes == 0 {
            return None;
        }
        let need = whole + rests;
        let suffices = |run: &(usize, usize, i64)| run.2 >= need && (run.1 - run.0) as i64 >= nodes;
        // A larger run with too few nodes comes before a sufficient one.
        let better = |one: &(usize, usize, i64), other: &(usize, usize, i64)| {
            if suffices(one) { !suffices(other) || one.2 < other.2 } else { one.2 > other.2 }
        };
        let best =
            (0..runs.len()).reduce(|best, at| if better(&runs[at], &runs[best]) { at } else { best })?;
        let (from, to, _) = runs.remove(best);
        let suffices_alone = |&at: &usize| {
            let (_, tasks, beside) = of(at);
            let open = tasks - whole + i64::from(beside);
            nodes <= 1 && tasks >= whole && rests <= open.min(layout.per_node - whole)
        };
        let room = |&at: &usize| {
            let (_, tasks, beside) = of(at);
            (tasks, beside)
        };
        let alone = (from..to).filter(suffices_alone).min_by_key(room);
        let run = alone.map_or(from..to, |at| at..at + 1);
        for (node, tasks, beside) in run.map(&of) {
            if whole + rests == 0 || asked > 0 && nodes == 0 {
                break;
            }
            if asked > 0 && nodes == 1 && tasks + i64::from(beside) < whole + rests {
                continue;
            }
            // Each further node gets a task, too.
            let further = (nodes - 1).max(0);
            let here = whole.min(tasks).min((whole + rests - further).max(1));
            whole -= here;
            let open = tasks - here + i64::from(beside);
            let small = if whole == 0 || beside { rests.min(open).min(layout.per_node - here) } else { 0 };
            rests -= small;
            let procs = here * layout.task + small * layout.rest;
            if procs > 0 {
                nodes -= 1;
                shares.push(Share::new(node as u32, procs));
            }
        }
    }
    shares.sort_by_key(|share| share.node);
    Some(Placement(shares))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(room: &[usize], layout: Layout) -> Vec<(u32, i64)> {
        let room: Vec<(usize, i64, bool)> = room.iter().map(|&node| (node, 1, false)).collect();
        place(&room, &layout, 0).unwrap().0.iter().map(|share| (share.node, share.procs)).collect()
    }

    #[test]
    fn the_tightest_run_that_suffices_is_taken_from_its_first_node() {
        let two = Layout::on_nodes(4, 2, 1);
        assert_eq!(nodes(&[0, 1, 2, 5, 6, 9], two), [(5, 2), (6, 2)]);
        assert_eq!(nodes(&[0, 1, 2, 5, 9], two), [(0, 2), (1, 2)]);
        assert_eq!(nodes(&[0, 2, 4, 5, 6], Layout::on_nodes(4, 4, 1)), [(0, 1), (4, 1), (5, 1), (6, 1)]);
    }

    #[test]
    fn each_of_the_nodes_asked_for_gets_a_task() {
        let on = |room: &[(usize, i64)], asked| {
            let room: Vec<(usize, i64, bool)> =
                room.iter().map(|&(node, tasks)| (node, tasks, false)).collect();
            let placed = place(&room, &Layout::of_tasks(6, 1), asked)?;
            Some(placed.0.iter().map(|share| (share.node, share.procs)).collect::<Vec<_>>())
        };
        let room = [(0, 8), (1, 8), (3, 4), (4, 2)];
        assert_eq!(on(&room, 0), Some(vec![(3, 4), (4, 2)]));
        assert_eq!(on(&room, 1), Some(vec![(0, 6)]), "no node of the tightest run has enough alone");
        assert_eq!(on(&[(0, 8), (1, 8)], 2), Some(vec![(0, 5), (1, 1)]));
        assert_eq!(on(&[(0, 2), (2, 3)], 2), None);
    }

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
