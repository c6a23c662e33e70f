//! The nodes as the jobs of each tier see them.
//!
//! Where jobs of a higher tier suspend others (`SUSPEND,GANG`), processors of jobs of lower tiers are free for them, and memory is
//! not. Otherwise there is one space for all jobs.
//!
//! Source: `_job_test` of `select/cons_tres` of Slurm 22.05, its steps 1 to 3.

use std::sync::Arc;

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time};

use super::gang::{Gang, GangTurn, Place};
use super::room::TaskShape;
use super::running::{HeldNodes, RunningJob};
use super::space::Space;
use super::topology::SwitchTree;
use crate::site::SlurmSystem;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;
use batchlab_contract::placement::Placement;
use batchlab_contract::view::JobView;

#[derive(Clone, Debug)]
pub struct Spaces {
    levels: Vec<(i64, Space)>,
    /// The jobs with their processors, if jobs are suspended.
    gang: Option<Gang>,
    /// What each job on the machine holds, beside its processors.
    held: SortedMap<JobId, Held>,
}

#[derive(Clone, Debug)]
struct Held {
    user: i64,
    owns: bool,
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
        Spaces { levels, gang, held: SortedMap::new() }
    }

    pub fn suspends(&self) -> bool {
        self.gang.is_some()
    }

    fn level(&self, job: &Waiting) -> usize {
        self.levels.iter().rposition(|(tier, _)| *tier <= job.sees).unwrap_or(0)
    }

    pub fn seen_by(&mut self, job: &Waiting) -> &mut Space {
        let at = self.level(job);
        &mut self.levels[at].1
    }

    pub fn all(&self) -> &Space {
        &self.levels[0].1
    }

    pub fn field(&mut self, room: &Arc<TaskShape>, nodes: &Arc<NodeSet>) -> usize {
        // Each space numbers the fields in the same order.
        self.levels.iter_mut().map(|(_, space)| space.field(room.clone(), nodes)).max().unwrap_or(0)
    }

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

    pub fn ends_by(&mut self, job: JobId, end: Time) {
        self.levels.iter_mut().for_each(|(_, space)| space.ends_by(job, end));
    }

    pub fn lasts(&mut self, job: JobId, more: Time) {
        self.levels.iter_mut().for_each(|(_, space)| space.lasts(job, more));
    }

    /// As [`Space::hold`].
    pub fn hold(&mut self, reservation: JobId, held: &[(u32, i64)], end: Time) {
        self.levels.iter_mut().for_each(|(_, space)| space.hold(reservation, held, end));
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

    pub fn is_idle(&self) -> bool {
        self.held.is_empty() && self.levels.iter().all(|(_, space)| space.is_idle())
    }
}
