//! The waiting jobs, in the order in which both loops serve them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::sync::Arc;

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Layout, Time};
use rustc_hash::FxHashMap;

use super::node_set::NodeSet;
use super::priority::Waits;
use crate::site::Precedence;

/// The heterogeneous job that a waiting job is a component of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Het {
    pub(super) number: i64,
    /// How many components it has.
    pub(super) count: usize,
}

/// A waiting job, in one of the partitions in which it may run.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) job: JobId,
    pub(super) place: u32,
    /// Its place in the order of submission, which breaks ties.
    pub(super) order: i64,
    /// When it was submitted, which breaks ties.
    pub(super) submit: Time,
    pub(super) entered: Time,
    /// Its class among the classes of jobs that preempt others ([`Precedence`]).
    pub(super) class: usize,
    pub(super) level: i64,
    /// `PriorityTier` of its partition.
    pub(super) tier: i64,
    /// Jobs of this tier and of higher tiers are in its way; jobs of lower tiers stop for it, where jobs are suspended.
    pub(super) sees: i64,
    /// It is in the way of jobs up to this tier.
    pub(super) bars: i64,
    pub(super) priority: u64,
    /// The number of the partition in the log, or a number beyond all of them if no job of the log ran there.
    pub(super) partition: i64,
    /// Its index, if the installation has it.
    pub(super) in_partition: Option<usize>,
    /// The index of its service class.
    pub(super) qos: Option<usize>,
    pub(super) reservation: Option<usize>,
    /// The nodes of its partition that meet its constraint.
    pub(super) nodes: Arc<NodeSet>,
    /// It gets nodes of one of these groups; empty if it may mix nodes.
    pub(super) groups: Vec<NodeSet>,
    /// Its time limit as the loops count it: in whole minutes, at most that of its partition.
    pub(super) limit: Time,
    pub(super) layout: Layout,
    /// How many nodes it asks for, if its layout does not tell; 0 for any number.
    pub(super) asked: i64,
    /// The most leaf switches on which its nodes may be, if it asks for that (`--switches`); any number once it has waited long
    /// enough.
    pub(super) most_leaves: Option<i64>,
    /// Whether it goes to the nodes with the greatest share of free processors (`LLN`, `CR_LLN`).
    pub(super) least_loaded: bool,
    /// Whether other users' jobs have no place on its nodes (`ExclusiveUser`).
    pub(super) owns: bool,
    /// The number of its field: jobs of one field have the same room on the same nodes.
    pub(super) field: usize,
    pub(super) user: i64,
    pub(super) association: Option<usize>,
    pub(super) array: Option<i64>,
    /// How many tasks of the array come after it.
    pub(super) behind: u64,
    /// The heterogeneous job that it is a component of.
    pub(super) het: Option<Het>,
}

/// The rank of a job: the level of its class with whether it has a reservation, tier, priority, submission, order, identity, and the
/// place of its partition.
pub(super) type PriorityRank = (Reverse<(i64, bool)>, Reverse<i64>, Reverse<u64>, Time, i64, JobId, u32);

impl Waiting {
    /// Returns what its priority follows from.
    pub(super) fn waits(&self, is_tested: bool) -> Waits {
        Waits { partition: self.in_partition, qos: self.qos, limit: self.limit, is_tested }
    }

    /// Returns a job with a layout that asks for a number of nodes, any of 16.
    #[cfg(test)]
    pub(super) fn of_tasks(layout: Layout, asked: i64) -> Waiting {
        Waiting {
            job: JobId(0),
            place: 0,
            order: 0,
            submit: Time::ZERO,
            entered: Time::ZERO,
            class: 0,
            level: 0,
            tier: 1,
            sees: 1,
            bars: 1,
            priority: 1,
            partition: 1,
            in_partition: None,
            qos: None,
            reservation: None,
            nodes: Arc::new(NodeSet::of(16, |_| true)),
            groups: Vec::new(),
            limit: Time::SECOND,
            layout,
            asked,
            most_leaves: None,
            least_loaded: false,
            owns: false,
            field: 0,
            user: 1,
            association: None,
            array: None,
            behind: 0,
            het: None,
        }
    }

    pub(super) fn least_nodes(&self) -> i64 {
        if self.layout.per_node == 1 { self.layout.count() } else { self.asked.max(1) }
    }

    /// Returns the parts of some nodes on which it may be: the nodes of each of its groups, or all nodes.
    pub(super) fn parts<'a>(&'a self, nodes: &'a NodeSet) -> impl Iterator<Item = Cow<'a, NodeSet>> {
        let all = self.groups.is_empty().then_some(Cow::Borrowed(nodes));
        let within = |group: &NodeSet| {
            let mut part = group.clone();
            part.keep(nodes);
            Cow::Owned(part)
        };
        all.into_iter().chain(self.groups.iter().map(within))
    }

    /// Returns its rank: higher levels first, jobs with a reservation, higher tiers and priorities, then the order of submission.
    pub(super) fn rank(&self) -> PriorityRank {
        self.rank_by(self.priority)
    }

    fn rank_by(&self, priority: u64) -> PriorityRank {
        (
            Reverse((self.level, self.reservation.is_some())),
            Reverse(self.tier),
            Reverse(priority),
            self.submit,
            self.order,
            self.job,
            self.place,
        )
    }
}

/// The waiting jobs: a job in several partitions waits in each of them, until it starts in one.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    jobs: SortedMap<PriorityRank, Arc<Waiting>>,
    /// The ranks of each job in its partitions, whose places are 0, 1 and so on.
    ranks: FxHashMap<(JobId, u32), PriorityRank>,
    precedence: Arc<Precedence>,
    /// The jobs in their order, where it is not that of ranks; empty until it is asked for.
    by_pairs: OnceCell<Vec<Arc<Waiting>>>,
}

impl Queue {
    pub(super) fn new(precedence: Arc<Precedence>) -> Queue {
        let (jobs, ranks) = (SortedMap::new(), FxHashMap::default());
        Queue { jobs, ranks, precedence, by_pairs: OnceCell::new() }
    }

    /// Adds a job in one of its partitions; it replaces what the queue had of it there.
    pub(super) fn insert(&mut self, job: Waiting) {
        self.by_pairs.take();
        let rank = job.rank();
        if let Some(before) = self.ranks.insert((job.job, job.place), rank) {
            self.jobs.remove(&before);
        }
        self.jobs.insert(rank, Arc::new(job));
    }

    pub(super) fn remove(&mut self, job: JobId) -> bool {
        self.by_pairs.take();
        let mut place = 0;
        while let Some(rank) = self.ranks.remove(&(job, place)) {
            self.jobs.remove(&rank);
            place += 1;
        }
        place > 0
    }

    /// Returns a job in each of its partitions, in the order in which it named them.
    pub(super) fn of(&self, job: JobId) -> impl Iterator<Item = &Arc<Waiting>> {
        (0..).map_while(move |place| self.ranks.get(&(job, place))).filter_map(|rank| self.jobs.get(rank))
    }

    /// Returns a waiting job as it is now, in the same partition; `None` if it no longer waits.
    pub(super) fn same(&self, job: &Waiting) -> Option<&Arc<Waiting>> {
        self.jobs.get(self.ranks.get(&(job.job, job.place))?)
    }

    pub(super) fn has(&self, job: JobId) -> bool {
        self.ranks.contains_key(&(job, 0))
    }

    /// Lets a waiting job be below any number of leaf switches; returns whether the job waits.
    pub(super) fn spread(&mut self, job: JobId) -> bool {
        self.by_pairs.take();
        let mut waits = false;
        for rank in (0..).map_while(|place| self.ranks.get(&(job, place))) {
            if let Some(waiting) = self.jobs.get_mut(rank) {
                Arc::make_mut(waiting).most_leaves = Some(i64::MAX);
                waits = true;
            }
        }
        waits
    }

    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Returns the jobs in the order in which the loops serve them. O(n log n) after a change if jobs are compared pair by pair.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Waiting>> {
        let by_pairs = self.precedence.is_by_pairs();
        let by_pairs = by_pairs.then(|| self.by_pairs.get_or_init(|| self.sorted_by_pairs()));
        let by_rank = by_pairs.is_none().then(|| self.jobs.values());
        by_pairs.into_iter().flatten().chain(by_rank.into_iter().flatten())
    }

    /// Returns the jobs as slurmctld sorts them from the order of their submission.
    fn sorted_by_pairs(&self) -> Vec<Arc<Waiting>> {
        let mut jobs: Vec<_> = self.jobs.iter().map(|(&rank, job)| (job.class, rank, job.clone())).collect();
        jobs.sort_by_key(|(_, _, job)| (job.order, job.job, Reverse(job.tier), job.place));
        self.precedence.sort(jobs).into_iter().map(|(_, _, job)| job).collect()
    }

    /// Gives all jobs their priorities again; returns whether any order changed. O(n log n) if so.
    pub(super) fn rank_again(&mut self, priority: impl Fn(&Waiting) -> u64) -> bool {
        self.by_pairs.take();
        let fresh: Vec<u64> = self.jobs.values().map(|job| priority(job)).collect();
        let ranks: Vec<PriorityRank> =
            self.jobs.values().zip(&fresh).map(|(job, &priority)| job.rank_by(priority)).collect();
        let same_order = ranks.is_sorted();
        let mut again: Vec<(PriorityRank, Arc<Waiting>)> = Vec::with_capacity(ranks.len());
        for ((mut job, priority), rank) in std::mem::take(&mut self.jobs).into_values().zip(fresh).zip(ranks)
        {
            if job.priority != priority {
                Arc::make_mut(&mut job).priority = priority;
                self.ranks.insert((job.job, job.place), rank);
            }
            again.push((rank, job));
        }
        // To build the map at once takes less time than to insert the entries one by one.
        self.jobs = again.into_iter().collect();
        !same_order
    }
}
