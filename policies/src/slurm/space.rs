//! What is free on the nodes, what will be when running jobs reach their limits, and which nodes a job gets.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_eval_nodes`, `_will_run_test`): of the runs
//! of consecutive nodes with room, the tightest that suffices; without one, the largest, and so on.

use std::collections::BTreeMap;

use batchlab_traces::{JobId, Layout, Machine, Time};

use super::node_set::NodeSet;
use super::queue::Waiting;
use crate::placement::{Placement, Share};
use crate::view::JobView;

/// What a job on the machine holds: its nodes, and the amounts there, resource by resource.
type Places = Vec<(u32, Vec<i64>)>;

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
    by_end: BTreeMap<(Time, JobId), Places>,
    /// The limit of each running job.
    ends: BTreeMap<JobId, Time>,
    /// How many jobs are completing on each node: no job starts there.
    completing: Vec<u32>,
    closing: NodeSet,
    /// Nodes with a free processor.
    open: NodeSet,
    future: Future,
    /// Counts the changes of what is free or running.
    generation: u64,
    /// What is known of each shape of jobs.
    known: Vec<Known>,
}

/// What is known of the jobs of a shape while nothing changes on the nodes.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Whether one fits on what is free, and in which generation.
    fits: (u64, bool),
    /// When the limits of running jobs let one start, and in which generation; `None` for never.
    floor: (u64, Option<Time>),
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

/// The most jobs of a bin.
const MOST_IN_BIN: usize = 200;

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
            by_end: BTreeMap::new(),
            ends: BTreeMap::new(),
            completing: vec![0; nodes],
            closing: NodeSet::empty(nodes),
            future: Future { free: capacity.clone(), open: open.clone(), ..Future::default() },
            open,
            capacity,
            generation: 1,
            known: Vec::new(),
        }
    }

    pub(super) fn nodes(&self) -> usize {
        self.completing.len()
    }

    /// Returns the nodes on which jobs are completing.
    pub(super) fn closing(&self) -> &NodeSet {
        &self.closing
    }

    /// Sets what is free on a node, after a change of its capacity.
    pub(super) fn set_free(&mut self, node: usize, free: &[i64]) {
        self.free[node * self.kinds..(node + 1) * self.kinds].copy_from_slice(free);
        self.note(node);
    }

    /// Takes up what is free on a node now.
    fn note(&mut self, node: usize) {
        self.generation += 1;
        self.open.set(node, self.free[node * self.kinds] > 0);
        self.future.reset(node, self.kinds, &self.free, &self.open);
    }

    /// Puts a job on its nodes until its limit.
    pub(super) fn start(&mut self, job: JobView<'_>, placement: &Placement, end: Time) {
        let mut places = Vec::with_capacity(placement.0.len());
        for share in &placement.0 {
            let node = share.node as usize;
            let at = node * self.kinds;
            let held = |kind: usize| job.held_on(kind, share.procs, self.capacity[at + kind]);
            let amounts: Vec<i64> = (0..self.kinds).map(held).collect();
            for (free, amount) in self.free[at..].iter_mut().zip(&amounts) {
                *free -= amount;
            }
            self.note(node);
            places.push((share.node, amounts));
        }
        self.by_end.insert((end, job.id()), places);
        self.ends.insert(job.id(), end);
    }

    /// Takes a job off its nodes, which complete from now on if `completes`. Returns the nodes.
    pub(super) fn end(&mut self, job: JobId, completes: bool) -> Option<Vec<u32>> {
        let end = self.ends.remove(&job)?;
        let places = self.by_end.remove(&(end, job))?;
        for (node, amounts) in &places {
            let node = *node as usize;
            for (free, amount) in self.free[node * self.kinds..].iter_mut().zip(amounts) {
                *free += amount;
            }
            self.note(node);
            if completes {
                self.completing[node] += 1;
                self.closing.insert(node);
            }
        }
        Some(places.into_iter().map(|(node, _)| node).collect())
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
    pub(super) fn now(&self, job: &Waiting, view: JobView<'_>, nodes: &NodeSet) -> Option<Placement> {
        let mut usable = nodes.clone();
        usable.subtract(&self.closing);
        self.choose(&self.free, &self.open, job, view, &usable)
    }

    /// Whether a job fits on what is free of all its nodes, completing ones included. O(nodes with a free processor), or O(1)
    /// for a shape that was asked about since the last change.
    pub(super) fn fits(&mut self, job: &Waiting, view: JobView<'_>) -> bool {
        let (generation, fits) = self.known(job.shape).fits;
        if generation == self.generation {
            return fits;
        }
        let count = Count::of(self, job, view, &job.nodes);
        let fits = count.suffices(job);
        self.known(job.shape).fits = (self.generation, fits);
        fits
    }

    fn known(&mut self, shape: usize) -> &mut Known {
        if self.known.len() <= shape {
            self.known.resize(shape + 1, Known::default());
        }
        &mut self.known[shape]
    }

    /// Returns the earliest start of a job on some nodes, were it alone with the running jobs, which stay until their limits.
    pub(super) fn forecast(
        &mut self,
        job: &Waiting,
        view: JobView<'_>,
        nodes: &NodeSet,
        now: Time,
        bins: Bins,
    ) -> Option<Forecast> {
        if self.fits(job, view)
            && let Some(placement) = self.choose(&self.free, &self.open, job, view, nodes)
        {
            return Some(Forecast { start: now, placement });
        }
        let mut future = std::mem::take(&mut self.future);
        let found = self.later(&mut future, job, view, nodes, now, bins);
        future.undo(self);
        self.future = future;
        found
    }

    /// Lets running jobs end, bin by bin, until a job fits.
    fn later(
        &self,
        future: &mut Future,
        job: &Waiting,
        view: JobView<'_>,
        nodes: &NodeSet,
        now: Time,
        bins: Bins,
    ) -> Option<Forecast> {
        let mut count = Count::of(self, job, view, nodes);
        let mut ends =
            self.by_end.iter().filter(|(_, places)| places.iter().any(|(node, _)| nodes.has(*node as usize)));
        let mut next = ends.next();
        let mut width = FIRST_BIN;
        while let Some((&(first, _), _)) = next {
            let until = bins.until(first, width);
            let (mut last, mut ended) = (first, 0);
            while let Some((&(end, _), places)) = next.filter(|((end, _), _)| ended == 0 || *end <= until) {
                future.remove(self, places, (job, view, nodes), &mut count);
                last = end;
                ended += 1;
                next = ends.next();
                let is_last = next.is_none_or(|((end, _), _)| *end > last);
                if bins.single && is_last || ended > MOST_IN_BIN {
                    break;
                }
            }
            if !bins.single {
                let next_end = next.map_or(Time::ZERO, |((end, _), _)| *end);
                loop {
                    width = if bins.step > Time::ZERO { width + bins.step } else { width + width };
                    if next_end <= until || width > Time::from_secs(1 << 30) || next_end <= until + width {
                        break;
                    }
                }
            }
            if count.suffices(job)
                && let Some(placement) = self.choose(&future.free, &future.open, job, view, nodes)
            {
                let start = if last > now { last } else { (last + bins.overtime).max(now + Time::SECOND) };
                return Some(Forecast { start, placement });
            }
        }
        None
    }

    /// Returns a bound on the start of a job by limits of running jobs alone, on all its nodes: [`Space::forecast`] is never
    /// earlier, on no subset of the nodes. `None` if it can never start.
    pub(super) fn earliest(&mut self, job: &Waiting, view: JobView<'_>, now: Time) -> Option<Time> {
        if self.fits(job, view) {
            return Some(now);
        }
        let (generation, floor) = self.known(job.shape).floor;
        if generation == self.generation {
            return floor.map(|floor| floor.max(now));
        }
        let mut future = std::mem::take(&mut self.future);
        let mut count = Count::of(self, job, view, &job.nodes);
        let mut floor = None;
        for (&(end, _), places) in &self.by_end {
            future.remove(self, places, (job, view, &job.nodes), &mut count);
            if count.suffices(job) {
                floor = Some(end);
                break;
            }
        }
        future.undo(self);
        self.future = future;
        self.known(job.shape).floor = (self.generation, floor);
        floor.map(|floor| floor.max(now))
    }

    fn tasks(&self, free: &[i64], node: usize, job: &Waiting, view: JobView<'_>) -> (i64, bool) {
        let at = node * self.kinds..(node + 1) * self.kinds;
        let (free, capacity) = (&free[at.clone()], &self.capacity[at]);
        let whole = job.layout.tasks_on(view.demand(), free, capacity).max(0);
        (whole, job.layout.rest_beside(whole, view.demand(), free, capacity))
    }

    /// Chooses nodes: those of the smallest weights that suffice, among them by runs of consecutive nodes.
    fn choose(
        &self,
        free: &[i64],
        open: &NodeSet,
        job: &Waiting,
        view: JobView<'_>,
        nodes: &NodeSet,
    ) -> Option<Placement> {
        let layout = &job.layout;
        let mut room: Vec<(usize, i64, bool)> = Vec::new();
        let (mut whole, mut beside) = (0_i64, 0_i64);
        for node in nodes.both(open) {
            let (tasks, rest) = self.tasks(free, node, job, view);
            if tasks > 0 || rest {
                whole = whole.saturating_add(tasks);
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

/// How many tasks of a job some nodes have room for.
struct Count {
    whole: i64,
    beside: i64,
    /// The nodes with room for a task.
    nodes: i64,
}

impl Count {
    /// Returns the room on what is free now. O(nodes with a free processor).
    fn of(space: &Space, job: &Waiting, view: JobView<'_>, nodes: &NodeSet) -> Count {
        let mut count = Count { whole: 0, beside: 0, nodes: 0 };
        for node in nodes.both(&space.open) {
            let (tasks, rest) = space.tasks(&space.free, node, job, view);
            count.whole = count.whole.saturating_add(tasks);
            count.beside += i64::from(rest);
            count.nodes += i64::from(tasks > 0 || rest);
        }
        count
    }

    /// Whether a job may fit; one that asks for a number of nodes may still not.
    fn suffices(&self, job: &Waiting) -> bool {
        self.nodes >= job.asked && job.layout.is_enough(self.whole, self.beside)
    }
}

/// The nodes as they will be when some of the running jobs have ended; between two questions, as they are.
#[derive(Clone, Debug, Default)]
struct Future {
    free: Vec<i64>,
    open: NodeSet,
    /// The nodes that differ from what is free now.
    changed: Vec<u32>,
}

impl Future {
    /// A running job ends.
    fn remove(
        &mut self,
        space: &Space,
        places: &Places,
        (job, view, nodes): (&Waiting, JobView<'_>, &NodeSet),
        count: &mut Count,
    ) {
        for &(node, ref amounts) in places {
            self.changed.push(node);
            let node = node as usize;
            let counts = nodes.has(node);
            let before = if counts { space.tasks(&self.free, node, job, view) } else { (0, false) };
            for (free, amount) in self.free[node * space.kinds..].iter_mut().zip(amounts) {
                *free += amount;
            }
            self.open.set(node, self.free[node * space.kinds] > 0);
            if counts {
                let after = space.tasks(&self.free, node, job, view);
                count.whole = count.whole.saturating_add(after.0 - before.0);
                count.beside += i64::from(after.1) - i64::from(before.1);
                count.nodes += i64::from(after.0 > 0 || after.1) - i64::from(before.0 > 0 || before.1);
            }
        }
    }

    /// Takes up what is free on a node now.
    fn reset(&mut self, node: usize, kinds: usize, free: &[i64], open: &NodeSet) {
        let at = node * kinds..(node + 1) * kinds;
        self.free[at.clone()].copy_from_slice(&free[at]);
        self.open.set(node, open.has(node));
    }

    /// Takes up what is free now where it differs.
    fn undo(&mut self, space: &Space) {
        for node in std::mem::take(&mut self.changed) {
            self.reset(node as usize, space.kinds, &space.free, &space.open);
        }
    }
}

impl Bins {
    /// Returns the end of a bin that begins with a job's end.
    fn until(self, first: Time, width: Time) -> Time {
        if self.single {
            return first;
        }
        let absolute = i128::from(first.ticks()) + i128::from(self.epoch) * i128::from(Time::SECOND.ticks());
        let past = absolute.rem_euclid(i128::from(width.ticks())) as i64;
        first + (width - Time::from_ticks(past)) + width
    }
}

/// Places the tasks of a job: of the runs of consecutive nodes, the tightest that suffices, else the largest, from its first
/// node on; then the next one for the rest. With `asked` nodes, each of them gets a task, and no others do.
fn place(room: &[(usize, i64, bool)], layout: &Layout, asked: i64) -> Option<Placement> {
    let (mut whole, mut rests, mut nodes) = (layout.tasks, layout.rests, asked);
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
    let mut shares = Vec::new();
    while whole + rests > 0 {
        if asked > 0 && nodes == 0 {
            return None;
        }
        let need = whole + rests;
        let suffices = |run: &(usize, usize, i64)| run.2 >= need && (run.1 - run.0) as i64 >= nodes;
        let better =
            |one: &(usize, usize, i64), other: &(usize, usize, i64)| match (suffices(one), suffices(other)) {
                (true, true) => one.2 < other.2,
                (false, false) => one.2 > other.2,
                (is_enough, _) => is_enough,
            };
        let best =
            (0..runs.len()).reduce(|best, at| if better(&runs[at], &runs[best]) { at } else { best })?;
        let (from, to, _) = runs.remove(best);
        for &(node, tasks, beside) in &room[from..to] {
            if whole + rests == 0 || asked > 0 && nodes == 0 {
                break;
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
        assert_eq!(
            on(&room, 1),
            None,
            "the tightest run is chosen first, and one of its nodes has too little"
        );
        assert_eq!(on(&[(0, 8), (1, 8)], 2), Some(vec![(0, 5), (1, 1)]));
        assert_eq!(on(&[(0, 2), (2, 3)], 2), None);
    }

    #[test]
    fn bins_are_aligned_and_grow() {
        let bins = Bins { single: false, step: Time::ZERO, epoch: 10, overtime: Time::ZERO };
        let until =
            |first: i64, width: i64| bins.until(Time::from_secs(first), Time::from_secs(width)).secs();
        // 25 s after the zero is 35 s after the epoch: the bin ends at 60 s there, and its width later.
        assert_eq!((until(25, 30), until(50, 60)), (80.0, 170.0));
    }
}
