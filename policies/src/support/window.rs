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

    /// Whether what a job holds on its nodes is free throughout an interval.
    pub fn has_room(&self, from: Time, to: Time, job: JobView<'_>, placement: &Placement) -> bool {
        amounts(job, placement).all(|(node, amount)| self.nodes[node].has_room(Slot { from, to, amount }))
    }

    /// Chooses nodes for a job that starts at an instant and stays for so long, if there is room for it on
    /// them all that time.
    ///
    /// O(nodes · (log s + overlapped steps)) for s steps of a node, plus one choice of nodes where there is room.
    pub fn at(
        &self,
        machine: &Machine,
        hosts: &Hosts,
        job: JobView<'_>,
        at: Time,
        duration: Time,
    ) -> Option<Choice> {
        let until = at.saturating_add(duration);
        let mut left = job.procs() / job.task_procs();
        for (node, profile) in self.nodes.iter().enumerate() {
            if left <= 0 {
                break;
            }
            // What is free at the start is read first: most nodes are full then.
            if hosts.tasks_on(machine, node, job, &profile.free_at(at)) > 0 {
                left -= hosts.tasks_on(machine, node, job, &profile.least(at, until));
            }
        }
        if left > 0 {
            return None;
        }
        let room: Vec<[i64; K]> = self.nodes.iter().map(|profile| profile.least(at, until)).collect();
        if hosts.scores_whole_stay() {
            return hosts.choose(machine, job, Offers { room: &room, free: &room });
        }
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
        let mut search = Search { machine, hosts, job, duration, changes: Vec::new() };
        let mut steps = Vec::new();
        for (node, profile) in self.nodes.iter().enumerate() {
            search.add_changes(node, profile, from, &mut steps);
        }
        let mut changes = search.changes;
        changes.sort_unstable();
        let whole = job.procs() / job.task_procs();
        let (mut has, mut sum) = (vec![0; self.nodes.len()], 0);
        let mut next = 0;
        while let Some(&(at, ..)) = changes.get(next) {
            while let Some(&(_, node, room)) = changes.get(next).filter(|change| change.0 == at) {
                sum += room.tasks - has[node];
                has[node] = room.tasks;
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

/// What a node has room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Fitting {
    /// Whole tasks of the job.
    tasks: i64,
    /// Processors of the job; counted only where its last task is smaller than the others.
    procs: i64,
}

/// From when on a node has room for how much of a job's whole stay.
type Change = (Time, usize, Fitting);

/// A search for the instants at which more of a job fits.
struct Search<'a> {
    machine: &'a Machine,
    hosts: &'a Hosts,
    job: JobView<'a>,
    duration: Time,
    changes: Vec<Change>,
}

impl Search<'_> {
    /// Adds the instants at which it changes how much of the job a node has room for throughout its stay: where a
    /// step begins, and where the far end of the stay comes to reach into one.
    fn add_changes<const K: usize>(
        &mut self,
        node: usize,
        profile: &Profile<K>,
        from: Time,
        steps: &mut Vec<(Time, Fitting)>,
    ) {
        steps.clear();
        steps.extend(profile.since(from).map(|(begin, free)| (begin.max(from), self.fitting(node, &free))));
        let reach = |begin: Time| (begin - self.duration).saturating_add(Time::from_ticks(1));
        // Both kinds of instants ascend: they are merged. `first` is the step that holds the instant, `beyond`
        // the first that the stay does not reach.
        let (mut first, mut beyond, mut known) = (0, 0, Fitting::default());
        let mut at = from;
        loop {
            while steps.get(first + 1).is_some_and(|step| step.0 <= at) {
                first += 1;
            }
            let until = at.saturating_add(self.duration);
            beyond = beyond.max(first + 1);
            while steps.get(beyond).is_some_and(|step| step.0 < until) {
                beyond += 1;
            }
            let least = steps[first..beyond].iter().map(|step| step.1).reduce(Fitting::least);
            let least = least.unwrap_or_default();
            if least != known {
                self.changes.push((at, node, least));
                known = least;
            }
            let begins = steps.get(first + 1).map(|step| step.0);
            let reaches = steps.get(beyond).map(|step| reach(step.0).max(at));
            match begins.into_iter().chain(reaches).min() {
                Some(next) if next > at => at = next,
                _ => return,
            }
        }
    }

    fn fitting<const K: usize>(&self, node: usize, free: &[i64; K]) -> Fitting {
        let tasks = self.hosts.tasks_on(self.machine, node, self.job, free);
        let (procs, task) = (self.job.procs(), self.job.task_procs());
        if procs % task == 0 || !admits(self.machine, node, self.job) {
            return Fitting { tasks, procs: 0 };
        }
        Fitting { tasks, procs: tasks_in(self.job, 1, free) }
    }
}

impl Fitting {
    fn least(self, other: Fitting) -> Fitting {
        Fitting { tasks: self.tasks.min(other.tasks), procs: self.procs.min(other.procs) }
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

#[cfg(test)]
mod tests;
