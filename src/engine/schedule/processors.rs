//! Numbers for processors, for programs that draw a row for each.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::fmt;

use batchlab_support::Share;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use crate::metrics::Measurement;

/// Processors: ranges of numbers, both ends among them, ascending. As text `0-3 8`, as evalys and Batsim write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Processors(Vec<(u64, u64)>);

impl Processors {
    fn of(ranges: &[(u32, u32)]) -> Processors {
        Processors(ranges.iter().map(|&(first, last)| (first.into(), last.into())).collect())
    }
}

impl fmt::Display for Processors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.0.iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            if first == last {
                write!(f, "{blank}{first}")?;
            } else {
                write!(f, "{blank}{first}-{last}")?;
            }
        }
        Ok(())
    }
}

/// Returns the processors of each job, by [`JobId`]: those that its policy named; if it named none for any job, those with the lowest
/// numbers that are free at its start, of the pool or of each of its nodes, whose processors are numbered consecutively in the
/// order of the nodes. Jobs that start at the same instant take them in the order of the trace. `None` for a job that did not run,
/// ran more than once or moved, and for all jobs of a machine that is shared in time. O((jobs + ranges) log (jobs + ranges)).
pub(super) fn numbered(measurement: &Measurement<'_>) -> Vec<Option<Processors>> {
    let (workload, outcome) = (measurement.workload(), measurement.outcome());
    let mut taken: Vec<Option<Processors>> = vec![None; workload.len()];
    if outcome.shares_time() || outcome.by_processor {
        return taken;
    }
    let again: HashSet<JobId> = outcome.lost.iter().map(|run| run.job).collect();
    let once = workload.jobs().filter(|job| !again.contains(job));
    let mut runs: Vec<(Time, JobId)> = once.filter_map(|job| Some((outcome.started(job)?, job))).collect();
    if !outcome.processors.is_empty() {
        for (_, job) in runs {
            taken[job.index()] = outcome.processors.get(&job).map(|ranges| Processors::of(ranges));
        }
        return taken;
    }
    runs.sort_unstable();
    let has_places = !outcome.places.is_empty();
    let mut nodes = Nodes::of(measurement, has_places);
    let mut ends: BinaryHeap<Reverse<(Time, JobId)>> = BinaryHeap::new();
    for (start, job) in runs {
        while let Some(&Reverse((end, ended))) = ends.peek()
            && end <= start
        {
            ends.pop();
            nodes.put(taken[ended.index()].as_ref());
        }
        let shares = if has_places {
            outcome.places.only(job, start)
        } else {
            vec![Share::new(0, workload.procs(job))]
        };
        taken[job.index()] = Some(nodes.take(&shares)).filter(|_| !shares.is_empty());
        ends.push(Reverse((outcome.end(job), job)));
    }
    taken
}

struct Nodes(Vec<Free>);

impl Nodes {
    fn of(measurement: &Measurement<'_>, has_places: bool) -> Nodes {
        let machine = measurement.machine();
        let nodes = if has_places { machine.nodes() } else { 1 };
        let first = (0..nodes).scan(0, |next, node| {
            let first = *next;
            *next += machine.capacity(node)[0].max(0).cast_unsigned();
            Some(first)
        });
        Nodes(first.map(|first| Free { next: first, first, ..Free::default() }).collect())
    }

    fn take(&mut self, shares: &[Share]) -> Processors {
        let mut all = Processors::default();
        for share in shares {
            self.0[share.node as usize].take(share.procs.max(0).cast_unsigned(), &mut all);
        }
        all
    }

    fn put(&mut self, processors: Option<&Processors>) {
        for &(first, last) in processors.iter().flat_map(|processors| &processors.0) {
            // A range may go over several nodes.
            let from = self.0.partition_point(|node| node.first <= first) - 1;
            let to = self.0.partition_point(|node| node.first <= last);
            for node in from..to {
                let end = self.0.get(node + 1).map_or(last, |next| last.min(next.first - 1));
                let free = &mut self.0[node];
                let first = first.max(free.first);
                if first <= end {
                    free.put((first, end));
                }
            }
        }
    }
}

/// The free processors of a node, below all that were ever taken: the first of each range with its last.
#[derive(Default)]
struct Free {
    ranges: SortedMap<u64, u64>,
    /// The lowest number of the node.
    first: u64,
    /// The lowest number that was never taken.
    next: u64,
}

impl Free {
    /// Adds the lowest free ones to those of a job.
    fn take(&mut self, mut count: u64, processors: &mut Processors) {
        let ranges = &mut processors.0;
        while count > 0 {
            let (first, last) = self.ranges.pop_first().unwrap_or((self.next, self.next + count - 1));
            self.next = self.next.max(last + 1);
            let end = last.min(first + count - 1);
            if end < last {
                self.ranges.insert(end + 1, last);
            }
            count -= end - first + 1;
            match ranges.last_mut() {
                Some((_, before)) if *before + 1 == first => *before = end,
                _ => ranges.push((first, end)),
            }
        }
    }

    /// Frees a range.
    fn put(&mut self, (mut first, mut last): (u64, u64)) {
        if let Some((&before, &end)) = self.ranges.range(..first).next_back()
            && end + 1 == first
        {
            first = before;
        }
        if let Some(end) = self.ranges.remove(&(last + 1)) {
            last = end;
        }
        self.ranges.insert(first, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(free: &mut Free, count: u64) -> String {
        let mut processors = Processors::default();
        free.take(count, &mut processors);
        processors.to_string()
    }

    #[test]
    fn the_lowest_free_ones_are_taken_in_ranges() {
        let mut free = Free::default();
        assert_eq!(text(&mut free, 4), "0-3");
        assert_eq!(text(&mut free, 1), "4");
        assert_eq!(text(&mut free, 3), "5-7");
        free.put((0, 3));
        free.put((5, 7));
        assert_eq!(text(&mut free, 6), "0-3 5-6");
        free.put((4, 4));
        assert_eq!(text(&mut free, 4), "4 7-9");
        assert_eq!(text(&mut free, 0), "");
    }

    #[test]
    fn neighbours_that_are_freed_become_one_range() {
        let mut free = Free::default();
        assert_eq!(text(&mut free, 6), "0-5");
        for range in [(0, 1), (4, 5), (2, 3)] {
            free.put(range);
        }
        assert_eq!(free.ranges, SortedMap::from([(0, 5)]));
    }
}
