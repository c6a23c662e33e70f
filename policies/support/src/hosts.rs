//! Host selection: the choice of nodes for a job's tasks.

pub mod capacities;
mod draft;
pub mod options;

use batchlab_traces::{Citation, Layout, Machine};

use crate::names::names;
use crate::placement::Placement;
use crate::spec::{ParamError, ParamKind, ParamSpec, Params};
use crate::view::{JobView, padded};
use capacities::Capacities;
use draft::Draft;
use options::{AVAILABILITY, RESCORE, SHARE};

/// A rule of host selection: each task of a job goes to the node with the highest score among those with
/// room for it, ties to the lowest node; scores are updated after each task.
#[derive(Clone, Copy, Debug)]
pub struct HostSpec {
    pub name: &'static str,
    /// The score in symbols: f free, c capacity, q demand of the task, summed over resources.
    pub formula: &'static str,
    pub cite: Citation,
    score: HostScore,
}

#[derive(Clone, Copy, Debug)]
enum HostScore {
    /// None: all nodes are equal.
    Same,
    Number(fn(&Offer<'_>) -> f64),
    /// The multi-capacity score, under the options of [`Capacities`].
    Capacities,
}

pub struct Offer<'a> {
    pub free: &'a [i64],
    pub capacity: &'a [i64],
    pub task: &'a [i64],
}

impl Offer<'_> {
    /// Returns (free, demand, capacity) of every resource that the node has.
    ///
    /// Scores divide once, at the end, so that equal fractions of different nodes give equal scores.
    fn amounts(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        let amounts =
            self.free.iter().zip(self.task).zip(self.capacity).filter(|(_, capacity)| **capacity > 0);
        amounts.map(|((&free, &task), &capacity)| (free as f64, task as f64, capacity as f64))
    }

    /// Returns the amounts that the task would leave free of every resource of the node, as fractions of its capacity.
    fn left(&self) -> impl Iterator<Item = f64> + '_ {
        self.amounts().map(|(free, task, capacity)| (free - task) / capacity)
    }
}

const PANIGRAHY: Citation = Citation::of(
    "Panigrahy, Talwar, Uyeda, Wieder, Heuristics for Vector Bin Packing, 2011",
    &["panigrahy11"],
);
const SHEIKHALISHAHI: Citation = Citation::of(
    "Sheikhalishahi, Wallace, Grandinetti, Vazquez-Poletti, Guerriero, FGCS 2015, Algorithm 1",
    &["sheikhalishahi15"],
);
const JOHNSON: Citation =
    Citation::of("Johnson, Demers, Ullman, Garey, Graham, SIAM J. Comput. 3(4), 1974", &["johnson74"]);

pub const HOSTS: &[HostSpec] = &[
    HostSpec { name: "first-fit", formula: "the lowest node", cite: JOHNSON, score: HostScore::Same },
    HostSpec {
        name: "best-fit",
        formula: "least Σ (f-q)/c",
        cite: JOHNSON,
        score: HostScore::Number(|offer| -offer.left().sum::<f64>()),
    },
    HostSpec {
        name: "worst-fit",
        formula: "most Σ (f-q)/c",
        cite: JOHNSON,
        score: HostScore::Number(|offer| offer.left().sum()),
    },
    HostSpec {
        name: "dot",
        formula: "most Σ (f/c)*(q/c)",
        cite: PANIGRAHY,
        score: HostScore::Number(|offer| {
            offer.amounts().map(|(free, task, all)| free * task / (all * all)).sum()
        }),
    },
    HostSpec {
        name: "l2",
        formula: "least Σ ((f-q)/c)^2",
        cite: PANIGRAHY,
        score: HostScore::Number(|offer| -offer.left().map(|left| left.powi(2)).sum::<f64>()),
    },
    HostSpec {
        name: "mcbp",
        formula: "most Σ w*q/c, w the resources less free than this one, less those freer",
        cite: SHEIKHALISHAHI,
        score: HostScore::Capacities,
    },
];

const NAMES: &[&str] = names!(HOSTS);

pub const PLACE: ParamSpec = ParamSpec {
    name: "place",
    kind: ParamKind::Choice(NAMES),
    default: "first-fit",
    help: "on machines with nodes: which of the nodes with room a task goes to",
    ..ParamSpec::PLAIN
};

/// The nodes chosen for a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The nodes, ascending.
    pub placement: Placement,
    /// How often a node was chosen among several by score.
    pub choices: u32,
    /// How often two or more of these nodes had the best score.
    pub ties: u32,
}

/// The room on nodes, and the amounts that scores are computed from.
#[derive(Clone, Copy, Debug)]
pub struct Offers<'a, const K: usize> {
    /// The amounts that a job may take on each node for its whole stay.
    pub room: &'a [[i64; K]],
    /// The amounts that count as free for scores: those at the start.
    pub free: &'a [[i64; K]],
}

#[derive(Clone, Debug)]
pub struct Hosts {
    spec: &'static HostSpec,
    capacities: Capacities,
    /// Whether each task gets a node of its own.
    apart: bool,
    /// Whether nodes are ranked once per job, and filled in that order.
    once: bool,
    /// Whether scores use the amounts that are free over a job's whole stay.
    whole_stay: bool,
}

impl Hosts {
    /// Returns the rule that the parameters name, with its options; without the parameter, first fit.
    pub fn from_params(params: &Params) -> Result<Hosts, ParamError> {
        Ok(Hosts {
            spec: params.entry(PLACE.name, HOSTS, |host| host.name).unwrap_or(&HOSTS[0]),
            capacities: Capacities::from_params(params)?,
            apart: !params.is_on(&SHARE)?,
            once: params.is(&RESCORE, "job")?,
            whole_stay: params.is(&AVAILABILITY, "stay")?,
        })
    }

    pub fn first_fit() -> Hosts {
        Hosts {
            spec: &HOSTS[0],
            capacities: Capacities::default(),
            apart: false,
            once: false,
            whole_stay: false,
        }
    }

    #[inline]
    pub fn scores_whole_stay(&self) -> bool {
        self.whole_stay
    }

    /// Whether tasks go to the lowest nodes with room for them.
    #[inline]
    pub fn is_first_fit(&self) -> bool {
        matches!(self.spec.score, HostScore::Same)
    }

    #[inline]
    pub fn tasks<'a>(&self, machine: &'a Machine, job: JobView<'a>) -> Tasks<'a> {
        let layout = job.layout();
        let layout = if self.apart { layout.at_most(1) } else { layout };
        Tasks { machine, job, demand: job.demand(), layout }
    }

    /// Chooses nodes for all tasks of a job; `None` if the nodes do not have room for all tasks.
    ///
    /// O(nodes + tasks · log nodes) scores.
    pub fn choose<const K: usize>(
        &self,
        machine: &Machine,
        job: JobView<'_>,
        offers: Offers<'_, K>,
    ) -> Option<Choice> {
        let tasks = self.tasks(machine, job);
        let most: Vec<i64> =
            (0..machine.nodes()).map(|node| tasks.whole_on(node, &offers.room[node])).collect();
        if most.iter().sum::<i64>() < tasks.layout.tasks {
            return None;
        }
        self.choose_among(tasks, offers, &most)
    }

    /// As [`Hosts::choose`], for tasks that the first nodes have room for; `most` is how many whole ones each has room for.
    pub fn choose_among<const K: usize>(
        &self,
        tasks: Tasks<'_>,
        offers: Offers<'_, K>,
        most: &[i64],
    ) -> Option<Choice> {
        let mut draft = Draft::new(self, tasks, offers);
        draft.fill(most);
        if tasks.layout.rests > 0 {
            draft.add_rests()?;
        }
        draft.finish()
    }
}

/// The tasks of a job, to be placed on the nodes of a machine.
#[derive(Clone, Copy)]
pub struct Tasks<'a> {
    machine: &'a Machine,
    job: JobView<'a>,
    demand: &'a [i64],
    layout: Layout,
}

impl Tasks<'_> {
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns how many whole tasks fit into the free amounts of a node.
    #[inline]
    pub fn whole_on<const K: usize>(&self, node: usize, room: &[i64; K]) -> i64 {
        if room[0] < self.layout.task || !self.job.admitted(self.machine, node) {
            return 0;
        }
        self.layout.tasks_on(self.demand, &self.limited(room), self.machine.capacity(node))
    }

    /// Returns the room of a node with what the job can get of the devices.
    #[inline]
    fn limited<const K: usize>(&self, room: &[i64; K]) -> [i64; K] {
        let mut room = *room;
        if let Some(devices) = self.machine.devices() {
            devices.limit(&mut room);
        }
        room
    }

    /// Returns how many whole tasks fit into the free amounts of a node, and whether a smaller one fits there too.
    pub fn on<const K: usize>(&self, node: usize, room: &[i64; K]) -> (i64, bool) {
        let whole = self.whole_on(node, room);
        if self.layout.rests == 0 || !self.job.admitted(self.machine, node) {
            return (whole, false);
        }
        let room = self.limited(room);
        (whole, self.layout.rest_beside(whole, self.demand, &room, self.machine.capacity(node)))
    }
}

/// Returns the free amounts of every node, in devices where the machine has some.
pub fn free_now<const K: usize>(turn: &crate::turn::Turn<'_>) -> Vec<[i64; K]> {
    (0..turn.machine().nodes()).map(|node| padded(turn.room(node))).collect()
}
