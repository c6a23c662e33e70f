//! A placement under construction: the tasks of a job are assigned to nodes one by one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::Layout;

use super::{Choice, HostScore, Hosts, Offer, Offers, Tasks};
use crate::placement::{Placement, Share};
use crate::score::Score;

/// A node's score as a whole number: the score itself if the rule is exact, otherwise a number in the order of the scores.
type Key = i128;

pub(super) struct Draft<'a, const K: usize> {
    hosts: &'a Hosts,
    tasks: Tasks<'a>,
    offers: Offers<'a, K>,
    /// Processors of the job on each node.
    taken: Vec<i64>,
    choices: u32,
    ties: u32,
}

impl<'a, const K: usize> Draft<'a, K> {
    pub(super) fn new(hosts: &'a Hosts, tasks: Tasks<'a>, offers: Offers<'a, K>) -> Draft<'a, K> {
        Draft { hosts, tasks, offers, taken: vec![0; tasks.machine.nodes()], choices: 0, ties: 0 }
    }

    /// Places whole tasks; `most` is the number of tasks that each node has room for.
    pub(super) fn fill(&mut self, most: &[i64]) {
        let Layout { task, tasks: mut left, .. } = self.tasks.layout;
        if self.hosts.is_first_fit() {
            for (taken, &most) in self.taken.iter_mut().zip(most) {
                let tasks = most.min(left);
                *taken = tasks * task;
                left -= tasks;
            }
            return;
        }
        let with_room = (0..most.len()).filter(|&node| most[node] > 0);
        let mut others: BinaryHeap<(Key, Reverse<usize>)> =
            with_room.map(|node| (self.score(node, task), Reverse(node))).collect();
        let Some(mut best) = others.pop() else { return };
        while left > 0 {
            let Reverse(node) = best.1;
            if let Some((next, _)) = others.peek() {
                self.choices += 1;
                self.ties += u32::from(*next == best.0);
            }
            let tasks = if self.hosts.once { most[node].min(left) } else { 1 };
            self.taken[node] += tasks * task;
            left -= tasks;
            if self.hosts.once || self.taken[node] / task == most[node] {
                let Some(next) = others.pop() else { return };
                best = next;
                continue;
            }
            best.0 = self.score(node, task);
            // Usually the next task goes to another node: one move in the heap instead of two.
            if let Some(mut next) = others.peek_mut().filter(|next| **next > best) {
                std::mem::swap(&mut *next, &mut best);
            }
        }
    }

    /// Places the smaller tasks, each on the node with the best score among those with room for it; `None` if one has no room.
    pub(super) fn add_rests(&mut self) -> Option<()> {
        let Layout { task, rest, rests, per_node, .. } = self.tasks.layout;
        let Tasks { machine, job, .. } = self.tasks;
        let fits = |node: &usize| {
            let (taken, room) = (self.taken[*node], self.tasks.limited(&self.offers.room[*node]));
            let holds = |kind: usize| job.held_on(kind, taken + rest, machine.capacity(*node)[kind]);
            taken / task < per_node
                && job.admitted(machine, *node)
                && (0..machine.kinds()).all(|kind| holds(kind) <= room[kind])
        };
        let ranked = (0..self.taken.len()).filter(fits).map(|node| (self.score(node, rest), Reverse(node)));
        if rests == 1 {
            let (_, Reverse(node)) = ranked.max()?;
            self.taken[node] += rest;
            return Some(());
        }
        // Each of several smaller tasks has a node of its own, so that none changes the score of another.
        let mut ranked: Vec<Reverse<(Key, Reverse<usize>)>> = ranked.map(Reverse).collect();
        let rests = rests as usize;
        if ranked.len() < rests {
            return None;
        }
        ranked.select_nth_unstable(rests - 1);
        for &Reverse((_, Reverse(node))) in &ranked[..rests] {
            self.taken[node] += rest;
        }
        Some(())
    }

    fn score(&self, node: usize, task: i64) -> Key {
        let Tasks { machine, job, .. } = self.tasks;
        let kinds = machine.kinds();
        let offer = || {
            let (mut free, mut takes) = (self.offers.free[node], [0; K]);
            for kind in 0..kinds {
                free[kind] -= job.held(kind, self.taken[node]);
                takes[kind] = job.held(kind, task);
            }
            (free, takes)
        };
        match self.hosts.spec.score {
            HostScore::Same => 0,
            HostScore::Number(score) => {
                let (free, takes) = offer();
                let capacity = machine.capacity(node);
                let score = score(&Offer { free: &free[..kinds], capacity, task: &takes[..kinds] });
                Score::new(score).ordered().into()
            }
            HostScore::Capacities => {
                let (free, takes) = offer();
                self.hosts.capacities.score::<K>(machine, node, &free[..kinds], &takes[..kinds])
            }
        }
    }

    /// Returns the choice, with devices if the machine has some; `None` if these have no room.
    pub(super) fn finish(self) -> Option<Choice> {
        let placed = self.taken.iter().enumerate().filter(|(_, procs)| **procs > 0);
        let mut shares: Vec<Share> = placed.map(|(node, &procs)| Share::new(node as u32, procs)).collect();
        let Tasks { machine, job, .. } = self.tasks;
        if let Some(devices) = machine.devices() {
            for share in &mut shares {
                let (node, kind) = (share.node as usize, devices.resource());
                let amount = job.held_on(kind, share.procs, machine.capacity(node)[kind]);
                share.devices = devices.choose(amount, &self.offers.room[node])?;
            }
        }
        Some(Choice { placement: Placement(shares), choices: self.choices, ties: self.ties })
    }
}
