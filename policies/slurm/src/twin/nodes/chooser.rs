//! The nodes that a job gets, by the switches and the weights of the nodes.

use std::sync::Arc;

use batchlab_contract::placement::Placement;

use super::amounts::NodeAmounts;
use super::choose::{Weights, choose, choose_in, chosen_in, is_plain};
use super::room::TaskShape;
use super::topology::SwitchTree;
use super::view::View;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;

#[derive(Clone, Debug)]
pub struct Chooser {
    weights: Weights,
    /// The switches, if jobs are placed by them.
    tree: Option<Arc<SwitchTree>>,
}

impl Chooser {
    pub fn new(weights: Vec<i64>, tree: Option<Arc<SwitchTree>>) -> Chooser {
        Chooser { weights: Weights::of(weights), tree }
    }

    /// Returns the switches by which a job is placed, if it is.
    fn tree(&self, job: &Waiting) -> Option<&SwitchTree> {
        self.tree.as_deref().filter(|tree| !job.least_loaded && tree.places(job))
    }

    /// Chooses of some nodes by what is free now; `view` has the room there.
    pub fn now(
        &self,
        view: &View,
        job: &Waiting,
        nodes: &NodeSet,
        shape: &TaskShape,
        amounts: &NodeAmounts,
    ) -> Option<Placement> {
        if !job.least_loaded {
            return self.choose_in(view, job, nodes, amounts);
        }
        // The share of free processors counts processors that no whole task fits on, too.
        let tasks = |node: usize| shape.tasks(amounts.free(node), amounts.capacity(node));
        let spare = |node: usize| (amounts.free(node)[0], amounts.capacity(node)[0]);
        choose(&self.weights, job, nodes.both(amounts.open()), tasks, spare)
    }

    fn choose_in(
        &self,
        view: &View,
        job: &Waiting,
        nodes: &NodeSet,
        amounts: &NodeAmounts,
    ) -> Option<Placement> {
        if let Some(tree) = self.tree(job) {
            return tree.choose(&self.weights, job, nodes.iter(), |node| view.tasks(node));
        }
        if self.weights.differ() || job.least_loaded {
            // Of what is free later only the tasks are known.
            let spare = |node: usize| (view.tasks(node).0 * job.layout.task, amounts.capacity(node)[0]);
            return choose(&self.weights, job, nodes.iter(), |node| view.tasks(node), spare);
        }
        choose_in(view, job, nodes)
    }

    /// Whether any nodes with enough room will do for a job, each as well as the others.
    pub fn is_plain(&self, job: &Waiting) -> bool {
        is_plain(job) && self.tree(job).is_none() && !self.weights.differ()
    }

    pub fn chosen_in(
        &self,
        view: &View,
        job: &Waiting,
        nodes: &NodeSet,
        amounts: &NodeAmounts,
    ) -> Option<NodeSet> {
        if self.is_plain(job) {
            return chosen_in(view, job, nodes);
        }
        self.choose_in(view, job, nodes, amounts).map(|placement| nodes.same_size().with(&placement))
    }

    /// Whether a job could be placed on some nodes if no other job were there.
    pub fn reaches(&self, job: &Waiting, nodes: &NodeSet, shape: &TaskShape, amounts: &NodeAmounts) -> bool {
        let tasks = |node: usize| shape.tasks(amounts.capacity(node), amounts.capacity(node));
        let all = |node: usize| (amounts.capacity(node)[0], amounts.capacity(node)[0]);
        let patient = Waiting { most_leaves: job.most_leaves.map(|_| i64::MAX), ..job.clone() };
        match self.tree(job) {
            Some(tree) => tree.choose(&self.weights, &patient, nodes.iter(), tasks),
            None => choose(&self.weights, job, nodes.iter(), tasks, all),
        }
        .is_some()
    }
}
