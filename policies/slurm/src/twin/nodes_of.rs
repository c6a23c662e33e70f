//! The nodes that a job gets: of what is free now, of what is free at an instant, or of empty ones.

use batchlab_policies::placement::Placement;

use super::choose::{choose, choose_in, chosen_in, is_plain};
use super::node_set::NodeSet;
use super::queue::Waiting;
use super::space::Space;
use super::topology::SwitchTree;
use super::view::View;

impl Space {
    /// Returns the nodes that a job gets now of some nodes; `None` if they do not suffice.
    pub(super) fn now(&mut self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let mut usable = nodes.clone();
        usable.subtract(&self.closing);
        self.now_or_completing(job, &usable)
    }

    /// As [`Space::now`], on completing nodes too.
    pub(super) fn now_or_completing(&mut self, job: &Waiting, usable: &NodeSet) -> Option<Placement> {
        let number = self.fields[job.field].room;
        let mut horizon = self.horizon(number);
        let view = horizon.view(0);
        let found = job.parts(usable).find_map(|part| {
            if !view.suffices(job, &part) {
                return None;
            }
            if job.least_loaded {
                self.choose_least_loaded(job, &part)
            } else {
                self.choose_in(view, job, &part)
            }
        });
        self.horizons.put(number, horizon);
        found
    }

    /// Whether a job could be placed on its nodes if no other job were there.
    pub(super) fn reaches(&self, job: &Waiting) -> bool {
        let tasks = |node: usize| self.tasks_if_empty(job, node);
        let patient = Waiting { most_leaves: job.most_leaves.map(|_| i64::MAX), ..job.clone() };
        let all = |node: usize| (self.capacity[node * self.kinds], self.capacity[node * self.kinds]);
        let found = |part: &NodeSet| match self.tree(job) {
            Some(tree) => tree.choose(&self.weights, &patient, part.iter(), tasks),
            None => choose(&self.weights, job, part.iter(), tasks, all),
        };
        job.parts(&job.nodes).any(|part| found(&part).is_some())
    }

    /// Returns the least number of nodes, from what a job asks for to `most`, on which it could be if no other job were there.
    pub(super) fn least_nodes(&self, job: &Waiting, most: i64) -> i64 {
        let suffices = |part: &NodeSet| {
            let room = part.iter().map(|node| self.tasks_if_empty(job, node));
            let mut room: Vec<(i64, bool)> = room.filter(|&(tasks, beside)| tasks > 0 || beside).collect();
            room.sort_unstable_by(|one, other| other.cmp(one));
            let (mut tasks, mut beside) = (0_i64, 0);
            room.iter().position(|&(here, rest)| {
                tasks = tasks.saturating_add(here);
                beside += i64::from(rest);
                job.layout.is_enough(tasks, beside)
            })
        };
        let least = job.parts(&job.nodes).filter_map(|part| suffices(&part)).min();
        least.map_or(job.asked, |last| (last as i64 + 1).clamp(job.asked, most))
    }

    /// Returns how many whole tasks of a job an empty node has room for, and whether a smaller one fits beside them.
    fn tasks_if_empty(&self, job: &Waiting, node: usize) -> (i64, bool) {
        let capacity = &self.capacity[node * self.kinds..(node + 1) * self.kinds];
        self.rooms[self.fields[job.field].room].tasks(capacity, capacity)
    }

    /// Returns the switches by which a job is placed, if it is.
    fn tree(&self, job: &Waiting) -> Option<&SwitchTree> {
        self.tree.as_deref().filter(|tree| !job.least_loaded && tree.places(job))
    }

    /// Chooses of some nodes by the room at an instant.
    fn choose_in(&self, view: &View, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        if let Some(tree) = self.tree(job) {
            return tree.choose(&self.weights, job, nodes.iter(), |node| view.tasks(node));
        }
        if self.weights.differ() || job.least_loaded {
            // Of what is free later only the tasks are known.
            let spare =
                |node: usize| (view.tasks(node).0 * job.layout.task, self.capacity[node * self.kinds]);
            return choose(&self.weights, job, nodes.iter(), |node| view.tasks(node), spare);
        }
        choose_in(view, job, nodes)
    }

    /// Whether any nodes with enough room will do for a job, each as well as the others.
    pub(super) fn is_plain(&self, job: &Waiting) -> bool {
        is_plain(job) && self.tree(job).is_none() && !self.weights.differ()
    }

    /// Returns the nodes that [`Space::choose_in`] chooses.
    pub(super) fn chosen_in(&self, view: &View, job: &Waiting, nodes: &NodeSet) -> Option<NodeSet> {
        if self.is_plain(job) {
            return chosen_in(view, job, nodes);
        }
        self.choose_in(view, job, nodes).map(|placement| nodes.same_size().with(&placement))
    }

    /// Chooses the least loaded of some nodes by what is free now, the processors beside those of whole tasks included.
    fn choose_least_loaded(&self, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
        let room = &self.rooms[self.fields[job.field].room];
        let tasks = |node: usize| {
            let at = node * self.kinds..(node + 1) * self.kinds;
            room.tasks(&self.free[at.clone()], &self.capacity[at])
        };
        let spare = |node: usize| (self.free[node * self.kinds], self.capacity[node * self.kinds]);
        choose(&self.weights, job, nodes.both(&self.open), tasks, spare)
    }
}
