//! The two loops with all that they know, and a decision: what has happened, then the loops that are due.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::site::{PriorityType, Scheduler, SlurmSite};
use batchlab_traces::{JobId, Time};

use super::bins::Bins;
use super::clock::LoopTimers;
use super::components::Components;
use super::cores::Inside;
use super::cycle::Paused;
use super::held::Held;
use super::node_set::NodeSet;
use super::preempt::Preempting;
use super::priority::Multifactor;
use super::queue::Queue;
use super::reservation::Reservation;
use super::tiers::Spaces;
use super::topology::SwitchTree;
use batchlab_policies::placement::Placement;
use batchlab_policies::policy::{Policy, PolicyError};
use batchlab_policies::spec::Setting;
use batchlab_policies::turn::Turn;

/// How long slurmctld takes from an event to the pass that it causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReactClock {
    /// One time for all events.
    #[default]
    Mean,
    /// A time that is drawn for each event.
    Drawn,
    /// Until the next tick of slurmctld's clock, which has one second and a phase that is drawn. The phases of the other loops are
    /// drawn, too, as far as the log leaves them open.
    Ticks,
}

/// How long the controller takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// From an event to the pass that it causes.
    pub react: Time,
    /// Whether it takes this long, or as long as slurmctld's clock makes it.
    pub clock: ReactClock,
    /// From the end of a job until its nodes are free.
    pub complete: Time,
    /// From the first submission to the first backfill cycle; `None` for as the log tells, else at once.
    pub phase: Option<Time>,
    /// Whether a job is tried as it is submitted (`srun`, `salloc`), rather than left to the main loop (`sbatch`).
    pub tries: bool,
}

/// The two loops with all that they know.
pub(super) struct Twin {
    pub(super) rules: Scheduler,
    pub(super) delays: Delays,
    pub(super) site: Arc<SlurmSite>,
    pub(super) priority: Option<Multifactor>,
    pub(super) space: Spaces,
    pub(super) queue: Queue,
    pub(super) bins: Bins,
    /// The nodes of each partition.
    pub(super) partitions: BTreeMap<i64, Arc<NodeSet>>,
    /// The reservations for the jobs that name them.
    pub(super) reservations: Arc<[Reservation]>,
    /// The running jobs of reservations of cores.
    pub(super) inside: BTreeMap<JobId, Inside>,
    /// The components of heterogeneous jobs.
    pub(super) components: Components,
    /// How many there are of each licence, without those of running jobs.
    pub(super) licences: Vec<i64>,
    /// The nodes that are wholly out of service, without an end that is known: slurmctld plans nothing on them.
    pub(super) out: NodeSet,
    /// The jobs whose nodes are completing, with the instant at which these are free.
    pub(super) completing: BTreeMap<(Time, JobId), Completing>,
    pub(super) clock: LoopTimers,
    /// The cycle that sleeps.
    pub(super) paused: Option<Paused>,
    pub(super) preempting: Preempting,
    /// The jobs that have lost their nodes, with the instant from which they may start again.
    pub(super) requeued: BTreeSet<(Time, JobId)>,
    /// The jobs that wait for nodes below few switches, with the instant from which they take others.
    pub(super) choosy: BTreeSet<(Time, JobId)>,
    /// Whether limits on running jobs may keep waiting ones out.
    pub(super) is_limited: bool,
    /// How many service classes, one below the other, the jobs of each one preempt.
    pub(super) levels: Vec<i64>,
    /// Whether jobs are tried as they asked where they got fewer processors than that: so the closed loop does.
    pub(super) asks: bool,
    /// What a hypothetical pass starts; `None` if passes are real.
    pub(super) hypothetical: Option<Starts>,
}

/// Jobs that start, and their nodes.
#[derive(Debug, Default)]
pub(super) struct Starts {
    pub(super) jobs: Vec<JobId>,
    pub(super) placements: Vec<Placement>,
    /// Why the others do not start.
    pub(super) held: BTreeMap<JobId, Held>,
}

impl Starts {
    /// Returns the jobs, each with the number of its nodes.
    pub(super) fn on_nodes(&self) -> Vec<(JobId, i64)> {
        let nodes = self.placements.iter().map(|placement| placement.0.len() as i64);
        self.jobs.iter().copied().zip(nodes).collect()
    }
}

/// What a job leaves.
pub(super) struct Completing {
    pub(super) nodes: Vec<u32>,
    pub(super) was_killed: bool,
}

impl Policy for Twin {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        let mut heard = self.hear(turn);
        self.reject_unreachable(turn, &mut heard)?;
        self.take_turns(turn)?;
        let tried = if self.delays.tries { heard.submitted.as_slice() } else { &[] };
        for &job in tried {
            self.at_submission(turn, job)?;
        }
        self.notice(turn, &heard);
        let due = self.pass_due(turn.now());
        if let Some(full) = due.or(heard.vacated.then_some(false)) {
            self.pass(turn, full)?;
        }
        self.backfill(turn)?;
        self.reject_stuck(turn)?;
        self.sleep(turn)
    }
}

impl Twin {
    pub(super) fn new(
        rules: Scheduler,
        delays: Delays,
        site: &Arc<SlurmSite>,
        setting: &Setting<'_>,
        suspends: bool,
    ) -> Twin {
        let (machine, system) = (setting.machine, &site.system);
        let weights = if system.nodes.len() == machine.nodes() {
            system.nodes.iter().map(|node| node.weight).collect()
        } else {
            vec![1; machine.nodes()]
        };
        let ranks = system.priority.kind == PriorityType::Multifactor;
        let bins = Bins {
            single: system.select.whole_nodes,
            step: rules.backfill.bin_step,
            epoch: site.epoch,
            overtime: system.over_time_limit + system.kill_wait,
        };
        let whole_nodes = system.select.whole_nodes;
        let tiers = if suspends { system.suspending_tiers() } else { Vec::new() };
        let tree = system.topology.as_ref().filter(|_| system.nodes.len() == machine.nodes());
        let tree = tree.map(|topology| SwitchTree::new(topology, machine, whole_nodes));
        let reserved = |one| Reservation::new(one, machine.nodes());
        Twin {
            space: Spaces::new(machine, &weights, tree, &tiers),
            rules,
            delays,
            priority: ranks.then(|| Multifactor::new(site.clone(), machine)),
            queue: Queue::default(),
            bins,
            partitions: BTreeMap::new(),
            reservations: site.reservations().iter().map(reserved).collect(),
            inside: BTreeMap::new(),
            components: Components::default(),
            licences: site.licences().collect(),
            out: NodeSet::empty(machine.nodes()),
            completing: BTreeMap::new(),
            clock: LoopTimers::default(),
            paused: None,
            preempting: Preempting::default(),
            requeued: BTreeSet::new(),
            choosy: BTreeSet::new(),
            is_limited: false,
            levels: system.preempting_levels(),
            asks: false,
            hypothetical: None,
            site: site.clone(),
        }
    }
}
