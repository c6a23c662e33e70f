use std::collections::VecDeque;

use batchlab_traces::{JobId, Time};
use pulp::NullaryFnOnce;
use rustc_hash::FxHashMap;

use super::amounts::NodeAmounts;
use super::room::{Count, TaskShape};
use super::running::RunningJob;
use super::view::{Alike, View};
use crate::twin::node_set::{NodeSet, natively};

/// The most digits: tasks on a node are at most [`MANY`](super::room::MANY).
const DIGITS: usize = 25;

/// The room on nodes, now and as the running jobs reach their limits, one after the other. It reaches only to the last end that
/// was needed.
#[derive(Debug, Default)]
pub struct Horizon {
    generation: u64,
    /// How many of the changes of nodes it has taken up.
    seen: u64,
    /// The room now comes first.
    views: Vec<View>,
    /// The views by the running jobs that have ended: how many, and the place of the view.
    order: Vec<(u32, u16)>,
    /// The place of the view by the number of jobs that have ended; 0 also for no view.
    place: Vec<u16>,
    spare: Vec<View>,
    /// How many running jobs reach their limits by some instants.
    known: Known,
    /// What is free after the last ending, if there is any.
    free: Vec<i64>,
    /// The ends of the running jobs, one after the other.
    endings: Vec<Ending>,
    /// The ends from before the last change that are behind these in the order.
    old: VecDeque<Ending>,
    /// The room on the nodes of fields after the first ends.
    after: FxHashMap<usize, Vec<Count>>,
}

/// The end of a running job.
#[derive(Debug)]
struct Ending {
    /// The job's limit and its identity: the running jobs are sorted by them.
    key: (Time, JobId),
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

const KNOWN: usize = 256;

impl Default for Known {
    fn default() -> Known {
        Known(Box::new([(0, Time::ZERO, 0); KNOWN]))
    }
}

const MOST_VIEWS: usize = 256;

impl Ending {
    fn new(key: (Time, JobId)) -> Ending {
        Ending { key, generation: 0, steps: Vec::new(), after: Vec::new() }
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

/// Returns how many whole tasks fit into what a node has free, and whether a smaller one fits beside them.
fn room_on(amounts: &NodeAmounts, shape: &TaskShape, node: usize) -> (i64, bool) {
    shape.tasks(amounts.free(node), amounts.capacity(node))
}

impl Horizon {
    fn new(shape: &TaskShape, amounts: &NodeAmounts) -> Horizon {
        let nodes = 0..amounts.nodes();
        let capacities = nodes.clone().map(|node| amounts.capacity(node));
        let most = capacities.map(|capacity| shape.tasks(capacity, capacity).0).max().unwrap_or(0);
        let width = (64 - most.leading_zeros() as usize).clamp(1, DIGITS);
        let mut now = View::new(nodes.len(), width, shape.has_rests());
        nodes.for_each(|node| now.set(node, room_on(amounts, shape, node)));
        Horizon {
            generation: amounts.generation(),
            seen: amounts.changes(),
            views: vec![now],
            order: vec![(0, 0)],
            ..Horizon::default()
        }
    }

    /// Takes up the changes of the nodes and the running jobs.
    fn renew(&mut self, shape: &TaskShape, amounts: &NodeAmounts) {
        if self.generation == amounts.generation() {
            return;
        }
        self.spare.extend(self.views.drain(1..));
        self.order.truncate(1);
        self.place.clear();
        let now = &mut self.views[0];
        let mut renew = |node: usize| now.set(node, room_on(amounts, shape, node));
        match amounts.changed_since(self.seen) {
            Some(changed) => changed.iter().for_each(|&node| renew(node as usize)),
            None => (0..amounts.nodes()).for_each(renew),
        }
        (self.generation, self.seen) = (amounts.generation(), amounts.changes());
        self.endings.drain(..).rev().for_each(|ending| self.old.push_front(ending));
        self.after.clear();
    }

    /// Returns the room when the first `ended` running jobs have ended; [`Horizon::reach`] is as far. O(nodes of the jobs
    /// between it and the next earlier view) at first.
    pub fn view(&mut self, ended: usize) -> &View {
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

    #[inline]
    pub fn ended_by(&mut self, limits: &[Time], by: Time) -> usize {
        let at = (by.ticks() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - KNOWN.ilog2());
        let known = &mut self.known.0[at as usize];
        if (known.0, known.1) != (self.generation, by) {
            *known = (self.generation, by, limits.partition_point(|limit| *limit <= by));
        }
        known.2
    }

    /// Returns how many of the running jobs, the first to end, it knows.
    pub fn reach(&self) -> usize {
        self.endings.len()
    }

    /// Adds the end of the next running job. O(its nodes); on nodes that have not changed, the room after it is still known.
    pub fn extend(&mut self, job: &RunningJob, shape: &TaskShape, amounts: &NodeAmounts) {
        if self.endings.is_empty() {
            self.free.clear();
            self.free.extend_from_slice(amounts.all_free());
        }
        let key = (job.end, job.job);
        while self.old.front().is_some_and(|old| old.key < key) {
            self.old.pop_front();
        }
        let is_old = self.old.front().is_some_and(|old| old.key == key);
        let old = if is_old { self.old.pop_front() } else { None };
        let mut ending = old.unwrap_or_else(|| Ending::new(key));
        ending.steps.resize(job.held.nodes().len(), Step::default());
        let mut has_changed = false;
        let kinds = amounts.kinds();
        for ((node, held), step) in job.held.iter(kinds).zip(&mut ending.steps) {
            let free = &mut self.free[node * kinds..(node + 1) * kinds];
            if amounts.changed(node) <= ending.generation {
                free.iter_mut().zip(held).for_each(|(free, amount)| *free += amount);
                continue;
            }
            has_changed = true;
            let capacity = amounts.capacity(node);
            let before = shape.on(free, capacity);
            free.iter_mut().zip(held).for_each(|(free, amount)| *free += amount);
            let after = shape.on(free, capacity);
            *step = Step {
                node: node as u32,
                whole: after.whole as i32,
                beside: after.beside > 0,
                more: after - before,
            };
        }
        ending.generation = self.generation;
        if has_changed {
            ending.group();
        }
        self.endings.push(ending);
    }

    /// Returns the room that the end of a running job, by its place in the order, adds on some nodes.
    pub fn ending(&self, job: usize, nodes: &NodeSet) -> Count {
        let mut count = Count::default();
        for step in self.endings[job].steps.iter().filter(|step| nodes.has(step.node as usize)) {
            count += step.more;
        }
        count
    }

    /// Returns the room on the nodes of a field after the first ends, as far as it was noted.
    pub fn after(&mut self, field: usize) -> &mut Vec<Count> {
        if self.after.len() >= MOST && !self.after.contains_key(&field) {
            self.after.clear();
        }
        self.after.entry(field).or_default()
    }
}

#[derive(Debug, Default)]
pub struct Horizons {
    by_shape: Vec<Option<Box<Horizon>>>,
    kept: usize,
}

/// The most horizons that are kept: each has several times the size of the machine.
const MOST: usize = 64;

impl Horizons {
    pub fn horizon(&mut self, number: usize, shape: &TaskShape, amounts: &NodeAmounts) -> &mut Horizon {
        if self.by_shape.get(number).is_none_or(Option::is_none) && self.kept >= MOST {
            *self = Horizons::default();
        }
        if self.by_shape.len() <= number {
            self.by_shape.resize_with(number + 1, || None);
        }
        let horizon = &mut self.by_shape[number];
        match horizon {
            Some(horizon) => horizon.renew(shape, amounts),
            None => self.kept += 1,
        }
        horizon.get_or_insert_with(|| Box::new(Horizon::new(shape, amounts)))
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
    use crate::twin::nodes::running::HeldNodes;

    #[test]
    fn a_horizon_tells_the_room_as_jobs_end() {
        let shape = TaskShape::of(Layout::of_tasks(4, 2), &[4, 0]);
        let running = |job: u32, node, procs: i64| {
            let held = HeldNodes::of([(node, vec![procs, 0])].into_iter());
            RunningJob { end: Time::from_secs(job.into()), job: JobId(job), user: 1, owns: false, held }
        };
        let mut jobs = [running(0, 0, 3), running(1, 1, 6), running(2, 0, 4)];
        let both = NodeSet::of(2, |_| true);
        // Two nodes of 8 processors and 16 units of memory.
        let mut amounts = NodeAmounts::of(2, vec![8, 16, 8, 16]);
        for job in &jobs {
            amounts.take(job.held.iter(2));
        }
        let mut horizons = Horizons::default();
        let mut whole = |amounts: &NodeAmounts, jobs: &[RunningJob]| {
            let horizon = horizons.horizon(0, &shape, amounts);
            for job in jobs {
                horizon.extend(job, &shape, amounts);
            }
            let more = [0, 1, 2].map(|job| horizon.ending(job, &NodeSet::of(2, |node| node == 0)).whole);
            let whole = [3, 1, 0, 2].map(|ended| {
                let view = horizon.view(ended);
                (view.count(&both).whole, view.tasks(0).0)
            });
            (whole, more)
        };
        assert_eq!(
            whole(&amounts, &jobs),
            ([(8, 4), (3, 2), (1, 0), (6, 2)], [2, 0, 2]),
            "in pairs of processors, as jobs end on the nodes 0, 1 and 0"
        );
        amounts.give(jobs[1].held.iter(2));
        jobs[1] = running(1, 1, 2);
        amounts.take(jobs[1].held.iter(2));
        assert_eq!(
            whole(&amounts, &jobs),
            ([(8, 4), (5, 2), (3, 0), (6, 2)], [2, 0, 2]),
            "a shorter job is on node 1 now"
        );
    }
}
