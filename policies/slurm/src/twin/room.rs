//! How many tasks of a job nodes have room for, now and as running jobs reach their limits.

use std::collections::VecDeque;
use std::ops::AddAssign;

use batchlab_traces::{JobId, Layout, Time};
use pulp::NullaryFnOnce;
use rustc_hash::FxHashMap;

use super::node_set::{NodeSet, PART, natively, within, words};
use super::queue::Waiting;

/// What decides how many tasks of a job fit on a node: jobs of any size may have it in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Room {
    /// The tasks; their number counts for jobs only whose nodes have even parts of a resource.
    layout: Layout,
    /// The demand, in lowest terms.
    demand: Vec<i64>,
}

/// The most tasks that are counted on a node: those of a word of nodes fit into 32 bits.
const MANY: i64 = 1 << 24;

impl Room {
    /// Returns the room for the tasks of a job.
    pub(super) fn of(layout: Layout, demand: &[i64]) -> Room {
        if layout.even != 0 {
            return Room { layout, demand: demand.to_vec() };
        }
        let common = demand.iter().fold(0, |common, &need| gcd(common, need)).max(1);
        let demand = demand.iter().map(|need| need / common).collect();
        Room { layout: Layout { tasks: 1, rests: layout.rests.min(1), ..layout }, demand }
    }

    /// Returns how many whole tasks fit into what a node has free, and whether a smaller one fits beside them.
    #[inline]
    pub(super) fn tasks(&self, free: &[i64], capacity: &[i64]) -> (i64, bool) {
        let layout = &self.layout;
        let whole = if layout.even != 0 {
            layout.tasks_on(&self.demand, free, capacity).clamp(0, MANY)
        } else if layout.exclusive && free.iter().zip(capacity).any(|(free, capacity)| free < capacity) {
            0
        } else {
            self.fitting(free)
        };
        (whole, layout.rests > 0 && layout.rest_beside(whole, &self.demand, free, capacity))
    }

    /// Returns how many whole tasks fit into what a node has free.
    #[inline]
    fn fitting(&self, free: &[i64]) -> i64 {
        let (task, procs) = (self.layout.task, self.demand[0]);
        let mut most = if task == 1 { free[0] } else { free[0] / task }.min(self.layout.per_node);
        for (&need, &free) in self.demand.iter().zip(free).skip(1).filter(|(need, _)| **need > 0) {
            let fitting = match (need.checked_mul(task), free.checked_mul(procs)) {
                (Some(need), Some(free)) => free / need,
                _ => (i128::from(free) * i128::from(procs) / (i128::from(need) * i128::from(task)))
                    .clamp(0, MANY.into()) as i64,
            };
            most = most.min(fitting);
        }
        most.clamp(0, MANY)
    }

    /// Returns the room on one node.
    #[inline]
    pub(super) fn on(&self, free: &[i64], capacity: &[i64]) -> Count {
        let (whole, beside) = self.tasks(free, capacity);
        Count { whole, beside: beside.into(), nodes: i64::from(whole > 0 || beside) }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// How many tasks of a job some nodes have room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    whole: i64,
    beside: i64,
    /// The nodes with room for a task.
    nodes: i64,
}

impl Count {
    /// Whether a job may fit; one that asks for a number of nodes may still not.
    #[inline]
    pub(super) fn suffices(&self, job: &Waiting) -> bool {
        self.nodes >= job.asked && job.layout.is_enough(self.whole, self.beside)
    }
}

impl AddAssign for Count {
    #[inline]
    fn add_assign(&mut self, other: Count) {
        self.whole += other.whole;
        self.beside += other.beside;
        self.nodes += other.nodes;
    }
}

/// What a job on the machine holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) nodes: Vec<u32>,
    /// The amounts of each resource, node by node.
    pub(super) amounts: Vec<i64>,
    /// The words with one of the nodes, and the nodes in it.
    words: Vec<(u32, u64)>,
}

impl Places {
    /// Adds a node with the amounts there.
    pub(super) fn add(&mut self, node: u32, amounts: impl IntoIterator<Item = i64>) {
        self.nodes.push(node);
        self.amounts.extend(amounts);
        match self.words.last_mut().filter(|(word, _)| *word == node / 64) {
            Some((_, nodes)) => *nodes |= 1 << (node % 64),
            None => self.words.push((node / 64, 1 << (node % 64))),
        }
    }

    /// Whether one of its nodes is in a set.
    #[inline]
    pub(super) fn meets(&self, set: &NodeSet) -> bool {
        self.words.iter().any(|&(word, nodes)| set.words()[word as usize] & nodes != 0)
    }

    /// Returns each node with the amounts there, of a machine with so many resources.
    pub(super) fn iter(&self, kinds: usize) -> impl Iterator<Item = (usize, &[i64])> {
        self.nodes.iter().map(|&node| node as usize).zip(self.amounts.chunks_exact(kinds))
    }
}

/// The room on each node at an instant: its whole tasks as binary numbers, digit by digit, and whether a smaller task fits
/// beside them.
#[derive(Debug, Default)]
pub(super) struct View {
    /// The words of 64 nodes.
    words: usize,
    /// The lowest digit of all nodes first.
    digits: Vec<u64>,
    /// How many nodes have each digit.
    counts: Vec<i64>,
    /// Empty if jobs have no smaller tasks.
    beside: Vec<u64>,
}

impl View {
    /// Returns the room for some tasks on each node, with so many digits.
    #[cfg(test)]
    pub(super) fn of(tasks: &[i64], digits: usize) -> View {
        let words = words(tasks.len());
        let mut view =
            View { words, digits: vec![0; words * digits], counts: vec![0; digits], beside: Vec::new() };
        tasks.iter().enumerate().for_each(|(node, &tasks)| view.set(node, (tasks, false)));
        view
    }

    fn copy_from(&mut self, other: &View) {
        self.words = other.words;
        self.digits.clone_from(&other.digits);
        self.counts.clone_from(&other.counts);
        self.beside.clone_from(&other.beside);
    }

    /// Returns the tasks for which a node has room, and whether a smaller one fits beside them.
    #[inline]
    pub(super) fn tasks(&self, node: usize) -> (i64, bool) {
        let (word, bit) = (node / 64, node % 64);
        let mut whole = 0;
        for at in 0..self.counts.len() {
            whole |= (self.digits[at * self.words + word] >> bit & 1) << at;
        }
        (whole as i64, self.beside.get(word).is_some_and(|beside| beside >> bit & 1 == 1))
    }

    /// Sets the room on a node. The number of whole tasks must have no more digits than the view; `Horizon::new` provides as many as
    /// the largest node needs.
    fn set(&mut self, node: usize, (whole, beside): (i64, bool)) {
        let (word, nodes) = ((node / 64) as u32, 1 << (node % 64));
        self.set_all(Alike { word, nodes, whole: whole as i32, beside });
    }

    /// Sets the room on nodes that have the same.
    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn set_all(&mut self, alike: Alike) {
        let (word, nodes) = (alike.word as usize, alike.nodes);
        for (at, count) in self.counts.iter_mut().enumerate() {
            let digit = &mut self.digits[at * self.words + word];
            if alike.whole >> at & 1 == 1 {
                *count += i64::from((nodes & !*digit).count_ones());
                *digit |= nodes;
            } else {
                *count -= i64::from((nodes & *digit).count_ones());
                *digit &= !nodes;
            }
        }
        if let Some(word) = self.beside.get_mut(word) {
            *word = if alike.beside { *word | nodes } else { *word & !nodes };
        }
    }

    /// Returns a bound on the whole tasks of a node.
    pub(super) fn most(&self) -> i64 {
        (1 << self.counts.len()) - 1
    }

    /// Returns the room on some nodes. O(nodes / 64 · digits).
    pub(super) fn count(&self, nodes: &NodeSet) -> Count {
        let mut count = Count { beside: common(nodes, &self.beside), ..Count::default() };
        let mut any = self.beside.clone();
        any.resize(self.words, 0);
        for (at, digit) in self.digits.chunks_exact(self.words).enumerate() {
            count.whole += common(nodes, digit) << at;
            any.iter_mut().zip(digit).for_each(|(any, digit)| *any |= digit);
        }
        count.nodes = common(nodes, &any);
        count
    }

    /// Whether a job may fit on some nodes, as [`Count::suffices`] tells. O(nodes / 64 · digits).
    pub(super) fn suffices(&self, job: &Waiting, nodes: &NodeSet) -> bool {
        if !self.beside.is_empty() || job.asked > 0 || job.layout.rests > 0 {
            return self.count(nodes).suffices(job);
        }
        natively(HasRoom { view: self, tasks: job.layout.tasks, nodes })
    }

    /// Adds to a set the nodes of a run with room, from the first one on, until they have room for some tasks; returns the last of
    /// them with the tasks that are left for it. O(nodes / 64 · digits) beside the nodes of the last word.
    pub(super) fn take(&self, from: usize, to: usize, mut need: i64, set: &mut NodeSet) -> (usize, i64) {
        for word in from / 64..to.div_ceil(64) {
            let nodes = within(word, from, to);
            let digits = self.digits.iter().skip(word).step_by(self.words).enumerate();
            let tasks: i64 = digits.map(|(at, digit)| i64::from((digit & nodes).count_ones()) << at).sum();
            if tasks < need {
                set.insert_word(word, nodes);
                need -= tasks;
                continue;
            }
            for node in from.max(word * 64)..to {
                set.insert(node);
                let tasks = self.tasks(node).0;
                if tasks >= need {
                    return (node, need);
                }
                need -= tasks;
            }
        }
        (to - 1, need)
    }

    /// Calls a function with each run of consecutive nodes of a set that have room for a whole task: the first node, the one
    /// behind the last, and the whole tasks.
    pub(super) fn runs(&self, nodes: &NodeSet, each: impl FnMut(usize, usize, i64)) {
        natively(Runs { view: self, nodes, each });
    }
}

/// Whether some nodes have room for so many tasks.
struct HasRoom<'a> {
    view: &'a View,
    tasks: i64,
    nodes: &'a NodeSet,
}

impl NullaryFnOnce for HasRoom<'_> {
    type Output = bool;

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn call(self) -> bool {
        let HasRoom { view, tasks, nodes } = self;
        // The tasks by the digits so far, and the most that the others may add.
        let (mut whole, mut more) = (0, 0);
        for count in view.counts.iter().rev() {
            more = 2 * more + count;
        }
        for (at, count) in view.counts.iter().enumerate().rev() {
            if whole + more < tasks {
                return false;
            }
            whole += common(nodes, &view.digits[at * view.words..(at + 1) * view.words]) << at;
            more -= count << at;
            if whole >= tasks {
                return true;
            }
        }
        false
    }
}

/// Calls `each` as [`View::runs`] tells.
struct Runs<'a, F> {
    view: &'a View,
    nodes: &'a NodeSet,
    each: F,
}

impl<F: FnMut(usize, usize, i64)> NullaryFnOnce for Runs<'_, F> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn call(self) {
        let Runs { view, nodes, mut each } = self;
        // The run that reaches up to here.
        let mut open: Option<(usize, i64)> = None;
        for (part, here) in nodes.parts().iter().enumerate() {
            let mut room = [0; PART];
            for digit in view.digits.chunks_exact(view.words) {
                let digit = &digit.as_chunks::<PART>().0[part];
                for at in 0..PART {
                    room[at] |= digit[at] & here[at];
                }
            }
            for (at, mut left) in room.into_iter().enumerate() {
                let word = part * PART + at;
                if left & 1 == 0
                    && let Some((from, sum)) = open.take()
                {
                    each(from, word * 64, sum);
                }
                while left != 0 {
                    let from = left.trailing_zeros() as usize;
                    let length = (!(left >> from)).trailing_zeros() as usize;
                    let mask = (u64::MAX >> (64 - length)) << from;
                    let mut sum = 0;
                    for (at, digit) in view.digits.iter().skip(word).step_by(view.words).enumerate() {
                        sum += i64::from((digit & mask).count_ones()) << at;
                    }
                    let (first, before) = open.take().unwrap_or((word * 64 + from, 0));
                    if from + length == 64 {
                        open = Some((first, before + sum));
                    } else {
                        each(first, word * 64 + from + length, before + sum);
                    }
                    left &= !mask;
                }
            }
        }
        if let Some((from, sum)) = open {
            each(from, view.words * 64, sum);
        }
    }
}

/// The most digits: tasks on a node are at most [`MANY`].
const DIGITS: usize = 25;

/// Returns the number of nodes of a set whose bit is set.
#[inline]
fn common(nodes: &NodeSet, bits: &[u64]) -> i64 {
    let mut sum = 0;
    for (nodes, bits) in nodes.words().iter().zip(bits) {
        sum += u64::from((nodes & bits).count_ones());
    }
    sum as i64
}

/// The room on nodes, now and as the running jobs reach their limits, one after the other. It reaches only to the last end that
/// was needed.
#[derive(Debug, Default)]
pub(super) struct Horizon {
    /// The generation of the nodes to which it belongs.
    generation: u64,
    /// How many of the changes of nodes it has taken up.
    seen: u64,
    /// The first one is now.
    views: Vec<View>,
    /// The views by the running jobs that have ended: how many, and the place of the view.
    order: Vec<(u32, u16)>,
    /// The place of the view with so many ended; 0 also for none.
    place: Vec<u16>,
    spare: Vec<View>,
    /// How many running jobs reach their limits by some instants.
    known: Known,
    /// What is free after the last step, if there is one.
    free: Vec<i64>,
    /// The ends of the running jobs, one after the other.
    endings: Vec<Ending>,
    /// Those of before the last change that come behind.
    old: VecDeque<Ending>,
    /// The room on the nodes of fields after the first ends.
    after: FxHashMap<usize, Vec<Count>>,
}

/// The end of a running job.
#[derive(Debug)]
struct Ending {
    /// Its limit and its identity, by which the running jobs are in order.
    of: (Time, JobId),
    /// The generation to which it belongs.
    generation: u64,
    steps: Vec<Step>,
    /// The room on all of its nodes after its end.
    after: Vec<Alike>,
}

/// Nodes of a word with the same room.
#[derive(Clone, Copy, Debug)]
struct Alike {
    word: u32,
    nodes: u64,
    whole: i32,
    beside: bool,
}

/// The room on one of a job's nodes after its end.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    node: u32,
    whole: i32,
    beside: bool,
    /// What is added.
    more: Count,
}

/// How many running jobs reach their limits by some instants, of a generation each; instants may take each other's places.
#[derive(Debug)]
struct Known(Box<[(u64, Time, usize); KNOWN]>);

/// How many instants are known.
const KNOWN: usize = 256;

impl Default for Known {
    fn default() -> Known {
        Known(Box::new([(0, Time::ZERO, 0); KNOWN]))
    }
}

/// The most views of a horizon.
const MOST_VIEWS: usize = 256;

/// The last changes of nodes, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    nodes: Vec<u32>,
    /// How many came before.
    before: u64,
}

/// The most changes that are kept.
const MOST_CHANGES: usize = 1 << 14;

impl Changes {
    /// Notes the change of a node.
    pub(super) fn note(&mut self, node: usize) {
        if self.nodes.len() == MOST_CHANGES {
            self.before += self.nodes.drain(..MOST_CHANGES / 2).len() as u64;
        }
        self.nodes.push(node as u32);
    }

    /// Returns how many changes there were.
    fn end(&self) -> u64 {
        self.before + self.nodes.len() as u64
    }

    /// Returns the nodes that have changed since there were so many changes; `None` if not all of them are kept.
    fn since(&self, seen: u64) -> Option<&[u32]> {
        seen.checked_sub(self.before).map(|at| &self.nodes[at as usize..])
    }
}

/// The nodes, as horizons see them.
#[derive(Clone, Copy)]
pub(super) struct Nodes<'a> {
    pub(super) kinds: usize,
    pub(super) capacity: &'a [i64],
    /// What is free now.
    pub(super) free: &'a [i64],
    /// The generation of the last change of each node, and of all.
    pub(super) changed: &'a [u64],
    pub(super) generation: u64,
    pub(super) log: &'a Changes,
}

impl Nodes<'_> {
    fn room(&self, room: &Room, node: usize) -> (i64, bool) {
        let at = node * self.kinds..(node + 1) * self.kinds;
        room.tasks(&self.free[at.clone()], &self.capacity[at])
    }
}

impl Ending {
    fn new(of: (Time, JobId)) -> Ending {
        Ending { of, generation: 0, steps: Vec::new(), after: Vec::new() }
    }

    /// Puts together neighbours with the same room.
    fn group(&mut self) {
        self.after.clear();
        for step in &self.steps {
            let (word, node) = (step.node / 64, 1 << (step.node % 64));
            match self.after.last_mut() {
                Some(last) if (last.word, last.whole, last.beside) == (word, step.whole, step.beside) => {
                    last.nodes |= node;
                }
                _ => self.after.push(Alike { word, nodes: node, whole: step.whole, beside: step.beside }),
            }
        }
    }
}

/// Sets the room after the ends of jobs.
struct Endings<'a> {
    endings: &'a [Ending],
    view: &'a mut View,
}

impl NullaryFnOnce for Endings<'_> {
    type Output = ();

    #[expect(clippy::inline_always, reason = "for the instructions of the processor")]
    #[inline(always)]
    fn call(self) {
        for ending in self.endings {
            for &alike in &ending.after {
                self.view.set_all(alike);
            }
        }
    }
}

impl Horizon {
    fn new(room: &Room, nodes: Nodes<'_>) -> Horizon {
        let capacities = nodes.capacity.chunks_exact(nodes.kinds);
        let most = capacities.map(|capacity| room.tasks(capacity, capacity).0).max().unwrap_or(0);
        let width = (64 - most.leading_zeros() as usize).clamp(1, DIGITS);
        let words = words(nodes.changed.len());
        let beside = vec![0; if room.layout.rests > 0 { words } else { 0 }];
        let digits = vec![0; words * width];
        let mut now = View { words, digits, counts: vec![0; width], beside };
        (0..nodes.changed.len()).for_each(|node| now.set(node, nodes.room(room, node)));
        Horizon {
            generation: nodes.generation,
            seen: nodes.log.end(),
            views: vec![now],
            order: vec![(0, 0)],
            ..Horizon::default()
        }
    }

    /// Takes up the changes of the nodes and the running jobs.
    fn renew(&mut self, room: &Room, nodes: Nodes<'_>) {
        if self.generation == nodes.generation {
            return;
        }
        self.spare.extend(self.views.drain(1..));
        self.order.truncate(1);
        self.place.clear();
        let now = &mut self.views[0];
        let mut renew = |node: usize| now.set(node, nodes.room(room, node));
        match nodes.log.since(self.seen) {
            Some(changed) => changed.iter().for_each(|&node| renew(node as usize)),
            None => (0..nodes.changed.len()).for_each(renew),
        }
        (self.generation, self.seen) = (nodes.generation, nodes.log.end());
        self.endings.drain(..).rev().for_each(|ending| self.old.push_front(ending));
        self.after.clear();
    }

    /// Returns the room when so many of the running jobs have ended; all of them were asked for before. O(nodes of the jobs
    /// between it and the next earlier view) at first.
    pub(super) fn view(&mut self, ended: usize) -> &View {
        let at = match self.place.get(ended) {
            Some(&at) if at > 0 => at.into(),
            _ if ended == 0 => 0,
            _ => self.add(ended),
        };
        &self.views[at]
    }

    fn add(&mut self, ended: usize) -> usize {
        if self.views.len() >= MOST_VIEWS {
            self.spare.extend(self.views.drain(1..));
            self.order.truncate(1);
            self.place.clear();
        }
        let mut view = self.spare.pop().unwrap_or_default();
        let behind = self.order.partition_point(|&(before, _)| (before as usize) < ended);
        let (before, at) = self.order[behind - 1];
        view.copy_from(&self.views[usize::from(at)]);
        natively(Endings { endings: &self.endings[before as usize..ended], view: &mut view });
        let at = self.views.len();
        self.views.push(view);
        self.order.insert(behind, (ended as u32, at as u16));
        if self.place.len() <= ended {
            self.place.resize(ended + 1, 0);
        }
        self.place[ended] = at as u16;
        at
    }

    /// Returns how many of the running jobs reach their limits by an instant. O(log running) at first.
    #[inline]
    pub(super) fn ended_by(&mut self, limits: &[Time], by: Time) -> usize {
        let at = (by.ticks() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - KNOWN.ilog2());
        let known = &mut self.known.0[at as usize];
        if (known.0, known.1) != (self.generation, by) {
            *known = (self.generation, by, limits.partition_point(|limit| *limit <= by));
        }
        known.2
    }

    /// Returns how many of the running jobs it knows.
    pub(super) fn reach(&self) -> usize {
        self.endings.len()
    }

    /// Adds the end of the next running job, `of` a limit. O(its nodes); on nodes that have not changed, the room after it is still
    /// known.
    pub(super) fn extend(&mut self, of: (Time, JobId), places: &Places, room: &Room, nodes: Nodes<'_>) {
        if self.endings.is_empty() {
            self.free.clear();
            self.free.extend_from_slice(nodes.free);
        }
        while self.old.front().is_some_and(|old| old.of < of) {
            self.old.pop_front();
        }
        let is_old = self.old.front().is_some_and(|old| old.of == of);
        let old = if is_old { self.old.pop_front() } else { None };
        let mut ending = old.unwrap_or_else(|| Ending::new(of));
        ending.steps.resize(places.nodes.len(), Step::default());
        let mut has_changed = false;
        for ((node, amounts), step) in places.iter(nodes.kinds).zip(&mut ending.steps) {
            let at = node * nodes.kinds..(node + 1) * nodes.kinds;
            let free = &mut self.free[at.clone()];
            if nodes.changed[node] <= ending.generation {
                free.iter_mut().zip(amounts).for_each(|(free, amount)| *free += amount);
                continue;
            }
            has_changed = true;
            let capacity = &nodes.capacity[at];
            let before = room.on(free, capacity);
            free.iter_mut().zip(amounts).for_each(|(free, amount)| *free += amount);
            let after = room.on(free, capacity);
            *step = Step {
                node: node as u32,
                whole: after.whole as i32,
                beside: after.beside > 0,
                more: Count {
                    whole: after.whole - before.whole,
                    beside: after.beside - before.beside,
                    nodes: after.nodes - before.nodes,
                },
            };
        }
        ending.generation = self.generation;
        if has_changed {
            ending.group();
        }
        self.endings.push(ending);
    }

    /// Returns what the end of a running job, by its place among them, adds on some nodes.
    pub(super) fn ending(&self, job: usize, nodes: &NodeSet) -> Count {
        let mut count = Count::default();
        for step in self.endings[job].steps.iter().filter(|step| nodes.has(step.node as usize)) {
            count += step.more;
        }
        count
    }

    /// Returns the room on the nodes of a field after the first ends, as far as it was noted.
    pub(super) fn after(&mut self, field: usize) -> &mut Vec<Count> {
        if self.after.len() >= MOST && !self.after.contains_key(&field) {
            self.after.clear();
        }
        self.after.entry(field).or_default()
    }
}

/// The horizons of rooms, by number.
#[derive(Debug, Default)]
pub(super) struct Horizons {
    of: Vec<Option<Box<Horizon>>>,
    kept: usize,
}

/// The most horizons that are kept: each has several times the size of the machine.
const MOST: usize = 64;

impl Horizons {
    /// Takes the horizon of a room out.
    pub(super) fn take(&mut self, number: usize, room: &Room, nodes: Nodes<'_>) -> Box<Horizon> {
        let Some(mut horizon) = self.of.get_mut(number).and_then(Option::take) else {
            if self.kept >= MOST {
                *self = Horizons::default();
            }
            return Box::new(Horizon::new(room, nodes));
        };
        self.kept -= 1;
        horizon.renew(room, nodes);
        horizon
    }

    /// Puts it back.
    pub(super) fn put(&mut self, number: usize, horizon: Box<Horizon>) {
        if self.of.len() <= number {
            self.of.resize_with(number + 1, || None);
        }
        self.kept += 1;
        self.of[number] = Some(horizon);
    }
}

/// A copy knows nothing yet.
impl Clone for Horizons {
    fn clone(&self) -> Horizons {
        Horizons::default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Two nodes of 8 processors and 16 units of memory.
    const CAPACITY: [i64; 4] = [8, 16, 8, 16];

    #[test]
    fn jobs_of_any_size_have_the_same_room() {
        let room = |procs, memory| Room::of(Layout::of_tasks(procs, 1), &[procs, memory]);
        assert_eq!(room(3, 9), room(5, 15));
        assert_ne!(room(3, 9), room(3, 6));
        assert_eq!(room(3, 9).tasks(&[8, 16], &[8, 16]), (5, false), "three units of memory each");
        let pairs = Room::of(Layout::of_tasks(5, 2), &[5, 0]);
        assert_eq!(pairs.tasks(&[7, 0], &[8, 16]), (3, true), "three pairs and the last processor");
        assert_eq!(
            Room::of(Layout::of_tasks(4, 1).exclusively(), &[4, 0]).tasks(&[7, 16], &[8, 16]),
            (0, false)
        );
    }

    #[test]
    fn changes_are_kept_as_far_as_they_are_the_last_ones() {
        let mut log = Changes::default();
        (0..MOST_CHANGES + 3).for_each(|node| log.note(node));
        let end = log.end();
        assert_eq!(log.since(end - 2), Some(&[MOST_CHANGES as u32 + 1, MOST_CHANGES as u32 + 2][..]));
        assert_eq!((log.since(0), log.since(end)), (None, Some(&[][..])));
    }

    #[test]
    fn a_horizon_tells_the_room_as_jobs_end() {
        let room = Room::of(Layout::of_tasks(4, 2), &[4, 0]);
        let mut places = [(0, 3), (1, 6), (0, 4)].map(|(node, procs)| {
            let mut places = Places::default();
            places.add(node, [procs, 0]);
            places
        });
        let mut horizons = Horizons::default();
        let both = NodeSet::of(2, |_| true);
        let mut log = Changes::default();
        let mut whole = |free: &[i64], changed: &[u64], places: &[Places]| {
            let generation = changed.iter().copied().max().unwrap_or(0);
            (0..2).filter(|&node| changed[node] == generation).for_each(|node| log.note(node));
            let nodes = Nodes { kinds: 2, capacity: &CAPACITY, free, changed, generation, log: &log };
            let mut horizon = horizons.take(0, &room, nodes);
            for (job, places) in places.iter().enumerate() {
                horizon.extend((Time::from_secs(job as i64), JobId(job as u32)), places, &room, nodes);
            }
            let more = [0, 1, 2].map(|job| horizon.ending(job, &NodeSet::of(2, |node| node == 0)).whole);
            let whole = [3, 1, 0, 2].map(|ended| {
                let view = horizon.view(ended);
                (view.count(&both).whole, view.tasks(0).0)
            });
            horizons.put(0, horizon);
            (whole, more)
        };
        assert_eq!(
            whole(&[1, 16, 2, 16], &[1, 1], &places),
            ([(8, 4), (3, 2), (1, 0), (6, 2)], [2, 0, 2]),
            "in pairs of processors, as jobs end on the nodes 0, 1 and 0"
        );
        places[1] = Places::default();
        places[1].add(1, [2, 0]);
        assert_eq!(
            whole(&[1, 16, 6, 16], &[1, 2], &places),
            ([(8, 4), (5, 2), (3, 0), (6, 2)], [2, 0, 2]),
            "a shorter job is on node 1 now"
        );
    }

    proptest! {
        /// Counts and runs by digits are those of the nodes one by one.
        #[test]
        fn digits_count_as_nodes_do(
            tasks in proptest::collection::vec(prop_oneof![Just(0_i64), 0..8_i64, Just(7)], 150),
            gaps in proptest::collection::vec(0_usize..150, 0..20),
        ) {
            let (view, set) = (View::of(&tasks, 3), NodeSet::of(150, |node| !gaps.contains(&node)));
            let mut runs: Vec<(usize, usize, i64)> = Vec::new();
            let (mut whole, mut nodes) = (0, 0);
            for node in set.iter().filter(|&node| tasks[node] > 0) {
                prop_assert_eq!(view.tasks(node), (tasks[node], false));
                (whole, nodes) = (whole + tasks[node], nodes + 1);
                let here = tasks[node];
                match runs.last_mut().filter(|(_, end, _)| *end == node) {
                    Some((_, end, sum)) => (*end, *sum) = (node + 1, *sum + here),
                    None => runs.push((node, node + 1, here)),
                }
            }
            prop_assert_eq!(view.count(&set), Count { whole, beside: 0, nodes });
            let mut found = Vec::new();
            view.runs(&set, |from, to, sum| found.push((from, to, sum)));
            prop_assert_eq!(found, runs);
        }
    }
}
