//! The running jobs in the order of their limits, with what each of them holds.

use std::ops::Range;

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use crate::twin::node_set::NodeSet;

#[derive(Clone, Debug, Default)]
pub struct RunningJobs {
    jobs: Vec<RunningJob>,
    /// The limits of the jobs, ascending.
    limits: Vec<Time>,
    /// The first nodes of the jobs, in the same order.
    first_nodes: Vec<FirstNodes>,
    ends: SortedMap<JobId, Time>,
}

#[derive(Clone, Debug)]
pub struct RunningJob {
    pub end: Time,
    pub job: JobId,
    pub user: i64,
    /// Whether jobs of other users have no place on its nodes.
    pub owns: bool,
    pub held: HeldNodes,
}

impl RunningJobs {
    pub fn insert(&mut self, job: RunningJob) {
        let at = self.position(job.end, job.job);
        self.first_nodes.insert(at, job.held.first_nodes());
        self.limits.insert(at, job.end);
        self.ends.insert(job.job, job.end);
        self.jobs.insert(at, job);
    }

    /// Takes a job out; `None` if it does not run.
    pub fn remove(&mut self, job: JobId) -> Option<RunningJob> {
        let end = self.ends.remove(&job)?;
        let at = self.position(end, job);
        self.limits.remove(at);
        self.first_nodes.remove(at);
        Some(self.jobs.remove(at))
    }

    pub fn get(&self, job: JobId) -> Option<&RunningJob> {
        self.jobs.get(self.position(*self.ends.get(&job)?, job))
    }

    /// Returns where a job is, or would be, in the order.
    fn position(&self, end: Time, job: JobId) -> usize {
        self.jobs.partition_point(|other| (other.end, other.job) < (end, job))
    }

    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &RunningJob> {
        self.jobs.iter()
    }

    /// Returns the jobs at some places in the order; none if there are no such places.
    pub fn range(&self, places: Range<usize>) -> &[RunningJob] {
        self.jobs.get(places).unwrap_or_default()
    }

    #[inline]
    pub fn limits(&self) -> &[Time] {
        &self.limits
    }

    /// Whether the job at a place in the order has one of some nodes.
    #[inline]
    pub fn touches(&self, place: usize, nodes: &NodeSet) -> bool {
        let first = self.first_nodes[place];
        first.meet(nodes) || !first.are_all && self.jobs[place].held.meets(nodes)
    }
}

#[derive(Clone, Debug, Default)]
pub struct HeldNodes {
    nodes: Vec<u32>,
    amounts: Vec<i64>,
    /// The first word with one of the nodes, and the nodes in it: most questions end there.
    first: (u32, u64),
    others: Vec<(u32, u64)>,
}

/// The nodes of a job in the first word with one of them: most questions end there.
#[derive(Clone, Copy, Debug)]
struct FirstNodes {
    nodes: u64,
    word: u32,
    /// Whether the job has no others.
    are_all: bool,
}

impl FirstNodes {
    #[inline]
    fn meet(self, set: &NodeSet) -> bool {
        set.words()[self.word as usize] & self.nodes != 0
    }
}

impl HeldNodes {
    fn first_nodes(&self) -> FirstNodes {
        FirstNodes { nodes: self.first.1, word: self.first.0, are_all: self.others.is_empty() }
    }

    pub fn add(&mut self, node: u32, amounts: impl IntoIterator<Item = i64>) {
        let (word, bit) = (node / 64, 1 << (node % 64));
        if self.nodes.is_empty() {
            self.first = (word, 0);
        }
        self.nodes.push(node);
        self.amounts.extend(amounts);
        let last = self.others.last_mut().unwrap_or(&mut self.first);
        if last.0 == word {
            last.1 |= bit;
        } else {
            self.others.push((word, bit));
        }
    }

    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    pub fn into_nodes(self) -> Vec<u32> {
        self.nodes
    }

    /// Returns what it holds on the nodes, each with the amounts there.
    pub fn of(nodes: impl Iterator<Item = (u32, Vec<i64>)>) -> HeldNodes {
        let mut held = HeldNodes::default();
        nodes.for_each(|(node, amounts)| held.add(node, amounts));
        held
    }

    #[inline]
    pub fn meets(&self, set: &NodeSet) -> bool {
        let is_in = |&(word, nodes): &(u32, u64)| set.words()[word as usize] & nodes != 0;
        is_in(&self.first) || self.others.iter().any(is_in)
    }

    /// Returns each node with the amounts there, of a machine with `kinds` resources.
    pub fn iter(&self, kinds: usize) -> impl Iterator<Item = (usize, &[i64])> {
        self.nodes.iter().map(|&node| node as usize).zip(self.amounts.chunks_exact(kinds))
    }
}

/// The first of the numbers that stand for reservations among running jobs; no log has that many jobs.
const FIRST_RESERVATION: u32 = u32::MAX - (1 << 20);

/// Returns the identity by which the processors of a reservation are held.
pub fn held_by(reservation: u32) -> JobId {
    JobId(FIRST_RESERVATION.saturating_add(reservation))
}

/// Whether a number stands for a reservation.
pub fn is_reservation(job: JobId) -> bool {
    job.0 >= FIRST_RESERVATION
}
