//! The nodes as the jobs of each tier see them.
//!
//! Where jobs of a higher tier suspend others (`SUSPEND,GANG`), processors of jobs of lower tiers are free for them, and memory is
//! not. Otherwise there is one space for all jobs.
//!
//! Source: `_job_test` of `select/cons_tres` of Slurm 22.05, its steps 1 to 3.

use std::collections::BTreeMap;
use std::sync::Arc;

use batchlab_traces::{JobId, Machine, Time};

use super::bins::Bins;
use super::gang::{Gang, GangTurn, Place};
use super::outlook::{Forecast, Within};
use super::room::TaskShape;
use super::running::{HeldNodes, RunningJob};
use super::space::Space;
use super::topology::SwitchTree;
use crate::site::SlurmSystem;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;
use crate::twin::table::{NodeSpaceMap, Search};
use batchlab_policies::placement::Placement;
use batchlab_policies::view::JobView;

/// A space for the jobs of each tier, the lowest first.
#[derive(Clone, Debug)]
pub struct Spaces {
    levels: Vec<(i64, Space)>,
    /// The jobs with their processors, if jobs are suspended.
    gang: Option<Gang>,
    /// What each job on the machine holds, beside its processors.
    held: BTreeMap<JobId, Held>,
}

/// A job on the machine.
#[derive(Clone, Debug)]
struct Held {
    user: i64,
    owns: bool,
    /// The amounts of each resource, node by node.
    nodes: Vec<(u32, Vec<i64>)>,
}

impl Spaces {
    /// Returns the spaces of an installation on a machine: one, or one for each tier if jobs of higher tiers are to suspend others
    /// and the installation has it so.
    pub fn new(system: &SlurmSystem, machine: &Machine, suspends: bool) -> Spaces {
        let is_alike = system.nodes.len() == machine.nodes();
        let weights = if is_alike {
            system.nodes.iter().map(|node| node.weight).collect()
        } else {
            vec![1; machine.nodes()]
        };
        let tree = system.topology.as_ref().filter(|_| is_alike);
        let tree = tree.map(|tree| Arc::new(SwitchTree::new(tree, machine, system.select.whole_nodes)));
        let tiers = if suspends { system.suspending_tiers() } else { Vec::new() };
        let space = || Space::new(machine, weights.clone(), tree.clone());
        let procs = || (0..machine.nodes()).map(|node| machine.capacity(node)[0]).collect();
        let levels = match tiers[..] {
            [] => vec![(i64::MIN, space())],
            _ => tiers.iter().map(|&tier| (tier, space())).collect(),
        };
        let gang = (!tiers.is_empty()).then(|| Gang::new(procs()));
        Spaces { levels, gang, held: BTreeMap::new() }
    }

    /// Whether jobs of higher tiers suspend others.
    pub fn suspends(&self) -> bool {
        self.gang.is_some()
    }

    /// Returns the place of the space of a job.
    fn level(&self, job: &Waiting) -> usize {
        self.levels.iter().rposition(|(tier, _)| *tier <= job.sees).unwrap_or(0)
    }

    /// Returns the space of a job.
    fn space(&mut self, job: &Waiting) -> &mut Space {
        let at = self.level(job);
        &mut self.levels[at].1
    }

    /// Returns the space in which all jobs count.
    fn all(&self) -> &Space {
        &self.levels[0].1
    }

    /// Returns the nodes on which jobs are completing.
    pub fn closing(&self) -> &NodeSet {
        self.all().closing()
    }

    pub fn nodes(&self) -> usize {
        self.all().nodes()
    }

    /// Returns the number of the field of a job: its room on its nodes.
    pub fn field(&mut self, room: &Arc<TaskShape>, nodes: &Arc<NodeSet>) -> usize {
        // Each space numbers the fields in the same order.
        self.levels.iter_mut().map(|(_, space)| space.field(room.clone(), nodes)).max().unwrap_or(0)
    }

    /// Sets what is free on a node, after a change of its capacity.
    pub fn set_free(&mut self, node: usize, free: &[i64]) {
        // What suspended jobs gave back is not free for the engine.
        if self.gang.is_none() {
            self.levels.iter_mut().for_each(|(_, space)| space.set_free(node, free));
        }
    }

    /// Puts a job on its nodes from now on until its limit.
    pub fn start(&mut self, job: JobView<'_>, waiting: &Waiting, placement: &Placement, now: Time) {
        let (at, end) = (self.level(waiting), now + waiting.limit);
        let Some(gang) = &mut self.gang else {
            self.levels[0].1.start(job, placement, end, waiting.owns);
            return;
        };
        // Beside all jobs, else beside the jobs from the lowest tier on beside which there is room: as the nodes were chosen.
        let fits = |at: usize| self.levels[at].1.has_free(job, placement);
        let beside = match at {
            0 => 0,
            _ if fits(0) => 0,
            at => (1..at).rev().take_while(|&below| fits(below)).last().unwrap_or(at),
        };
        let nodes = self.levels[0].1.held_by(job, placement);
        let procs = nodes.iter().map(|(node, amounts)| (*node, amounts[0]));
        let place = Place { tier: waiting.tier, bars: waiting.bars, beside: self.levels[beside].0 };
        gang.start(job.id(), procs, place, now, end - now);
        self.held.insert(job.id(), Held { user: job.user(), owns: waiting.owns, nodes });
        let nodes: Vec<u32> = placement.0.iter().map(|share| share.node).collect();
        self.refresh(&nodes);
    }

    /// Takes a job off its nodes, which complete from now on if `completes`. Returns the nodes.
    pub fn end(&mut self, job: JobId, completes: bool) -> Option<Vec<u32>> {
        let mut ended = None;
        for (_, space) in &mut self.levels {
            ended = space.end(job, completes).or(ended);
        }
        if let Some(gang) = &mut self.gang {
            let nodes = gang.end(job);
            self.held.remove(&job);
            self.refresh(&nodes);
        }
        ended
    }

    /// Lets a running job end by an instant, if its limit is later.
    pub fn ends_by(&mut self, job: JobId, end: Time) {
        self.levels.iter_mut().for_each(|(_, space)| space.ends_by(job, end));
    }

    /// As [`Space::free_procs`].
    pub fn free_procs(&self, node: usize) -> i64 {
        self.all().free_procs(node)
    }

    /// As [`Space::hold`].
    pub fn hold(&mut self, reservation: JobId, held: &[(u32, i64)], end: Time) {
        self.levels.iter_mut().for_each(|(_, space)| space.hold(reservation, held, end));
    }

    /// As [`Space::generation`].
    pub fn generation(&self) -> u64 {
        self.all().generation()
    }

    /// Lets jobs stop and go on after jobs have started or ended.
    pub fn turn(&mut self, now: Time) -> GangTurn {
        let Some(gang) = &mut self.gang else { return GangTurn::default() };
        let turn = gang.turn(now);
        for &job in &turn.go_on {
            let nodes = self.gang.as_ref().map(|gang| gang.nodes(job)).unwrap_or_default();
            self.refresh(&nodes);
        }
        turn
    }

    /// Takes up which processors of some nodes count for which jobs of each tier.
    fn refresh(&mut self, nodes: &[u32]) {
        let Some(gang) = &self.gang else { return };
        let jobs = gang.on(nodes);
        for (tier, space) in &mut self.levels {
            for &job in &jobs {
                space.end(job, false);
            }
            for &job in &jobs {
                let (Some(held), Some(end)) = (self.held.get(&job), gang.limit_at(job)) else { continue };
                let counted = held.nodes.iter().map(|(node, amounts)| {
                    let mut amounts = amounts.clone();
                    amounts[0] = gang.counted(job, *node, *tier);
                    (*node, amounts)
                });
                let Held { user, owns, .. } = *held;
                space.put(RunningJob { end, job, user, owns, held: HeldNodes::of(counted) });
            }
        }
    }

    /// Returns the running jobs with one of some nodes, each with the number of all its nodes.
    pub fn running_on(&self, nodes: Arc<NodeSet>) -> impl Iterator<Item = (JobId, usize)> {
        self.all().running_on(nodes)
    }

    /// Returns the nodes that a job of a user has to leave to other users.
    pub fn of_others(&self, user: i64, owns: bool) -> NodeSet {
        self.all().of_others(user, owns)
    }

    /// Returns how many of some nodes a running job has.
    pub fn nodes_in(&self, job: JobId, nodes: &NodeSet) -> usize {
        self.all().nodes_in(job, nodes)
    }

    /// The nodes of a job have completed.
    pub fn completed(&mut self, nodes: &[u32]) {
        self.levels.iter_mut().for_each(|(_, space)| space.completed(nodes));
    }

    /// Returns the nodes that a job gets now of some nodes; `None` if they do not suffice. If all processors in use leave too little,
    /// it takes processors of lower tiers, of the lowest ones that suffice.
    pub fn now(&mut self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let at = self.level(job);
        if let Some(placement) = self.levels[0].1.now(job, nodes) {
            return Some(placement);
        }
        if at == 0 {
            return None;
        }
        let mut found = self.levels[at].1.now(job, nodes)?;
        for (_, space) in self.levels[1..at].iter_mut().rev() {
            match space.now(job, nodes) {
                Some(better) => found = better,
                None => break,
            }
        }
        Some(found)
    }

    /// As [`Space::now_or_completing`], beside the jobs that are in its way.
    pub fn now_or_completing(&mut self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        self.space(job).now_or_completing(job, nodes)
    }

    /// Whether a job could be placed on its nodes if no other job were there.
    pub fn reaches(&self, job: &Waiting) -> bool {
        self.all().reaches(job)
    }

    /// As [`Space::least_nodes`].
    pub fn least_nodes(&self, job: &Waiting, most: i64) -> i64 {
        self.all().least_nodes(job, most)
    }

    /// Whether no job runs.
    pub fn is_idle(&self) -> bool {
        self.held.is_empty() && self.levels.iter().all(|(_, space)| space.is_idle())
    }

    /// Whether a job fits on what is free of all its nodes, completing ones included.
    pub fn fits(&mut self, job: &Waiting) -> bool {
        self.space(job).fits(job)
    }

    /// Whether a job may fit on what is free now of some nodes.
    pub fn has_room(&mut self, job: &Waiting, nodes: &NodeSet) -> bool {
        self.space(job).has_room(job, nodes)
    }

    /// As [`Space::begin_search`].
    pub fn begin_search(&mut self, job: &Waiting) {
        self.space(job).begin_search();
    }

    /// As [`Space::candidate`].
    pub fn candidate(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        table: &NodeSpaceMap,
        from: Time,
        step: Time,
    ) -> Search {
        self.space(job).candidate(job, nodes, table, from, step)
    }

    /// As [`Space::forecast`].
    pub fn forecast(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        within: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        self.space(job).forecast(job, nodes, within, bins)
    }

    /// As [`Space::earliest`].
    pub fn earliest(&mut self, job: &Waiting, now: Time) -> Option<Time> {
        self.space(job).earliest(job, now)
    }
}
