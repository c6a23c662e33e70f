//! Numbers for the processors of a pool, for programs that draw a row for each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::fmt;

use batchlab_traces::{JobId, Time, Workload};

use crate::outcome::Outcome;

/// Processors: ranges of numbers, both ends among them, ascending. As text `0-3 8`, as evalys and Batsim write them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Processors(Vec<(u64, u64)>);

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

/// Returns the processors of each job, by [`JobId`], if each takes those with the lowest numbers that are free at its start. Jobs
/// that start at the same instant take them in the order of the trace. `None` for a job that did not run, or ran more than once,
/// and for all jobs on machines with nodes or that share time: a pool only has no places of its own.
/// O((jobs + ranges) log (jobs + ranges)).
pub(super) fn lowest_free(workload: &Workload, outcome: &Outcome) -> Vec<Option<Processors>> {
    let mut taken: Vec<Option<Processors>> = vec![None; workload.len()];
    if !outcome.places.is_empty() || !outcome.intervals.is_empty() || !outcome.epochs.is_empty() {
        return taken;
    }
    let again: HashSet<JobId> = outcome.lost.iter().map(|run| run.job).collect();
    let once = workload.jobs().filter(|job| !again.contains(job));
    let mut runs: Vec<(Time, JobId)> = once.filter_map(|job| Some((outcome.started(job)?, job))).collect();
    runs.sort_unstable();
    let mut free = Free::default();
    let mut ends: BinaryHeap<Reverse<(Time, JobId)>> = BinaryHeap::new();
    for (start, job) in runs {
        while let Some(&Reverse((end, ended))) = ends.peek()
            && end <= start
        {
            ends.pop();
            free.put(taken[ended.index()].iter().flat_map(|processors| processors.0.iter().copied()));
        }
        taken[job.index()] = Some(free.take(workload.procs(job).max(0).cast_unsigned()));
        ends.push(Reverse((outcome.end(job), job)));
    }
    taken
}

/// Free processors below all that were ever taken: the first of each range with its last.
#[derive(Default)]
struct Free {
    ranges: BTreeMap<u64, u64>,
    /// The lowest number that was never taken.
    next: u64,
}

impl Free {
    /// Takes the lowest free ones.
    fn take(&mut self, mut count: u64) -> Processors {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
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
        Processors(ranges)
    }

    /// Frees ranges.
    fn put(&mut self, ranges: impl Iterator<Item = (u64, u64)>) {
        for (mut first, mut last) in ranges {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(free: &mut Free, count: u64) -> String {
        free.take(count).to_string()
    }

    #[test]
    fn the_lowest_free_ones_are_taken_in_ranges() {
        let mut free = Free::default();
        assert_eq!(text(&mut free, 4), "0-3");
        assert_eq!(text(&mut free, 1), "4");
        assert_eq!(text(&mut free, 3), "5-7");
        free.put([(0, 3)].into_iter());
        free.put([(5, 7)].into_iter());
        assert_eq!(text(&mut free, 6), "0-3 5-6");
        free.put([(4, 4)].into_iter());
        assert_eq!(text(&mut free, 4), "4 7-9");
        assert_eq!(text(&mut free, 0), "");
    }

    #[test]
    fn neighbours_that_are_freed_become_one_range() {
        let mut free = Free::default();
        let one: Vec<Processors> = (0..3).map(|_| free.take(2)).collect();
        for at in [0, 2, 1] {
            free.put(one[at].0.iter().copied());
        }
        assert_eq!(free.ranges, BTreeMap::from([(0, 5)]));
    }
}
