//! How many tasks of a job nodes have room for, now and as running jobs reach their limits.

use std::collections::HashMap;
use std::ops::AddAssign;

use batchlab_traces::Layout;

use super::node_set::NodeSet;
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

    /// Returns how many tasks may at most be on a node of such a capacity.
    pub(super) fn most(&self, capacity: &[i64]) -> i64 {
        let (whole, beside) = self.tasks(capacity, capacity);
        whole + i64::from(beside)
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
}

impl Places {
    /// Returns each node with the amounts there, of a machine with so many resources.
    pub(super) fn iter(&self, kinds: usize) -> impl Iterator<Item = (usize, &[i64])> {
        self.nodes.iter().map(|&node| node as usize).zip(self.amounts.chunks_exact(kinds))
    }
}

/// The room on nodes, now and as the running jobs reach their limits, one after the other; made as far as somebody asks.
#[derive(Debug, Default)]
pub(super) struct Horizon {
    /// Whole tasks for which each node has room, and whether a smaller one fits beside them, when so many jobs have ended.
    tasks: Vec<i32>,
    beside: Vec<i8>,
    ended: usize,
    /// The whole tasks of each 64 nodes.
    sums: Vec<i32>,
    /// The same now.
    tasks_now: Vec<i32>,
    beside_now: Vec<i8>,
    /// Whether jobs have smaller tasks.
    rests: bool,
    /// What is free after the last step.
    free: Vec<i64>,
    steps: Vec<Step>,
    /// Where the steps of each running job end.
    until: Vec<usize>,
}

/// What the end of a job adds on one of its nodes.
#[derive(Clone, Copy, Debug)]
struct Step {
    node: u32,
    whole: i32,
    beside: i8,
    nodes: i8,
}

impl Horizon {
    /// Begins with what is free now.
    fn begin(&mut self, room: &Room, free: &[i64], capacity: &[i64], kinds: usize) {
        self.ended = 0;
        self.free.clear();
        self.free.extend_from_slice(free);
        self.steps.clear();
        self.until.clear();
        self.tasks.clear();
        self.beside.clear();
        for (free, capacity) in free.chunks_exact(kinds).zip(capacity.chunks_exact(kinds)) {
            let (tasks, beside) = room.tasks(free, capacity);
            self.tasks.push(tasks as i32);
            self.beside.push(beside.into());
        }
        self.sums.clear();
        self.sums.extend(self.tasks.chunks(64).map(|tasks| tasks.iter().sum::<i32>()));
        self.tasks_now.clone_from(&self.tasks);
        self.beside_now.clone_from(&self.beside);
        self.rests = room.layout.rests > 0;
    }

    /// Returns the room on some nodes now.
    pub(super) fn now(&self, nodes: &NodeSet) -> Count {
        room_on(nodes, &self.tasks_now, self.rests.then_some(&self.beside_now))
    }

    /// Whether there is room for a job on some nodes when so many of the running jobs have ended, as last sought.
    pub(super) fn suffices_then(&self, job: &Waiting, nodes: &NodeSet) -> bool {
        if self.rests || job.asked > 0 {
            return room_on(nodes, &self.tasks, self.rests.then_some(&self.beside)).suffices(job);
        }
        let mut whole = 0;
        for at in 0..nodes.words() {
            let mut word = nodes.word(at);
            // Where all 64 nodes count, their sum is known.
            if word == u64::MAX {
                whole += i64::from(self.sums[at]);
            } else {
                while word != 0 {
                    whole += i64::from(self.tasks[at * 64 + word.trailing_zeros() as usize]);
                    word &= word - 1;
                }
            }
            if job.layout.is_enough(whole, 0) {
                return true;
            }
        }
        false
    }

    /// Returns the tasks for which a node has room, and whether a smaller one fits beside them, as last sought.
    #[inline]
    pub(super) fn tasks(&self, node: usize) -> (i64, bool) {
        (self.tasks[node].into(), self.beside[node] > 0)
    }

    /// Returns the same now.
    #[inline]
    pub(super) fn tasks_now(&self, node: usize) -> (i64, bool) {
        (self.tasks_now[node].into(), self.beside_now[node] > 0)
    }

    /// Goes to the instant at which so many of the running jobs have ended; all of them were asked for before. O(nodes of the
    /// jobs between).
    pub(super) fn seek(&mut self, ended: usize) {
        let at = |jobs: usize| jobs.checked_sub(1).map_or(0, |last| self.until[last]);
        let sign = if ended > self.ended { 1 } else { -1 };
        let between = at(ended.min(self.ended))..at(ended.max(self.ended));
        for step in &self.steps[between] {
            self.tasks[step.node as usize] += sign * step.whole;
            self.sums[step.node as usize / 64] += sign * step.whole;
            self.beside[step.node as usize] += sign as i8 * step.beside;
        }
        self.ended = ended;
    }

    /// Returns how many of the running jobs it knows.
    pub(super) fn reach(&self) -> usize {
        self.until.len()
    }

    /// Adds the end of the next running job.
    pub(super) fn extend(&mut self, places: &Places, room: &Room, capacity: &[i64], kinds: usize) {
        for (node, amounts) in places.iter(kinds) {
            let at = node * kinds..(node + 1) * kinds;
            let (free, capacity) = (&mut self.free[at.clone()], &capacity[at]);
            let before = room.on(free, capacity);
            free.iter_mut().zip(amounts).for_each(|(free, amount)| *free += amount);
            let after = room.on(free, capacity);
            self.steps.push(Step {
                node: node as u32,
                whole: (after.whole - before.whole) as i32,
                beside: (after.beside - before.beside) as i8,
                nodes: (after.nodes - before.nodes) as i8,
            });
        }
        self.until.push(self.steps.len());
    }

    /// Returns what the end of a running job, by its place among them, adds on some nodes.
    pub(super) fn ending(&self, job: usize, nodes: &NodeSet) -> Count {
        let from = job.checked_sub(1).map_or(0, |before| self.until[before]);
        let mut count = Count::default();
        for step in self.steps[from..self.until[job]].iter().filter(|step| nodes.has(step.node as usize)) {
            count.whole += i64::from(step.whole);
            count.beside += i64::from(step.beside);
            count.nodes += i64::from(step.nodes);
        }
        count
    }
}

/// Returns the room on some nodes, given that of each.
fn room_on(nodes: &NodeSet, tasks: &[i32], beside: Option<&Vec<i8>>) -> Count {
    let mut count = Count::default();
    nodes.for_ranges(|range| {
        let here = &tasks[range.clone()];
        let (mut sum, mut with) = (0_i32, 0_i32);
        for &tasks in here {
            sum += tasks;
            with += i32::from(tasks > 0);
        }
        count.whole += i64::from(sum);
        let Some(beside) = beside else {
            count.nodes += i64::from(with);
            return;
        };
        for (&tasks, &beside) in here.iter().zip(&beside[range]) {
            count.beside += i64::from(beside);
            count.nodes += i64::from(tasks > 0 || beside > 0);
        }
    });
    count
}

/// The horizons of rooms while nothing changes on the nodes.
#[derive(Debug, Default)]
pub(super) struct Horizons {
    known: HashMap<usize, Horizon>,
    spare: Vec<Horizon>,
    generation: u64,
}

/// The most horizons that are kept: each has the size of the machine.
const MOST: usize = 64;

impl Horizons {
    /// Takes the horizon of a room out, with what is free now.
    pub(super) fn take(
        &mut self,
        (number, room): (usize, &Room),
        generation: u64,
        (free, capacity, kinds): (&[i64], &[i64], usize),
    ) -> Horizon {
        if self.generation != generation || self.known.len() >= MOST {
            self.spare.extend(self.known.drain().map(|(_, horizon)| horizon));
            self.spare.truncate(MOST);
            self.generation = generation;
        }
        self.known.remove(&number).unwrap_or_else(|| {
            let mut horizon = self.spare.pop().unwrap_or_default();
            horizon.begin(room, free, capacity, kinds);
            horizon
        })
    }

    /// Puts it back.
    pub(super) fn put(&mut self, room: usize, horizon: Horizon) {
        self.known.insert(room, horizon);
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
    fn a_horizon_tells_the_room_as_jobs_end() {
        let room = Room::of(Layout::of_tasks(4, 2), &[4, 0]);
        let mut horizon = Horizons::default().take((0, &room), 1, (&[1, 16, 2, 16], &CAPACITY, 2));
        for (node, procs) in [(0, 3), (1, 6), (0, 4)] {
            horizon.extend(&Places { nodes: vec![node], amounts: vec![procs, 0] }, &room, &CAPACITY, 2);
        }
        let both = NodeSet::of(2, |_| true);
        assert_eq!((horizon.now(&both).whole, horizon.reach()), (1, 3));
        let whole = [3, 1, 0, 2].map(|ended| {
            horizon.seek(ended);
            (horizon.sums[0], horizon.tasks(0).0)
        });
        assert_eq!(whole, [(8, 4), (3, 2), (1, 0), (6, 2)]);
        let first = NodeSet::of(2, |node| node == 0);
        assert_eq!([0, 1, 2].map(|job| horizon.ending(job, &first).whole), [2, 0, 2]);
    }
}
