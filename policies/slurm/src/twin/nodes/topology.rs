//! Which nodes a job gets where switches form a tree (`topology/tree`).
//!
//! Source: `_eval_nodes_topo` (`job_test.c`) of `select/cons_tres`, `_job_test_topo` of `select/linear`, and `topology_tree.c` of
//! Slurm 22.05.

use std::collections::VecDeque;

use crate::site::Topology;
use batchlab_traces::Machine;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedSet;

use super::choose::{Filling, Spot, Weights, leave_least};
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;
use batchlab_contract::placement::Placement;

#[derive(Debug)]
pub struct SwitchTree {
    switches: Vec<Switch>,
    /// Whether only jobs that ask for few switches are placed by the tree.
    optional: bool,
    /// Whether the switch with the tightest fit is chosen for all nodes of a job (`select/linear`), rather than leaf by leaf.
    whole_nodes: bool,
    procs: Vec<i64>,
}

#[derive(Debug)]
struct Switch {
    level: usize,
    nodes: NodeSet,
    /// The switch above it; for a switch at the top, the first switch of all, as slurmctld has it.
    above: usize,
    /// The switches right above and below it.
    linked: Vec<usize>,
}

/// The distance to a switch that cannot be reached.
const FAR: u64 = u64::MAX;

impl SwitchTree {
    pub fn new(topology: &Topology, machine: &Machine, whole_nodes: bool) -> SwitchTree {
        let nodes = machine.nodes();
        let set = |known: &[usize]| {
            let mut set = NodeSet::empty(nodes);
            known.iter().filter(|&&node| node < nodes).for_each(|&node| set.insert(node));
            set
        };
        let mut switches: Vec<Switch> = topology
            .switches
            .iter()
            .map(|switch| Switch {
                level: switch.level,
                nodes: set(&switch.nodes),
                above: 0,
                linked: switch.below.clone(),
            })
            .collect();
        for (at, switch) in topology.switches.iter().enumerate() {
            for &below in &switch.below {
                switches[below].above = at;
                switches[below].linked.push(at);
            }
        }
        let procs = (0..nodes).map(|node| machine.capacity(node).first().copied().unwrap_or(0)).collect();
        SwitchTree { switches, optional: topology.optional, whole_nodes, procs }
    }

    pub fn places(&self, job: &Waiting) -> bool {
        !self.optional || job.most_leaves.is_some()
    }

    /// Chooses of some nodes, ascending, each with the whole tasks for which it has room, and whether a smaller one fits beside
    /// them; `None` if they do not suffice, or are below too many leaf switches. O(nodes · switches).
    pub fn choose(
        &self,
        weights: &Weights,
        job: &Waiting,
        nodes: impl Iterator<Item = usize>,
        room_on: impl Fn(usize) -> (i64, bool),
    ) -> Option<Placement> {
        let mut room: Vec<Spot> = nodes.filter_map(|node| Spot::with_room(node, room_on(node))).collect();
        loop {
            let found = if self.whole_nodes {
                self.by_best_switch(job, &room)
            } else {
                self.by_leaf(weights, job, &room)
            };
            if let Some(placement) = found {
                return job
                    .most_leaves
                    .is_none_or(|most| self.leaves(&placement) <= most)
                    .then_some(placement);
            }
            if !leave_least(&mut room, job.asked) {
                return None;
            }
        }
    }

    /// Returns how many leaf switches some nodes are below.
    fn leaves(&self, placement: &Placement) -> i64 {
        let has = |leaf: &&Switch| placement.0.iter().any(|share| leaf.nodes.has(share.node as usize));
        self.of_level_0().map(|at| &self.switches[at]).filter(has).count() as i64
    }

    fn of_level_0(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.switches.len()).filter(|&at| self.switches[at].level == 0)
    }

    fn counts(&self, room: &[Spot]) -> Vec<i64> {
        let count = |one: &Switch| room.iter().filter(|spot| one.nodes.has(spot.node)).count() as i64;
        self.switches.iter().map(count).collect()
    }

    /// Fills leaf after leaf below the top switch: the tightest leaf that suffices, else the leaf with the most nodes; then the leaf
    /// nearest to the filled ones. All nodes of smaller weights come before the nodes of the greatest weight that is needed.
    fn by_leaf(&self, weights: &Weights, job: &Waiting, room: &[Spot]) -> Option<Placement> {
        let want = job.least_nodes();
        let top = self.top(weights, room, want)?;
        let below: Vec<Spot> =
            room.iter().copied().filter(|spot| self.switches[top].nodes.has(spot.node)).collect();
        let (best, sure) = lightest(weights, job, &below, want)?;
        let counts = self.counts(&best);
        let mut tasks = Taking::new(job, want);
        sure.iter()
            .take(if job.asked > 0 { job.asked as usize } else { usize::MAX })
            .for_each(|&room| tasks.take(room));
        let is_sure = |one: &Switch| sure.iter().any(|spot| one.nodes.has(spot.node));
        let (mut left, mut far) = (counts.clone(), vec![0; counts.len()]);
        let used: Vec<usize> = (0..counts.len()).filter(|&at| is_sure(&self.switches[at])).collect();
        for &at in &used {
            if self.switches[at].level == 0 {
                tasks.take_all(&best, &self.switches[at]);
                left[at] = 0;
            }
            self.go_far(&mut far, at);
        }
        while !tasks.is_done() {
            let mut chosen: Option<usize> = None;
            for at in self.of_level_0().filter(|at| left[*at] > 0 && far[*at] < FAR && !used.contains(at)) {
                let is_better = |than: usize| {
                    let (nearer, as_near) = (far[at] < far[than], far[at] == far[than]);
                    let fit = self.fit(at, than, tasks.want, &left);
                    nearer && fit >= 0 || as_near && fit > 0
                };
                if chosen.is_none_or(is_better) {
                    chosen = Some(at);
                }
            }
            let leaf = chosen?;
            self.go_far(&mut far, leaf);
            tasks.take_all(&best, &self.switches[leaf]);
            left[leaf] = 0;
        }
        Some(tasks.filling.placement())
    }

    /// Returns the highest switch with enough nodes; of several at that height, the last with a node of the least weight.
    fn top(&self, weights: &Weights, room: &[Spot], want: i64) -> Option<usize> {
        let mut top: Option<(usize, i64)> = None;
        for (at, one) in self.switches.iter().enumerate() {
            let here = room.iter().filter(|spot| one.nodes.has(spot.node));
            let Some(lightest) = here.clone().map(|spot| weights.at(spot.node)).min() else { continue };
            let suffices = here.count() as i64 >= want;
            let is_above =
                |(top, weight): (usize, i64)| one.level >= self.switches[top].level && lightest <= weight;
            if suffices && top.is_none_or(is_above) {
                top = Some((at, lightest));
            }
        }
        top.map(|(at, _)| at)
    }

    /// Compares how well two switches serve for `want` nodes: positive if the first switch does better. A switch that suffices is
    /// better; of two that suffice, the tighter one. For two that do not, the switches above them decide, then the number of nodes.
    fn fit(&self, one: usize, other: usize, want: i64, counts: &[i64]) -> i64 {
        let (mut one, mut other) = (one, other);
        // As many steps as there are switches: above the top slurmctld goes on with the first switch.
        for _ in 0..=self.switches.len() {
            match (counts[one] >= want, counts[other] >= want) {
                (true, true) if counts[one] != counts[other] => return counts[other] - counts[one],
                (true, false) => return 1,
                (false, true) => return -1,
                (true, true) => break,
                (false, false) => {}
            }
            let (above, beside) = (self.switches[one].above, self.switches[other].above);
            if above == beside {
                break;
            }
            (one, other) = (above, beside);
        }
        if counts[one] != counts[other] {
            return counts[one] - counts[other];
        }
        self.switches[other].level as i64 - self.switches[one].level as i64
    }

    /// Adds the distances from a switch.
    fn go_far(&self, far: &mut [u64], from: usize) {
        let mut steps = vec![FAR; far.len()];
        steps[from] = 0;
        let mut open = VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            for &next in &self.switches[at].linked {
                if steps[next] == FAR {
                    steps[next] = steps[at] + 1;
                    open.push_back(next);
                }
            }
        }
        far.iter_mut().zip(steps).for_each(|(far, steps)| *far = far.saturating_add(steps));
    }

    /// Chooses the lowest switch that suffices; of several at that height, the switch with the fewest nodes. Below it, the leaves with
    /// the fewest processors come first, each from its first node on.
    fn by_best_switch(&self, job: &Waiting, room: &[Spot]) -> Option<Placement> {
        let want = job.least_nodes();
        let suffices = |at: &usize| {
            let here = || room.iter().filter(|spot| self.switches[*at].nodes.has(spot.node));
            let whole = here().map(|spot| spot.tasks).sum();
            here().count() as i64 >= want
                && job.layout.is_enough(whole, here().filter(|spot| spot.beside).count() as i64)
        };
        let counts = self.counts(room);
        let best =
            (0..counts.len()).filter(suffices).min_by_key(|&at| (self.switches[at].level, counts[at], at))?;
        let nodes = |at: usize| room.iter().filter(move |spot| self.switches[at].nodes.has(spot.node));
        let is_below = |at: &usize| nodes(*at).all(|spot| self.switches[best].nodes.has(spot.node));
        let mut leaves: Vec<usize> =
            self.of_level_0().filter(|&at| counts[at] > 0).filter(is_below).collect();
        leaves.arrange_by_key(|&at| (nodes(at).map(|spot| self.procs[spot.node]).sum::<i64>(), at));
        let mut tasks = Taking::new(job, want);
        for leaf in leaves {
            tasks.take_all(room, &self.switches[leaf]);
        }
        tasks.is_done().then(|| tasks.filling.placement())
    }
}

struct Taking<'a> {
    filling: Filling<'a>,
    /// How many nodes the job asks for; 0 for any number.
    asked: i64,
    /// How many nodes are still wanted at least; it may be below 0.
    want: i64,
    taken: SortedSet<usize>,
}

impl<'a> Taking<'a> {
    fn new(job: &'a Waiting, want: i64) -> Taking<'a> {
        let filling = Filling::new(&job.layout, job.asked);
        Taking { filling, asked: job.asked, want, taken: SortedSet::new() }
    }

    fn is_done(&self) -> bool {
        self.filling.is_done() && self.want <= 0
    }

    fn is_full(&self) -> bool {
        self.asked > 0 && self.filling.has_its_nodes()
    }

    fn take(&mut self, spot: Spot) {
        if self.taken.insert(spot.node) {
            self.filling.take(spot);
            self.want -= 1;
        }
    }

    /// Takes the nodes of a leaf one after the other, until the job has what it needs.
    fn take_all(&mut self, room: &[Spot], leaf: &Switch) {
        for &room in room.iter().filter(|spot| leaf.nodes.has(spot.node)) {
            if self.is_done() || self.is_full() {
                break;
            }
            self.take(room);
        }
    }
}

/// Returns the nodes of the smallest weights that suffice, and among them the nodes with less than the greatest weight: a job gets
/// all of these.
fn lightest(weights: &Weights, job: &Waiting, room: &[Spot], want: i64) -> Option<(Vec<Spot>, Vec<Spot>)> {
    let mut by_weight = room.to_vec();
    by_weight.arrange_by_key(|spot| (weights.at(spot.node), spot.node));
    let (mut whole, mut beside, mut nodes) = (0_i64, 0, 0);
    let mut sure = 0;
    for group in by_weight.chunk_by(|one, other| weights.at(one.node) == weights.at(other.node)) {
        whole = group.iter().fold(whole, |sum, spot| sum.saturating_add(spot.tasks));
        beside += group.iter().filter(|spot| spot.beside).count() as i64;
        let end = nodes + group.len();
        if job.layout.is_enough(whole, beside) && end as i64 >= want {
            let mut best = by_weight[..end].to_vec();
            let mut sure = by_weight[..sure].to_vec();
            best.sort_unstable();
            sure.sort_unstable();
            return Some((best, sure));
        }
        (nodes, sure) = (end, end);
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::site::Switch;
    use batchlab_traces::{Layout, SourcePlace};

    use super::*;

    /// Leaves of 3, 5, 4 and 4 nodes of 8 processors, two under each of two switches under a root.
    fn tree(whole_nodes: bool) -> SwitchTree {
        let switch = |name: &str, level, nodes: std::ops::Range<usize>, below: &[usize]| Switch {
            name: name.into(),
            level,
            nodes: nodes.collect(),
            below: below.to_vec(),
            place: SourcePlace { file: "topology.conf".into(), line: 1, column: 1 },
        };
        let switches = vec![
            switch("leaf1", 0, 0..3, &[]),
            switch("leaf2", 0, 3..8, &[]),
            switch("leaf3", 0, 8..12, &[]),
            switch("leaf4", 0, 12..16, &[]),
            switch("west", 1, 0..8, &[0, 1]),
            switch("east", 1, 8..16, &[2, 3]),
            switch("root", 2, 0..16, &[4, 5]),
        ];
        let machine = Machine::uniform(128, 16).unwrap();
        SwitchTree::new(&Topology { switches, optional: false }, &machine, whole_nodes)
    }

    fn job(layout: Layout, asked: i64, most_leaves: Option<i64>) -> Waiting {
        Waiting { most_leaves, ..Waiting::of_tasks(layout, asked) }
    }

    /// Returns the nodes of a job with the processors there, given the free processors of each node.
    fn chosen(
        tree: &SwitchTree,
        weights: &[i64],
        job: &Waiting,
        free: impl Fn(usize) -> i64,
    ) -> Vec<(u32, i64)> {
        let room = |node: usize| ((free(node) / job.layout.task).min(job.layout.per_node), false);
        let placed = tree.choose(&Weights::of(weights.to_vec()), job, 0..16, room);
        placed
            .map_or_else(Vec::new, |placed| placed.0.iter().map(|share| (share.node, share.procs)).collect())
    }

    fn nodes(tree: &SwitchTree, job: &Waiting, free: impl Fn(usize) -> i64) -> Vec<u32> {
        chosen(tree, &[1; 16], job, free).into_iter().map(|(node, _)| node).collect()
    }

    fn whole(nodes: i64) -> Waiting {
        job(Layout::on_nodes(8 * nodes, nodes, 1), 0, None)
    }

    #[test]
    fn a_job_goes_to_the_leaf_of_the_tightest_fit() {
        let tree = tree(false);
        assert_eq!(nodes(&tree, &whole(3), |_| 8), [0, 1, 2]);
        assert_eq!(nodes(&tree, &whole(4), |_| 8), [8, 9, 10, 11], "of two alike the first");
        assert_eq!(nodes(&tree, &whole(2), |node| if node < 14 { 0 } else { 8 }), [14, 15]);
    }

    #[test]
    fn a_job_that_no_leaf_has_room_for_begins_at_the_widest_and_goes_on_near_it() {
        let tree = tree(false);
        assert_eq!(nodes(&tree, &whole(6), |_| 8), [0, 3, 4, 5, 6, 7], "leaf1 is nearer to leaf2 than leaf3");
        // With leaf1 in use, no job of 6 nodes fits below the switch of the west, and one does below that of the east.
        assert_eq!(nodes(&tree, &whole(6), |node| if node < 3 { 0 } else { 8 }), [8, 9, 10, 11, 12, 13]);
        assert!(nodes(&tree, &whole(17), |_| 8).is_empty());
    }

    #[test]
    fn a_job_of_processors_fills_the_leaf_with_the_fewest_nodes_first() {
        let (tree, packed) = (tree(false), job(Layout::of_tasks(30, 1), 0, None));
        let all = chosen(&tree, &[1; 16], &packed, |_| 8);
        assert_eq!(all, [(0, 8), (1, 8), (2, 8), (3, 6)]);
        let spread = job(Layout::of_tasks(10, 1), 4, None);
        let four = chosen(&tree, &[1; 16], &spread, |_| 8);
        assert_eq!(four, [(8, 7), (9, 1), (10, 1), (11, 1)], "each further node gets a task");
    }

    #[test]
    fn a_job_may_wait_for_nodes_below_one_switch() {
        let tree = tree(false);
        let choosy = |most| Waiting { most_leaves: most, ..whole(4) };
        let two_and_two = |node: usize| if [0, 1, 4, 5].contains(&node) { 8 } else { 0 };
        assert_eq!(nodes(&tree, &choosy(None), two_and_two), [0, 1, 4, 5]);
        assert_eq!(nodes(&tree, &choosy(Some(2)), two_and_two), [0, 1, 4, 5]);
        assert!(nodes(&tree, &choosy(Some(1)), two_and_two).is_empty());
        let optional = SwitchTree { optional: true, ..self::tree(false) };
        assert!(!optional.places(&choosy(None)) && optional.places(&choosy(Some(i64::MAX))));
    }

    #[test]
    fn lighter_nodes_come_before_near_ones() {
        let weights: Vec<i64> = (0..16).map(|node| if node == 15 || node == 3 { 1 } else { 5 }).collect();
        let found: Vec<u32> =
            chosen(&tree(false), &weights, &whole(4), |_| 8).into_iter().map(|(node, _)| node).collect();
        assert_eq!(found, [3, 4, 5, 15], "both light nodes, then the leaf of the first one");
    }

    #[test]
    fn whole_nodes_are_chosen_below_the_lowest_switch_that_suffices() {
        let tree = tree(true);
        assert_eq!(nodes(&tree, &whole(4), |_| 8), [8, 9, 10, 11], "leaf3 is tighter than leaf2");
        assert_eq!(
            nodes(&tree, &whole(6), |_| 8),
            [0, 1, 2, 3, 4, 5],
            "of west and east the first; leaf1 is smaller"
        );
        assert_eq!(nodes(&tree, &whole(6), |node| if node < 3 { 0 } else { 8 }), [8, 9, 10, 11, 12, 13]);
    }
}
