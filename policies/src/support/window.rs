//! The availability window: what is expected to be free on every node from when on.

use batchlab_traces::{Machine, Time};

use super::hosts::{Choice, Hosts, Offers, admits, tasks_in};
use super::profile::{Profile, Slot};
use crate::placement::Placement;
use crate::view::JobView;

/// A profile per node (the slot table's view of Sheikhalishahi et al. 2015, section 3.4).
#[derive(Clone, Debug, Default)]
pub struct Window<const K: usize> {
    nodes: Vec<Profile<K>>,
}

/// From when on a node has room for so many tasks.
type Change = (Time, usize, i64);

impl<const K: usize> Window<K> {
    /// Starts anew with these amounts free for ever, node by node.
    pub fn reset(&mut self, now: Time, free: &[[i64; K]]) {
        self.nodes.truncate(free.len());
        for (profile, &free) in self.nodes.iter_mut().zip(free) {
            profile.reset(now, free);
        }
        let known = self.nodes.len();
        self.nodes.extend(free[known..].iter().map(|&free| Profile::new(now, free)));
    }

    /// Adds what a job holds on its nodes from an instant on, which must not lie before the last release.
    pub fn release(&mut self, at: Time, job: JobView<'_>, placement: &Placement) {
        for (node, amount) in amounts(job, placement) {
            self.nodes[node].release(at, amount);
        }
    }

    /// Forgets what lies before an instant.
    pub fn advance(&mut self, now: Time) {
        self.nodes.iter_mut().for_each(|profile| profile.advance(now));
    }

    /// Takes what a job holds out of an interval.
    pub fn take(&mut self, from: Time, to: Time, job: JobView<'_>, placement: &Placement) {
        for (node, amount) in amounts(job, placement) {
            self.nodes[node].take(Slot { from, to, amount });
        }
    }

    /// Gives what a job holds back to an interval.
    pub fn give(&mut self, from: Time, to: Time, job: JobView<'_>, placement: &Placement) {
        for (node, amount) in amounts(job, placement) {
            self.nodes[node].give(Slot { from, to, amount });
        }
    }

    /// Chooses nodes for a job that starts at an instant and stays for so long, if there is room for it on
    /// them all that time.
    pub fn at(
        &self,
        machine: &Machine,
        hosts: &Hosts,
        job: JobView<'_>,
        at: Time,
        duration: Time,
    ) -> Option<Choice> {
        let until = at.saturating_add(duration);
        let room: Vec<[i64; K]> = self.nodes.iter().map(|profile| profile.least(at, until)).collect();
        let free: Vec<[i64; K]> = self.nodes.iter().map(|profile| profile.free_at(at)).collect();
        hosts.choose(machine, job, Offers { room: &room, free: &free })
    }

    /// Returns the earliest instant from `from` on at which a job that stays for so long has room, and the
    /// nodes; `None` when it never has.
    ///
    /// O(s log s) for s steps of all nodes together, plus one choice of nodes.
    pub fn earliest(
        &self,
        machine: &Machine,
        hosts: &Hosts,
        job: JobView<'_>,
        from: Time,
        duration: Time,
    ) -> Option<(Time, Choice)> {
        let mut changes = Vec::new();
        for (node, profile) in self.nodes.iter().enumerate() {
            if admits(machine, node, job) {
                add_changes(&mut changes, node, profile, job, from, duration);
            }
        }
        changes.sort_unstable();
        let whole = job.procs() / job.task_procs();
        let (mut has, mut sum) = (vec![0; self.nodes.len()], 0);
        let mut next = 0;
        while let Some(&(at, ..)) = changes.get(next) {
            while let Some(&(_, node, tasks)) = changes.get(next).filter(|change| change.0 == at) {
                sum += tasks - has[node];
                has[node] = tasks;
                next += 1;
            }
            if sum >= whole
                && let Some(choice) = self.at(machine, hosts, job, at, duration)
            {
                return Some((at, choice));
            }
        }
        None
    }
}

/// Adds the instants at which the room of a node changes throughout a job's stay: where a step begins, and where the
/// far end of the stay comes to reach into one. Room is whole tasks, and beside them what the smaller last one needs.
fn add_changes<const K: usize>(
    changes: &mut Vec<Change>,
    node: usize,
    profile: &Profile<K>,
    job: JobView<'_>,
    from: Time,
    duration: Time,
) {
    let task = job.task_procs();
    // Without a smaller task only whole ones matter.
    let unit = if job.procs() % task == 0 { task } else { 1 };
    let steps: Vec<(Time, i64)> =
        profile.since(from).map(|(begin, free)| (begin.max(from), tasks_in(job, unit, &free))).collect();
    let reaches = steps.iter().map(|&(begin, _)| (begin - duration).saturating_add(Time::from_ticks(1)));
    let mut instants: Vec<Time> =
        steps.iter().map(|step| step.0).chain(reaches.filter(|&at| at > from)).collect();
    instants.sort_unstable();
    instants.dedup();
    let mut known = 0;
    for at in instants {
        let until = at.saturating_add(duration);
        let first = steps.partition_point(|step| step.0 <= at).saturating_sub(1);
        let overlapped =
            steps[first..].iter().enumerate().take_while(|(index, step)| *index == 0 || step.0 < until);
        let least = overlapped.map(|(_, step)| step.1).min().unwrap_or(0);
        if least != known {
            changes.push((at, node, least * unit / task));
            known = least;
        }
    }
}

/// Returns what a job holds on each of its nodes.
fn amounts<'a, const K: usize>(
    job: JobView<'a>,
    placement: &'a Placement,
) -> impl Iterator<Item = (usize, [i64; K])> + 'a {
    placement.0.iter().map(move |share| {
        let mut amount = [0; K];
        for (kind, amount) in amount.iter_mut().enumerate().take(job.demand().len()) {
            *amount = job.held(kind, share.procs);
        }
        (share.node as usize, amount)
    })
}
