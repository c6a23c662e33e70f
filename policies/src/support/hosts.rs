//! Host selection: which nodes a job's tasks go to.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::Machine;

use super::score::Score;
use crate::placement::{Placement, Share};
use crate::spec::{ParamKind, ParamSpec, Params};
use crate::view::{JobView, padded};

/// A rule of host selection: each task of a job goes to the node of the highest score among those that have
/// room for it, ties to the lowest node; scores are renewed after each task.
#[derive(Clone, Copy, Debug)]
pub struct HostSpec {
    /// Name in specs.
    pub name: &'static str,
    /// The score in symbols: f free, c capacity, q demand of the task, summed over resources.
    pub formula: &'static str,
    /// Who defined it.
    pub cite: &'static str,
    /// `None` when the rule does not tell nodes apart.
    score: Option<fn(&Offer<'_>) -> f64>,
}

/// What a node offers a task.
pub struct Offer<'a> {
    /// What is free there, per resource.
    pub free: &'a [i64],
    /// The node's capacities.
    pub capacity: &'a [i64],
    /// What the task takes.
    pub task: &'a [i64],
}

impl Offer<'_> {
    /// Returns (free, demand, capacity) of every resource that the node has.
    ///
    /// Scores divide once, at the end: equal fractions of different nodes are then equal scores.
    fn amounts(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let amounts =
            self.free.iter().zip(self.task).zip(self.capacity).filter(|(_, capacity)| **capacity > 0);
        amounts.map(|((&free, &task), &capacity)| (free as f64, task as f64, capacity as f64))
    }

    /// Returns what the task would leave of every resource that the node has, as a fraction of its capacity.
    fn left(&self) -> impl Iterator<Item = f64> + '_ {
        self.amounts().map(|(free, task, capacity)| (free - task) / capacity)
    }
}

const PANIGRAHY: &str = "Panigrahy, Talwar, Uyeda, Wieder, Heuristics for Vector Bin Packing, 2011";
const JOHNSON: &str = "Johnson, Demers, Ullman, Garey, Graham, SIAM J. Comput. 3(4), 1974";

/// The rules of host selection: one line each.
pub const HOSTS: &[HostSpec] = &[
    HostSpec { name: "first-fit", formula: "the lowest node", cite: JOHNSON, score: None },
    HostSpec {
        name: "best-fit",
        formula: "least Σ (f-q)/c",
        cite: JOHNSON,
        score: Some(|offer| -offer.left().sum::<f64>()),
    },
    HostSpec {
        name: "worst-fit",
        formula: "most Σ (f-q)/c",
        cite: JOHNSON,
        score: Some(|offer| offer.left().sum()),
    },
    HostSpec {
        name: "dot",
        formula: "most Σ (f/c)*(q/c)",
        cite: PANIGRAHY,
        score: Some(|offer| offer.amounts().map(|(free, task, all)| free * task / (all * all)).sum()),
    },
    HostSpec {
        name: "l2",
        formula: "least Σ ((f-q)/c)^2",
        cite: PANIGRAHY,
        score: Some(|offer| -offer.left().map(|left| left.powi(2)).sum::<f64>()),
    },
];

/// The parameter that names the rule of host selection.
pub const PLACE: ParamSpec = ParamSpec {
    name: "place",
    kind: ParamKind::Host,
    default: "first-fit",
    help: "on machines with nodes: which of the nodes with room a task goes to",
};

/// Nodes chosen for a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The nodes, ascending.
    pub placement: Placement,
    /// How often a node was chosen among several by score.
    pub choices: u32,
    /// How often two or more of them had the best score.
    pub ties: u32,
}

/// What nodes have room for, and what scores are made of.
#[derive(Clone, Copy, Debug)]
pub struct Offers<'a, const K: usize> {
    /// What a job may take on each node for all of its time.
    pub room: &'a [[i64; K]],
    /// What counts as free on each node when it is scored: what is free at the start.
    pub free: &'a [[i64; K]],
}

/// Chooses nodes by a rule.
#[derive(Clone, Debug)]
pub struct Hosts {
    spec: &'static HostSpec,
}

impl Hosts {
    /// Returns the rule that the parameters name; without the parameter, first fit.
    pub fn from_params(params: &Params) -> Hosts {
        let named = HOSTS.iter().find(|host| host.name == params.text(PLACE.name));
        Hosts { spec: named.unwrap_or(&HOSTS[0]) }
    }

    /// Chooses nodes for all tasks of a job; `None` when the nodes do not have room for all of them.
    ///
    /// O(nodes + tasks · log nodes) scores.
    pub fn choose<const K: usize>(
        &self,
        machine: &Machine,
        job: JobView<'_>,
        offers: Offers<'_, K>,
    ) -> Option<Choice> {
        let task = job.task_procs();
        let (full, rest) = (job.procs() / task, job.procs() % task);
        let most: Vec<i64> = (0..machine.nodes())
            .map(|node| if admits(machine, node, job) { tasks_in(job, task, &offers.room[node]) } else { 0 })
            .collect();
        if most.iter().sum::<i64>() < full {
            return None;
        }
        let mut draft =
            Draft { hosts: self, machine, job, offers, taken: vec![0; most.len()], choices: 0, ties: 0 };
        draft.fill(task, full, &most);
        if rest > 0 {
            draft.add_rest(rest)?;
        }
        Some(draft.finish())
    }
}

/// A placement in the making.
struct Draft<'a, const K: usize> {
    hosts: &'a Hosts,
    machine: &'a Machine,
    job: JobView<'a>,
    offers: Offers<'a, K>,
    /// Processors of the job on each node.
    taken: Vec<i64>,
    choices: u32,
    ties: u32,
}

impl<const K: usize> Draft<'_, K> {
    /// Places whole tasks, of which each node has room for so many.
    fn fill(&mut self, task: i64, mut left: i64, most: &[i64]) {
        if self.hosts.spec.score.is_none() {
            for (taken, &most) in self.taken.iter_mut().zip(most) {
                let tasks = most.min(left);
                *taken = tasks * task;
                left -= tasks;
            }
            return;
        }
        let with_room = (0..most.len()).filter(|&node| most[node] > 0);
        let mut ranked: BinaryHeap<(Score, Reverse<usize>)> =
            with_room.map(|node| (self.score(node, task), Reverse(node))).collect();
        while left > 0
            && let Some((best, Reverse(node))) = ranked.pop()
        {
            if let Some((next, _)) = ranked.peek() {
                self.choices += 1;
                self.ties += u32::from(*next == best);
            }
            self.taken[node] += task;
            left -= 1;
            if self.taken[node] / task < most[node] {
                ranked.push((self.score(node, task), Reverse(node)));
            }
        }
    }

    /// Places the last task, which is smaller than the others.
    fn add_rest(&mut self, rest: i64) -> Option<()> {
        let fits = |node: &usize| {
            let procs = self.taken[*node] + rest;
            let room = &self.offers.room[*node];
            admits(self.machine, *node, self.job)
                && (0..self.machine.kinds()).all(|kind| self.job.held(kind, procs) <= room[kind])
        };
        let ranked = (0..self.taken.len()).filter(fits).map(|node| (self.score(node, rest), Reverse(node)));
        let (_, Reverse(node)) = ranked.max()?;
        self.taken[node] += rest;
        Some(())
    }

    fn score(&self, node: usize, task: i64) -> Score {
        let Some(score) = self.hosts.spec.score else { return Score::new(0.0) };
        let kinds = self.machine.kinds();
        let (mut free, mut takes) = (self.offers.free[node], [0; K]);
        for kind in 0..kinds {
            free[kind] -= self.job.held(kind, self.taken[node]);
            takes[kind] = self.job.held(kind, task);
        }
        let capacity = self.machine.capacity(node);
        Score::new(score(&Offer { free: &free[..kinds], capacity, task: &takes[..kinds] }))
    }

    fn finish(self) -> Choice {
        let placed = self.taken.iter().enumerate().filter(|(_, procs)| **procs > 0);
        let shares = placed.map(|(node, &procs)| Share { node: node as u32, procs }).collect();
        Choice { placement: Placement(shares), choices: self.choices, ties: self.ties }
    }
}

/// Returns how many tasks of so many processors a job can have where so much is free.
pub fn tasks_in<const K: usize>(job: JobView<'_>, task: i64, room: &[i64; K]) -> i64 {
    let procs = job.procs();
    let whole = |(&demand, &free): (&i64, &i64)| {
        if demand == 0 || free < 0 {
            return if free < 0 { 0 } else { i64::MAX };
        }
        match (demand.checked_mul(task), free.checked_mul(procs)) {
            (Some(unit), Some(room)) => room / unit,
            _ => {
                let (unit, room) =
                    (i128::from(demand) * i128::from(task), i128::from(free) * i128::from(procs));
                (room / unit).min(i128::from(i64::MAX)) as i64
            }
        }
    };
    job.demand().iter().zip(room).map(whole).min().unwrap_or(0).min(procs / task)
}

/// Whether a node takes jobs of a job's partition.
pub fn admits(machine: &Machine, node: usize, job: JobView<'_>) -> bool {
    !machine.is_partitioned() || machine.admits(node, job.partition())
}

/// Returns what is free on every node now.
pub fn free_now<const K: usize>(turn: &crate::turn::Turn<'_>) -> Vec<[i64; K]> {
    (0..turn.machine().nodes()).map(|node| padded(turn.free(node))).collect()
}
