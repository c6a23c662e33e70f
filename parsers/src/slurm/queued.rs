//! The placement that a queue states for a waiting job, as the command line of a submission that asks for it.

use std::fmt::Write as _;

use super::depends::shown;
use super::state::State;

/// The nodes and tasks that a queue states for a job; counts of 0 and below are not stated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShapeStated<'a> {
    pub(super) dependency: &'a [u8],
    /// The least nodes that the job asked for; without a request, the nodes that its processors take on the largest nodes.
    pub(super) nodes: Option<i64>,
    /// The most nodes, if the job asked for a number.
    pub(super) most: Option<i64>,
    pub(super) per_node: Option<i64>,
    pub(super) task: Option<i64>,
    /// The least processors of each node.
    pub(super) on_node: Option<i64>,
    /// Whether no other job may share its nodes.
    pub(super) alone: bool,
    /// The nodes that it must have.
    pub(super) required: &'a [u8],
    /// The nodes that it must not have.
    pub(super) excluded: &'a [u8],
}

impl ShapeStated<'_> {
    /// Returns the command line; empty if the queue states nothing. For jobs that have started only dependencies count, since their
    /// places are known.
    ///
    /// Source: the fields of `job_info_t` in Slurm's `src/common/slurm_protocol_defs.h`, `NumNodes` in `src/scontrol/info_job.c`.
    pub(super) fn command(&self, state: State) -> Vec<u8> {
        let mut words = String::new();
        if state == State::Waiting {
            self.options(&mut words);
        }
        let dependency = shown(self.dependency);
        if words.is_empty() {
            return dependency;
        }
        let beginning = if dependency.is_empty() { b"sbatch".to_vec() } else { dependency };
        [beginning, words.into_bytes()].concat()
    }

    fn options(&self, words: &mut String) {
        let stated = |count: Option<i64>| count.filter(|count| (1..0xffff).contains(count));
        let (nodes, most) = (stated(self.nodes), stated(self.most));
        // A job of whole nodes that did not ask for a number of nodes takes as many as its processors need.
        let asked = most.or(nodes.filter(|_| self.alone));
        if let Some(most) = asked {
            let _ = write!(words, " --nodes={}-{most}", nodes.unwrap_or(most).min(most));
        }
        if let Some(tasks) = stated(self.per_node) {
            let _ = write!(words, " --ntasks-per-node={tasks}");
        }
        let task = stated(self.task).unwrap_or(1);
        let on_node = stated(self.on_node).filter(|_| asked.is_some() && stated(self.per_node).is_none());
        let task = on_node.map_or(task, |least| least.max(task));
        if task > 1 {
            let _ = write!(words, " --cpus-per-task={task}");
        }
        if self.alone {
            words.push_str(" --exclusive");
        }
        for (option, list) in [("nodelist", self.required), ("exclude", self.excluded)] {
            if !list.is_empty() {
                let _ = write!(words, " --{option}={}", String::from_utf8_lossy(list));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_what_its_submission_asked_for() {
        let command = |shape: ShapeStated<'_>| String::from_utf8(shape.command(State::Waiting)).unwrap();
        let bare = ShapeStated::default();
        // sbatch -n2: one node by its processors, and any nodes will do.
        assert_eq!(command(ShapeStated { nodes: Some(1), most: Some(0), task: Some(1), ..bare }), "");
        // sbatch -N2 --exclusive
        let whole = ShapeStated { nodes: Some(2), most: Some(2), alone: true, ..bare };
        assert_eq!(command(whole), "sbatch --nodes=2-2 --exclusive");
        assert_eq!(command(ShapeStated { most: None, ..whole }), "sbatch --nodes=2-2 --exclusive");
        // sbatch -N2-4 --ntasks-per-node=3 -c2 -d afterok:7 -w n1 -x n9
        let tasks = ShapeStated {
            dependency: b"afterok:7(unfulfilled)",
            nodes: Some(2),
            most: Some(4),
            per_node: Some(3),
            task: Some(2),
            on_node: Some(6),
            required: b"n1",
            excluded: b"n9",
            ..bare
        };
        let words = "sbatch --dependency=afterok:7 --nodes=2-4 --ntasks-per-node=3 --cpus-per-task=2 --nodelist=n1 --exclude=n9";
        assert_eq!(command(tasks), words);
        assert_eq!(tasks.command(State::Unfinished), b"sbatch --dependency=afterok:7");
        // sbatch -N2 --mincpus=4
        let on_node = ShapeStated { nodes: Some(2), most: Some(2), on_node: Some(4), ..bare };
        assert_eq!(command(on_node), "sbatch --nodes=2-2 --cpus-per-task=4");
    }
}
