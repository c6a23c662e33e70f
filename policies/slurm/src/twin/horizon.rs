//! The room on the nodes now and as running jobs reach their limits, kept from one question to the next.

use std::collections::VecDeque;

use batchlab_traces::{JobId, Time};
use pulp::NullaryFnOnce;
use rustc_hash::FxHashMap;

use super::node_set::{NodeSet, natively, words};
use super::room::{Count, HeldNodes, TaskShape};
use super::view::{Alike, View};

/// The most digits: tasks on a node are at most [`MANY`](super::room::MANY).
const DIGITS: usize = 25;

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
    fn room(&self, room: &TaskShape, node: usize) -> (i64, bool) {
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
    fn new(room: &TaskShape, nodes: Nodes<'_>) -> Horizon {
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
    fn renew(&mut self, room: &TaskShape, nodes: Nodes<'_>) {
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
    pub(super) fn extend(
        &mut self,
        of: (Time, JobId),
        places: &HeldNodes,
        room: &TaskShape,
        nodes: Nodes<'_>,
    ) {
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
    pub(super) fn take(&mut self, number: usize, room: &TaskShape, nodes: Nodes<'_>) -> Box<Horizon> {
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
    use batchlab_traces::Layout;

    use super::*;

    /// Two nodes of 8 processors and 16 units of memory.
    const CAPACITY: [i64; 4] = [8, 16, 8, 16];

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
        let room = TaskShape::of(Layout::of_tasks(4, 2), &[4, 0]);
        let mut places = [(0, 3), (1, 6), (0, 4)].map(|(node, procs)| {
            let mut places = HeldNodes::default();
            places.add(node, [procs, 0]);
            places
        });
        let mut horizons = Horizons::default();
        let both = NodeSet::of(2, |_| true);
        let mut log = Changes::default();
        let mut whole = |free: &[i64], changed: &[u64], places: &[HeldNodes]| {
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
        places[1] = HeldNodes::default();
        places[1].add(1, [2, 0]);
        assert_eq!(
            whole(&[1, 16, 6, 16], &[1, 2], &places),
            ([(8, 4), (5, 2), (3, 0), (6, 2)], [2, 0, 2]),
            "a shorter job is on node 1 now"
        );
    }
}
