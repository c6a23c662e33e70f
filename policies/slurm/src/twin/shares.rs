//! How many processors jobs had on each of their nodes, as the jobs that ran beside them tell.
//!
//! Accounting has the nodes of a job and the sum of its processors. A job that started on a node had room there for its processors
//! beside the jobs that ran: this rules out most ways to divide the processors of jobs among their nodes. A way that is left is sought
//! by moving processors off nodes that would have too many.

use batchlab_traces::Time;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::sorted::SortedMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRun {
    pub row: usize,
    pub span: (Time, Time),
    /// Its nodes, with its processors on each.
    pub procs: Vec<(usize, i64)>,
    /// Whether the processors on each node are known.
    pub is_known: bool,
}

impl NodeRun {
    fn on(&self, node: usize) -> i64 {
        self.procs.iter().find(|(other, _)| *other == node).map_or(0, |(_, procs)| *procs)
    }

    fn meets(&self, (from, to): (Time, Time)) -> bool {
        self.span.0 < to && self.span.1 > from
    }
}

/// The run whose processors are moved, the node to which they go, and how many they are.
type Move = (usize, usize, i64);

const MOVES: usize = 20;

/// Divides the processors of jobs among their nodes where this is not known, so that no node has more than its capacity, as far as
/// such a way is found; each node keeps at least one processor. O(moves · jobs of a node).
pub fn divide(runs: &mut [NodeRun], capacity: &[i64]) {
    let mut lines = Lines::new(runs, capacity);
    let mut moved: SortedMap<(usize, usize), u32> = SortedMap::new();
    for _ in 0..runs.len().saturating_mul(MOVES) {
        let Some((node, at, excess)) = lines.fullest() else { return };
        let Some((run, to, count)) = lines.relief(runs, &moved, node, at, excess) else {
            // Nothing can be moved off: this much is certain, and the rest may still be found.
            lines.give_up(node, at);
            continue;
        };
        for (other, procs) in &mut runs[run].procs {
            *procs += if *other == node {
                -count
            } else if *other == to {
                count
            } else {
                0
            };
        }
        *moved.entry((run, node)).or_default() += 1;
        lines.look_again(runs, node);
        lines.look_again(runs, to);
    }
}

/// What runs on each node over time.
struct Lines<'a> {
    capacity: &'a [i64],
    runs: Vec<Vec<usize>>,
    /// The first instant at which a node has too many processors in use, and by how many.
    full: Vec<Option<(Time, i64)>>,
    /// Up to when nodes are given up.
    given_up: Vec<Option<Time>>,
}

impl<'a> Lines<'a> {
    fn new(all: &[NodeRun], capacity: &'a [i64]) -> Lines<'a> {
        let mut runs = vec![Vec::new(); capacity.len()];
        for (at, run) in all.iter().enumerate() {
            for &(node, _) in run.procs.iter().filter(|(node, _)| *node < capacity.len()) {
                runs[node].push(at);
            }
        }
        for of_node in &mut runs {
            of_node.arrange_by_key(|&at| (all[at].span, at));
        }
        let (full, given_up) = (vec![None; capacity.len()], vec![None; capacity.len()]);
        let mut lines = Lines { capacity, runs, full, given_up };
        (0..capacity.len()).for_each(|node| lines.look_again(all, node));
        lines
    }

    /// Returns the node that first has too many processors in use, when, and by how many.
    fn fullest(&self) -> Option<(usize, Time, i64)> {
        let all =
            self.full.iter().enumerate().filter_map(|(node, full)| full.map(|(at, more)| (at, node, more)));
        all.min().map(|(at, node, more)| (node, at, more))
    }

    /// Returns how many processors are in use on a node at each start within a span, and at its beginning.
    fn used<'b>(
        &'b self,
        all: &'b [NodeRun],
        node: usize,
        span: (Time, Time),
    ) -> impl Iterator<Item = (Time, i64)> + 'b {
        let here = move || self.runs[node].iter().map(|&at| &all[at]).filter(move |run| run.meets(span));
        let starts =
            std::iter::once(span.0).chain(here().map(|run| run.span.0).filter(move |&at| at > span.0));
        starts.map(move |at| {
            let running = here().filter(|run| run.span.0 <= at && run.span.1 > at);
            (at, running.map(|run| run.on(node)).sum())
        })
    }

    /// Finds the first instant at which a node has too many processors.
    fn look_again(&mut self, all: &[NodeRun], node: usize) {
        let most = self.capacity[node];
        let mut running: Vec<(Time, i64)> = Vec::new();
        let mut found = None;
        for run in self.runs[node].iter().map(|&at| &all[at]) {
            running.retain(|(to, _)| *to > run.span.0);
            running.push((run.span.1, run.on(node)));
            let used: i64 = running.iter().map(|(_, procs)| procs).sum();
            if used > most && self.given_up[node].is_none_or(|until| run.span.0 > until) {
                found = Some((run.span.0, used - most));
                break;
            }
        }
        self.full[node] = found;
    }

    /// Passes over an instant at which nothing can be moved off a node.
    fn give_up(&mut self, node: usize, at: Time) {
        self.given_up[node] = Some(at);
        self.full[node] = None;
    }

    /// Returns a job on a node that may have fewer processors there, one of its other nodes, and how many to move there: to a node with
    /// room for as long as the job runs, else to a node where the least is missing, of the nodes that took processors least often.
    fn relief(
        &self,
        all: &[NodeRun],
        moved: &SortedMap<(usize, usize), u32>,
        node: usize,
        instant: Time,
        excess: i64,
    ) -> Option<Move> {
        let mut best: Option<((u32, i64), Move)> = None;
        for &run in &self.runs[node] {
            let known = &all[run];
            let spare = known.on(node) - 1;
            if known.is_known || spare <= 0 || known.span.0 > instant || known.span.1 <= instant {
                continue;
            }
            for &(other, _) in
                known.procs.iter().filter(|(other, _)| *other != node && *other < self.capacity.len())
            {
                let used = self.used(all, other, known.span).map(|(_, used)| used).max().unwrap_or(0);
                let room = self.capacity[other] - used;
                let count = excess.min(spare).min(room.max(1));
                let times = moved.get(&(run, other)).copied().unwrap_or(0);
                let rank = (if room > 0 { 0 } else { 1 + times }, -room.min(excess));
                if (room > 0 || times < 8) && best.is_none_or(|(least, _)| rank < least) {
                    best = Some((rank, (run, other, count)));
                }
            }
        }
        best.map(|(_, found)| found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(row: usize, span: (i64, i64), procs: &[(usize, i64)], is_known: bool) -> NodeRun {
        let span = (Time::from_secs(span.0), Time::from_secs(span.1));
        NodeRun { row, span, procs: procs.to_vec(), is_known }
    }

    #[test]
    fn a_job_has_fewer_processors_where_others_started_beside_it() {
        // Ten processors on two nodes of eight; then a job of six starts on the first one: the other had two there at most.
        let mut runs = [run(0, (0, 100), &[(0, 5), (1, 5)], false), run(1, (10, 50), &[(0, 6)], true)];
        divide(&mut runs, &[8, 8]);
        assert_eq!(runs[0].procs, [(0, 2), (1, 8)]);
        // A second one of two on the second node, from when the first has ended: none of it can be moved, and all is left.
        let mut runs = [runs[0].clone(), runs[1].clone(), run(2, (20, 30), &[(1, 2)], true)];
        divide(&mut runs, &[8, 8]);
        assert_eq!(runs[0].procs.iter().map(|(_, procs)| procs).sum::<i64>(), 10);
    }

    #[test]
    fn what_makes_room_for_one_job_is_moved_on_for_another() {
        // The first job leaves node 0 for node 1, and there the second one has to leave for node 2.
        let mut runs = [
            run(0, (0, 100), &[(0, 4), (1, 4)], false),
            run(1, (0, 100), &[(1, 4), (2, 2)], false),
            run(2, (10, 50), &[(0, 7)], true),
        ];
        divide(&mut runs, &[8, 8, 8]);
        assert_eq!((&runs[0].procs[..], &runs[1].procs[..]), (&[(0, 1), (1, 7)][..], &[(1, 1), (2, 5)][..]));
    }
}
