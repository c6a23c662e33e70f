//! Which nodes a job gets.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_eval_nodes`): of the runs of consecutive nodes
//! with room, the tightest run that suffices; if no run does, the largest run, and so on.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::Layout;

use super::view::View;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;
use batchlab_contract::placement::{Placement, Share};

#[derive(Clone, Debug)]
pub struct Weights {
    by_node: Vec<i64>,
    /// The different weights, ascending.
    tiers: Vec<i64>,
}

impl Weights {
    pub fn of(weights: Vec<i64>) -> Weights {
        let mut tiers = weights.clone();
        tiers.sort_unstable();
        tiers.dedup();
        Weights { by_node: weights, tiers }
    }

    pub fn at(&self, node: usize) -> i64 {
        self.by_node.get(node).copied().unwrap_or(1)
    }

    pub fn differ(&self) -> bool {
        self.tiers.len() > 1
    }
}

/// Chooses of some nodes of equal weights by the room at an instant.
pub fn choose_in(view: &View, job: &Waiting, nodes: &NodeSet) -> Option<Placement> {
    let layout = &job.layout;
    if !is_plain(job) {
        let equal = Weights { by_node: Vec::new(), tiers: Vec::new() };
        return choose(&equal, job, nodes.iter(), |node| view.tasks(node), |_| (0, 1));
    }
    plain_in(view, layout.tasks, nodes).map(|chosen| chosen.placement(view, layout))
}

/// Returns the nodes that [`choose_in`] chooses.
pub fn chosen_in(view: &View, job: &Waiting, nodes: &NodeSet) -> Option<NodeSet> {
    if is_plain(job) {
        return plain_in(view, job.layout.tasks, nodes).map(|chosen| chosen.nodes);
    }
    choose_in(view, job, nodes).map(|placement| nodes.same_size().with(&placement))
}

/// Whether the tasks of a job are alike and may be on any number of nodes.
pub fn is_plain(job: &Waiting) -> bool {
    job.asked == 0 && job.layout.rests == 0 && !job.least_loaded
}

/// The nodes of a job with like tasks: each node but the last gets the most tasks that it has room for.
struct Chosen {
    nodes: NodeSet,
    last: usize,
    rest: i64,
}

impl Chosen {
    fn placement(&self, view: &View, layout: &Layout) -> Placement {
        let tasks = |node| if node == self.last { self.rest } else { view.tasks(node).0 };
        let share = |node| Share::new(node as u32, tasks(node) * layout.task);
        Placement(self.nodes.iter().map(share).collect())
    }
}

/// A run of consecutive nodes with room: its tasks, its first node, and the node behind its last one.
type Run = (i64, Reverse<u32>, u32);

/// Places a number of like tasks, as [`fill`] does. O(nodes / 64 · digits) beside the runs with room, however many nodes are chosen.
fn plain_in(view: &View, mut need: i64, nodes: &NodeSet) -> Option<Chosen> {
    let (mut runs, mut whole): (Vec<Run>, i64) = (Vec::with_capacity(64), 0);
    view.runs(nodes, |from, to, tasks| {
        runs.push((tasks, Reverse(from as u32), to as u32));
        whole += tasks;
    });
    if whole < need {
        return None;
    }
    let tightest = |runs: &[Run], need: i64| {
        let suffice = runs.iter().filter(|run| run.0 >= need);
        suffice.min_by_key(|&&(tasks, Reverse(from), _)| (tasks, from)).copied()
    };
    let mut chosen = nodes.same_size();
    let run = if let Some(run) = tightest(&runs, need) {
        run
    } else {
        let mut by_size = BinaryHeap::from(runs);
        while by_size.peek().is_some_and(|run| run.0 < need)
            && let Some((tasks, Reverse(from), to)) = by_size.pop()
        {
            chosen.insert_all(from as usize, to as usize);
            need -= tasks;
        }
        tightest(by_size.as_slice(), need)?
    };
    let (_, Reverse(from), to) = run;
    let (from, to) = (from as usize, to as usize);
    let alone = (need <= view.most())
        .then(|| (from..to).filter(|&node| view.tasks(node).0 >= need))
        .into_iter()
        .flatten();
    if let Some(node) = alone.min_by_key(|&node| view.tasks(node).0) {
        chosen.insert(node);
        return Some(Chosen { nodes: chosen, last: node, rest: need });
    }
    let (last, rest) = view.take(from, to, need, &mut chosen);
    Some(Chosen { nodes: chosen, last, rest })
}

/// Chooses nodes by runs of consecutive nodes, among the nodes of the smallest weights that suffice. A job that goes to the least
/// loaded nodes gets the nodes with the greatest share of free processors, one by one; `spare` returns the free processors of a node,
/// and all its processors.
pub fn choose(
    weights: &Weights,
    job: &Waiting,
    nodes: impl Iterator<Item = usize>,
    room_on: impl Fn(usize) -> (i64, bool),
    spare: impl Fn(usize) -> (i64, i64),
) -> Option<Placement> {
    let layout = &job.layout;
    let mut room: Vec<Spot> = Vec::new();
    let (mut whole, mut beside) = (0_i64, 0_i64);
    for spot in nodes.filter_map(|node| Spot::with_room(node, room_on(node))) {
        whole += spot.tasks;
        beside += i64::from(spot.beside);
        room.push(spot);
    }
    if !layout.is_enough(whole, beside) || (room.len() as i64) < job.asked {
        return None;
    }
    loop {
        let found = if job.least_loaded {
            place_least_loaded(weights, &room, job, &spare)
        } else {
            place(lightest(weights, &room, job), layout, job.asked)
        };
        if found.is_some() || !leave_least(&mut room, job.asked) {
            return found;
        }
    }
}

/// A node with the whole tasks for which it has room, and whether a smaller one fits beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub node: usize,
    pub tasks: i64,
    pub beside: bool,
}

impl Spot {
    /// Returns a node with the room there; `None` if it has no room.
    #[inline]
    pub fn with_room(node: usize, (tasks, beside): (i64, bool)) -> Option<Spot> {
        (tasks > 0 || beside).then_some(Spot { node, tasks, beside })
    }
}

/// A range of places of spots with consecutive nodes, and the tasks for which they have room.
struct SpotRun {
    from: usize,
    to: usize,
    tasks: i64,
}

/// Takes out the nodes with the least room, but leaves the number of nodes that the job asks for: with too few tasks on some of its
/// nodes, it may fit on others. Returns whether any was taken out; none is if the job asks for no number of nodes.
///
/// Source: `choose_nodes` (`job_test.c`) of `select/cons_tres`.
pub fn leave_least(room: &mut Vec<Spot>, asked: i64) -> bool {
    let size = |spot: &Spot| (spot.tasks, spot.beside);
    let mut more = if asked > 0 { room.len().saturating_sub(asked as usize) } else { 0 };
    let Some(least) = room.iter().map(size).min().filter(|_| more > 0) else { return false };
    room.retain(|spot| {
        let goes = more > 0 && size(spot) == least;
        more -= usize::from(goes);
        !goes
    });
    true
}

/// Returns the nodes of the smallest weights that may suffice.
fn lightest<'a>(weights: &Weights, room: &'a [Spot], job: &Waiting) -> Cow<'a, [Spot]> {
    if !weights.differ() {
        return Cow::Borrowed(room);
    }
    for most in &weights.tiers {
        let light = || room.iter().filter(|spot| weights.by_node[spot.node] <= *most);
        let tasks = light().fold(0_i64, |sum, spot| sum.saturating_add(spot.tasks));
        let rests = light().filter(|spot| spot.beside).count() as i64;
        if job.layout.is_enough(tasks, rests) && light().count() as i64 >= job.asked {
            return Cow::Owned(light().copied().collect());
        }
    }
    Cow::Borrowed(room)
}

/// Places on the nodes with the greatest share of free processors, one by one, lighter nodes first.
fn place_least_loaded(
    weights: &Weights,
    room: &[Spot],
    job: &Waiting,
    spare: &impl Fn(usize) -> (i64, i64),
) -> Option<Placement> {
    let idle = |node: usize| {
        let (free, all) = spare(node);
        i128::from(free) * i128::from(SHARES) / i128::from(all.max(1))
    };
    let mut room = room.to_vec();
    room.sort_by_key(|&Spot { node, .. }| (weights.at(node), Reverse(idle(node)), node));
    let each = (0..room.len()).map(|at| SpotRun { from: at, to: at + 1, tasks: room[at].tasks }).collect();
    fill(each, |at| room[at], &job.layout, Order { asked: job.asked, as_they_come: true, most: i64::MAX })
}

/// Places the tasks of a job on nodes with room, ascending: each with its whole tasks, and whether a smaller one fits beside.
fn place(room: impl AsRef<[Spot]>, layout: &Layout, asked: i64) -> Option<Placement> {
    let room = room.as_ref();
    // Runs as ranges of `room`, with the tasks for which they have room.
    let mut runs: Vec<SpotRun> = Vec::new();
    for (at, spot) in room.iter().enumerate() {
        let tasks = spot.tasks.saturating_add(i64::from(spot.beside));
        match runs.last_mut() {
            Some(run) if room[run.to - 1].node + 1 == spot.node => {
                run.to = at + 1;
                run.tasks = run.tasks.saturating_add(tasks);
            }
            _ => runs.push(SpotRun { from: at, to: at + 1, tasks }),
        }
    }
    fill(runs, |at| room[at], layout, Order { asked, as_they_come: false, most: i64::MAX })
}

/// The tasks of a job that are still to be placed, and where the others are.
pub struct Filling<'a> {
    layout: &'a Layout,
    whole: i64,
    rests: i64,
    /// How many of the nodes that it asks for are still to be found; below 0 with more nodes than it asks for.
    nodes: i64,
    shares: Vec<Share>,
}

impl<'a> Filling<'a> {
    pub fn new(layout: &'a Layout, asked: i64) -> Filling<'a> {
        Filling { layout, whole: layout.tasks, rests: layout.rests, nodes: asked, shares: Vec::new() }
    }

    pub fn is_done(&self) -> bool {
        self.whole + self.rests == 0
    }

    pub fn has_its_nodes(&self) -> bool {
        self.nodes <= 0
    }

    /// Places on a node with room for some whole tasks, and for a smaller one `beside` them, what fits there, except for a task
    /// for each further node.
    pub fn take(&mut self, Spot { node, tasks, beside }: Spot) {
        let layout = self.layout;
        let further = (self.nodes - 1).max(0);
        let here = self.whole.min(tasks).min((self.whole + self.rests - further).max(1));
        self.whole -= here;
        let open = tasks - here + i64::from(beside);
        let some = self.whole == 0 || beside;
        let small = if some { self.rests.min(open).min(layout.per_node - here) } else { 0 };
        self.rests -= small;
        let procs = here * layout.task + small * layout.rest;
        if procs > 0 {
            self.nodes -= 1;
            self.shares.push(Share::new(node as u32, procs));
        }
    }

    pub fn placement(mut self) -> Placement {
        self.shares.sort_by_key(|share| share.node);
        Placement(self.shares)
    }
}

/// The steps in which shares of free processors are compared.
const SHARES: i64 = 1 << 40;

/// How the tasks of a job are placed.
#[derive(Clone, Copy)]
struct Order {
    /// How many nodes the job asks for; 0 for any number.
    asked: i64,
    as_they_come: bool,
    /// A bound on the whole tasks of a node.
    most: i64,
}

/// Places the tasks of a job on runs of consecutive nodes: on the tightest run that suffices, else on the largest run. In this run it
/// takes the tightest node that suffices alone, else all nodes from the first one on; then the next run takes the rest. With `asked`
/// nodes, exactly these get a task. Runs are ranges of places, with the tasks for which they have room; `spot` returns the node at a
/// place, with the room there.
fn fill(
    mut runs: Vec<SpotRun>,
    spot: impl Fn(usize) -> Spot,
    layout: &Layout,
    Order { asked, as_they_come, most }: Order,
) -> Option<Placement> {
    let mut filling = Filling::new(layout, asked);
    while !filling.is_done() {
        let Filling { whole, rests, nodes, .. } = filling;
        if asked > 0 && nodes == 0 {
            return None;
        }
        let need = whole + rests;
        let suffices = |run: &SpotRun| run.tasks >= need && (run.to - run.from) as i64 >= nodes;
        // A larger run with too few nodes comes before a run that suffices.
        let better = |run: &SpotRun, other: &SpotRun| {
            if suffices(run) { !suffices(other) || run.tasks < other.tasks } else { run.tasks > other.tasks }
        };
        let is_better = |at: usize, best: usize| !as_they_come && better(&runs[at], &runs[best]);
        let best = (0..runs.len()).reduce(|best, at| if is_better(at, best) { at } else { best })?;
        let SpotRun { from, to, tasks: together } = runs.remove(best);
        let suffices_alone = |&at: &usize| {
            let Spot { tasks, beside, .. } = spot(at);
            let open = tasks - whole + i64::from(beside);
            nodes <= 1 && tasks >= whole && rests <= open.min(layout.per_node - whole)
        };
        let room = |&at: &usize| {
            let Spot { tasks, beside, .. } = spot(at);
            (tasks, beside)
        };
        let may_suffice = together >= need && whole <= most;
        let alone = if may_suffice { (from..to).filter(suffices_alone).min_by_key(room) } else { None };
        let run = alone.map_or(from..to, |at| at..at + 1);
        for spot in run.map(&spot) {
            if filling.is_done() || asked > 0 && filling.nodes == 0 {
                break;
            }
            if asked > 0
                && filling.nodes == 1
                && spot.tasks + i64::from(spot.beside) < filling.whole + filling.rests
            {
                continue;
            }
            filling.take(spot);
        }
    }
    Some(filling.placement())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn nodes(room: &[usize], layout: Layout) -> Vec<(u32, i64)> {
        let room: Vec<Spot> = room.iter().filter_map(|&node| Spot::with_room(node, (1, false))).collect();
        place(&room, &layout, 0).unwrap().0.iter().map(|share| (share.node, share.procs)).collect()
    }

    proptest! {
        /// Like tasks get the nodes that tasks of all kinds would.
        #[test]
        fn like_tasks_are_placed_word_by_word_as_node_by_node(
            tasks in proptest::collection::vec(prop_oneof![Just(0_i64), 0..8_i64, Just(7)], 150),
            gaps in proptest::collection::vec(0_usize..150, 0..20),
            need in prop_oneof![1_i64..10, 1_i64..600],
        ) {
            let (view, set) = (View::of(&tasks, 3), NodeSet::of(150, |node| !gaps.contains(&node)));
            let room: Vec<Spot> =
                set.iter().filter_map(|node| Spot::with_room(node, (tasks[node], false))).collect();
            let layout = Layout::of_tasks(need, 1);
            let enough = room.iter().map(|spot| spot.tasks).sum::<i64>() >= need;
            let expected = if enough { place(&room, &layout, 0) } else { None };
            let found = plain_in(&view, need, &set);
            prop_assert_eq!(found.as_ref().map(|chosen| chosen.placement(&view, &layout)), expected.clone());
            prop_assert_eq!(found.map(|chosen| chosen.nodes), expected.map(|placement| set.same_size().with(&placement)));
        }
    }

    #[test]
    fn the_tightest_run_that_suffices_is_taken_from_its_first_node() {
        let two = Layout::on_nodes(4, 2, 1);
        assert_eq!(nodes(&[0, 1, 2, 5, 6, 9], two), [(5, 2), (6, 2)]);
        assert_eq!(nodes(&[0, 1, 2, 5, 9], two), [(0, 2), (1, 2)]);
        assert_eq!(nodes(&[0, 2, 4, 5, 6], Layout::on_nodes(4, 4, 1)), [(0, 1), (4, 1), (5, 1), (6, 1)]);
    }

    #[test]
    fn the_least_loaded_nodes_are_those_with_the_greatest_share_of_free_processors() {
        let room = [(2, 6), (0, 3), (1, 8)].map(|(node, tasks)| Spot { node, tasks, beside: false });
        let each = |room: &[Spot]| {
            (0..room.len()).map(|at| SpotRun { from: at, to: at + 1, tasks: room[at].tasks }).collect()
        };
        let placed = fill(
            each(&room),
            |at| room[at],
            &Layout::of_tasks(8, 1),
            Order { asked: 0, as_they_come: true, most: 8 },
        )
        .unwrap();
        let placed: Vec<(u32, i64)> = placed.0.iter().map(|share| (share.node, share.procs)).collect();
        assert_eq!(placed, [(0, 2), (2, 6)], "as the nodes come, not by the tightest fit");
    }

    #[test]
    fn heavier_nodes_serve_where_lighter_ones_have_too_little_room_on_each() {
        let weights = Weights::of(vec![1, 1, 1, 1, 5, 5]);
        let of = |weights: &Weights, room: [i64; 6], asked, least_loaded| {
            let job = Waiting { least_loaded, ..Waiting::of_tasks(Layout::of_tasks(8, 1), asked) };
            let placed = choose(weights, &job, 0..6, |node| (room[node], false), |node| (room[node], 8))?;
            Some(placed.0.iter().map(|share| (share.node, share.procs)).collect::<Vec<_>>())
        };
        let room = [3, 3, 3, 3, 8, 8];
        assert_eq!(of(&weights, room, 2, false), Some(vec![(4, 7), (5, 1)]), "6 on two light nodes");
        assert_eq!(of(&weights, room, 0, false), Some(vec![(0, 3), (1, 3), (2, 2)]));
        assert_eq!(
            of(&weights, room, 2, true),
            Some(vec![(0, 3), (4, 5)]),
            "the least loaded come one by one"
        );
        assert_eq!(of(&weights, [3, 3, 3, 0, 1, 0], 3, false), Some(vec![(0, 3), (1, 3), (2, 2)]));
        // As many nodes as are asked for stay among the candidates, whatever their room.
        let alike = Weights::of(vec![1; 6]);
        assert_eq!(of(&alike, [2, 2, 2, 3, 3, 0], 3, false), Some(vec![(2, 2), (3, 3), (4, 3)]));
        assert_eq!(of(&alike, [2, 2, 2, 2, 3, 0], 3, false), None, "7 on the roomiest three");
    }

    #[test]
    fn each_of_the_nodes_asked_for_gets_a_task() {
        let on = |room: &[(usize, i64)], asked| {
            let room: Vec<Spot> =
                room.iter().filter_map(|&(node, tasks)| Spot::with_room(node, (tasks, false))).collect();
            let placed = place(&room, &Layout::of_tasks(6, 1), asked)?;
            Some(placed.0.iter().map(|share| (share.node, share.procs)).collect::<Vec<_>>())
        };
        let room = [(0, 8), (1, 8), (3, 4), (4, 2)];
        assert_eq!(on(&room, 0), Some(vec![(3, 4), (4, 2)]));
        assert_eq!(on(&room, 1), Some(vec![(0, 6)]), "no node of the tightest run has enough alone");
        assert_eq!(on(&[(0, 8), (1, 8)], 2), Some(vec![(0, 5), (1, 1)]));
        assert_eq!(on(&[(0, 2), (2, 3)], 2), None);
    }
}
