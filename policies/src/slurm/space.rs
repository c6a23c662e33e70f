//! What is free on the nodes, what will be when running jobs reach their limits, and which nodes a job gets.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_eval_nodes`, `_will_run_test`): of the runs
//! of consecutive nodes with room, the tightest that suffices; without one, the largest, and so on.

use std::collections::{BTreeMap, BTreeSet};

use batchlab_traces::{JobId, Layout, Machine, Time};

use super::node_set::NodeSet;
use super::queue::Waiting;
use crate::placement::{Placement, Share};
use crate::view::JobView;

/// A job on the machine.
#[derive(Clone, Debug)]
pub(super) struct Running {
    /// When it reaches its limit.
    pub(super) end: Time,
    /// Its nodes, and what it holds there, resource by resource.
    places: Vec<(u32, Vec<i64>)>,
}

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
    by_end: BTreeSet<(Time, JobId)>,
    running: BTreeMap<JobId, Running>,
    /// How many jobs are completing on each node: no job starts there.
    completing: Vec<u32>,
    closing: NodeSet,
    /// Nodes with a free processor.
    open: NodeSet,
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
        Space {
            kinds: machine.kinds(),
            free: capacity.clone(),
            capacity,
            weights,
            tiers,
            by_end: BTreeSet::new(),
            running: BTreeMap::new(),
            completing: vec![0; nodes],
            closing: NodeSet::empty(nodes),
            open: NodeSet::of(nodes, |_| true),
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

    fn note(&mut self, node: usize) {
        if self.free[node * self.kinds] > 0 { self.open.insert(node) } else { self.open.remove(node) }
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
        self.by_end.insert((end, job.id()));
        self.running.insert(job.id(), Running { end, places });
    }

    /// Takes a job off its nodes, which complete from now on if `completes`. Returns the nodes.
    pub(super) fn end(&mut self, job: JobId, completes: bool) -> Option<Vec<u32>> {
        let running = self.running.remove(&job)?;
        self.by_end.remove(&(running.end, job));
        for (node, amounts) in &running.places {
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
        Some(running.places.into_iter().map(|(node, _)| node).collect())
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
        usable.keep(&self.open);
        usable.subtract(&self.closing);
        self.choose(&self.free, job, view, &usable)
    }

    /// Returns the earliest start of a job on some nodes, were it alone with the running jobs, which stay until their limits.
    pub(super) fn forecast(
        &self,
        job: &Waiting,
        view: JobView<'_>,
        nodes: &NodeSet,
        now: Time,
        bins: Bins,
    ) -> Option<Forecast> {
        if let Some(placement) = self.choose(&self.free, job, view, nodes) {
            return Some(Forecast { start: now, placement });
        }
        let mut future = Future::new(self, job, view, nodes);
        let mut ends = self.by_end.iter().filter(|(_, other)| {
            self.running[other].places.iter().any(|(node, _)| nodes.has(*node as usize))
        });
        let mut next = ends.next();
        let mut width = FIRST_BIN;
        while let Some(&(first, _)) = next {
            let until = bins.until(first, width);
            let (mut last, mut count) = (first, 0);
            while let Some(&(end, other)) = next.filter(|&&(end, _)| count == 0 || end <= until) {
                future.remove(self, &self.running[&other], nodes);
                last = end;
                count += 1;
                next = ends.next();
                if bins.single && next.is_none_or(|&(end, _)| end > last) || count > MOST_IN_BIN {
                    break;
                }
            }
            if !bins.single {
                let next_end = next.map_or(Time::ZERO, |&(end, _)| end);
                loop {
                    width = if bins.step > Time::ZERO { width + bins.step } else { width + width };
                    if next_end <= until || width > Time::from_secs(1 << 30) || next_end <= until + width {
                        break;
                    }
                }
            }
            if future.suffices()
                && let Some(placement) = self.choose(&future.free, job, view, nodes)
            {
                let start = if last > now { last } else { (last + bins.overtime).max(now + Time::SECOND) };
                return Some(Forecast { start, placement });
            }
        }
        None
    }

    /// Returns a bound on the start of a job by limits of running jobs alone, on all its nodes: [`Space::forecast`] is never
    /// earlier, on no subset of the nodes. `None` if it can never start.
    pub(super) fn earliest(&self, job: &Waiting, view: JobView<'_>, now: Time) -> Option<Time> {
        let mut future = Future::new(self, job, view, &job.nodes);
        if future.suffices() {
            return Some(now);
        }
        for (end, other) in &self.by_end {
            future.remove(self, &self.running[other], &job.nodes);
            if future.suffices() {
                return Some((*end).max(now));
            }
        }
        None
    }

    fn tasks(&self, free: &[i64], node: usize, job: &Waiting, view: JobView<'_>) -> (i64, bool) {
        let at = node * self.kinds..(node + 1) * self.kinds;
        let (free, capacity) = (&free[at.clone()], &self.capacity[at]);
        let whole = job.layout.tasks_on(view.demand(), free, capacity).max(0);
        (whole, job.layout.rest_beside(whole, view.demand(), free, capacity))
    }

    /// Chooses nodes: those of the smallest weights that suffice, among them by runs of consecutive nodes.
    fn choose(&self, free: &[i64], job: &Waiting, view: JobView<'_>, nodes: &NodeSet) -> Option<Placement> {
        let layout = &job.layout;
        let mut room: Vec<(usize, i64, bool)> = Vec::new();
        let (mut whole, mut beside) = (0_i64, 0_i64);
        for node in nodes.iter() {
            let (tasks, rest) = self.tasks(free, node, job, view);
            if tasks > 0 || rest {
                whole = whole.saturating_add(tasks);
                beside += i64::from(rest);
                room.push((node, tasks, rest));
            }
        }
        if !layout.is_enough(whole, beside) {
            return None;
        }
        if self.tiers.len() > 1 {
            for most in &self.tiers {
                let cheap = |&&(node, ..): &&(usize, i64, bool)| self.weights[node] <= *most;
                let tasks = room.iter().filter(cheap).fold(0_i64, |sum, room| sum.saturating_add(room.1));
                let rests = room.iter().filter(cheap).filter(|room| room.2).count() as i64;
                if layout.is_enough(tasks, rests) {
                    room.retain(|room| self.weights[room.0] <= *most);
                    break;
                }
            }
        }
        place(&room, layout)
    }
}

/// The nodes as they will be when some of the running jobs have ended.
struct Future<'a> {
    job: &'a Waiting,
    view: JobView<'a>,
    free: Vec<i64>,
    whole: i64,
    beside: i64,
}

impl<'a> Future<'a> {
    fn new(space: &Space, job: &'a Waiting, view: JobView<'a>, nodes: &NodeSet) -> Future<'a> {
        let (mut whole, mut beside) = (0_i64, 0);
        for node in nodes.iter() {
            let (tasks, rest) = space.tasks(&space.free, node, job, view);
            whole = whole.saturating_add(tasks);
            beside += i64::from(rest);
        }
        Future { job, view, free: space.free.clone(), whole, beside }
    }

    fn remove(&mut self, space: &Space, running: &Running, nodes: &NodeSet) {
        for (node, amounts) in &running.places {
            let node = *node as usize;
            let counts = nodes.has(node);
            let before = if counts { space.tasks(&self.free, node, self.job, self.view) } else { (0, false) };
            for (free, amount) in self.free[node * space.kinds..].iter_mut().zip(amounts) {
                *free += amount;
            }
            if counts {
                let after = space.tasks(&self.free, node, self.job, self.view);
                self.whole = self.whole.saturating_add(after.0 - before.0);
                self.beside += i64::from(after.1) - i64::from(before.1);
            }
        }
    }

    fn suffices(&self) -> bool {
        self.job.layout.is_enough(self.whole, self.beside)
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
/// node on; then the next one for the rest.
fn place(room: &[(usize, i64, bool)], layout: &Layout) -> Option<Placement> {
    let (mut whole, mut rests) = (layout.tasks, layout.rests);
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
        let need = whole + rests;
        let better = |one: i64, other: i64| match (one >= need, other >= need) {
            (true, true) => one < other,
            (false, false) => one > other,
            (suffices, _) => suffices,
        };
        let mut best = 0;
        for at in 1..runs.len() {
            if better(runs[at].2, runs[best].2) {
                best = at;
            }
        }
        if runs.is_empty() {
            return None;
        }
        let (from, to, _) = runs.remove(best);
        for &(node, tasks, beside) in &room[from..to] {
            if whole + rests == 0 {
                break;
            }
            let here = whole.min(tasks);
            whole -= here;
            let open = tasks - here + i64::from(beside);
            let small = if whole == 0 || beside { rests.min(open).min(layout.per_node - here) } else { 0 };
            rests -= small;
            let procs = here * layout.task + small * layout.rest;
            if procs > 0 {
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
        place(&room, &layout).unwrap().0.iter().map(|share| (share.node, share.procs)).collect()
    }

    #[test]
    fn the_tightest_run_that_suffices_is_taken_from_its_first_node() {
        let two = Layout::on_nodes(4, 2, 1);
        assert_eq!(nodes(&[0, 1, 2, 5, 6, 9], two), [(5, 2), (6, 2)]);
        assert_eq!(nodes(&[0, 1, 2, 5, 9], two), [(0, 2), (1, 2)]);
        assert_eq!(nodes(&[0, 2, 4, 5, 6], Layout::on_nodes(4, 4, 1)), [(0, 1), (4, 1), (5, 1), (6, 1)]);
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
