//! A second implementation of multi-capacity bin-packing: Algorithms 1 and 2 as loops over fractions, with reservations in
//! a table of seconds. It is slow, and supports jobs of whole seconds in the event order `batch`.

use std::cmp::Reverse;

use batchlab::policies::{Event, JobView, Placement, Policy, PolicyError, Rate, Share, Turn};
use batchlab::traces::{JobId, Time};

/// Seconds that a plan covers: longer than forty jobs in sequence.
const AHEAD: usize = 1500;

pub struct Naive {
    pub ranked: bool,
    pub printed: bool,
    pub raw: bool,
    pub reservations: usize,
    pub running: Vec<(JobId, Time, Placement)>,
}

/// Free resources: nodes by seconds from now.
struct Plan {
    nodes: Vec<Vec<Vec<i64>>>,
    capacity: Vec<Vec<i64>>,
}

impl Policy for Naive {
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<(), PolicyError> {
        for event in turn.events() {
            if let Event::Finished(job) = event {
                self.running.retain(|(running, ..)| running != job);
            }
        }
        let mut order: Vec<JobId> = turn.waiting().collect();
        let mut plan = self.plan(turn);
        if self.ranked {
            // The sort is stable: equal scores stay in the order of submission.
            order.sort_by_key(|&job| {
                let view = turn.job(job);
                let nodes = 0..plan.nodes.len();
                Reverse(
                    nodes
                        .map(|node| self.score(&plan, node, &plan.nodes[node][0], view, view.layout().task))
                        .sum::<i64>(),
                )
            });
        }
        let mut reserved = 0;
        for job in order {
            let view = turn.job(job);
            let stay = seconds(view.estimate()).max(1);
            let last = if reserved < self.reservations { AHEAD - stay } else { 0 };
            let found = (0..=last).find_map(|at| Some((at, self.place(&plan, view, at, stay)?)));
            let Some((at, placement)) = found else { continue };
            plan.add(view, &placement, at, at + stay, -1);
            if at > 0 {
                reserved += 1;
                continue;
            }
            turn.place(job, &placement, Rate::FULL)?;
            self.running.push((job, turn.now(), placement));
        }
        Ok(())
    }
}

impl Naive {
    fn plan(&self, turn: &Turn<'_>) -> Plan {
        let machine = turn.machine();
        let nodes = (0..machine.nodes()).map(|node| vec![turn.free(node).to_vec(); AHEAD]).collect();
        let capacity = (0..machine.nodes()).map(|node| machine.capacity(node).to_vec()).collect();
        let mut plan = Plan { nodes, capacity };
        for (job, start, placement) in &self.running {
            let view = turn.job(*job);
            let end = *start + view.estimate().max(Time::SECOND);
            plan.add(view, placement, seconds(end - turn.now()).max(1), AHEAD, 1);
        }
        plan
    }

    /// Algorithm 1.
    fn score(&self, plan: &Plan, node: usize, free: &[i64], job: JobView<'_>, procs: i64) -> i64 {
        // All capacities are divisors of 24.
        let parts = |kind: usize| 24 / plan.capacity[node][kind];
        let request = |kind: usize| job.held(kind, procs) * if self.raw { 1 } else { parts(kind) };
        let mut order: Vec<usize> = (0..free.len()).collect();
        order.sort_by_key(|&kind| Reverse(free[kind] * parts(kind)));
        let (mut score, mut at) = (0, 0);
        while let Some(&first) = order.get(at) {
            let others = if self.printed {
                order.remove(0);
                &order[..]
            } else {
                &order[at + 1..]
            };
            for &second in others {
                if free[first] * parts(first) > free[second] * parts(second) {
                    score += request(first) - request(second);
                }
            }
            at += 1;
        }
        score
    }

    /// Puts every task, one after the other, on the node with the highest score.
    fn place(&self, plan: &Plan, job: JobView<'_>, at: usize, stay: usize) -> Option<Placement> {
        let mut taken = vec![0; plan.nodes.len()];
        let mut left = job.procs();
        while left > 0 {
            let task = job.layout().task.min(left);
            let best = (0..taken.len()).filter(|&node| plan.fits(node, job, taken[node] + task, at, stay));
            let (_, Reverse(node)) = best
                .map(|node| {
                    let free = plan.nodes[node][at].iter().enumerate();
                    let free: Vec<i64> =
                        free.map(|(kind, free)| free - job.held(kind, taken[node])).collect();
                    (self.score(plan, node, &free, job, task), Reverse(node))
                })
                .max()?;
            taken[node] += task;
            left -= task;
        }
        let shares = taken.iter().enumerate().filter(|(_, procs)| **procs > 0);
        Some(Placement(shares.map(|(node, &procs)| Share::new(node as u32, procs)).collect()))
    }
}

impl Plan {
    fn fits(&self, node: usize, job: JobView<'_>, procs: i64, at: usize, stay: usize) -> bool {
        let seconds = &self.nodes[node][at..at + stay];
        seconds.iter().all(|free| free.iter().enumerate().all(|(kind, &free)| job.held(kind, procs) <= free))
    }

    fn add(&mut self, job: JobView<'_>, placement: &Placement, from: usize, to: usize, sign: i64) {
        for share in &placement.0 {
            for free in &mut self.nodes[share.node as usize][from..to] {
                for (kind, free) in free.iter_mut().enumerate() {
                    *free += sign * job.held(kind, share.procs);
                }
            }
        }
    }
}

fn seconds(time: Time) -> usize {
    time.secs() as usize
}
