//! Waiting jobs that were put aside in groups: a whole group is shown or hidden at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedSet;
use rustc_hash::FxHashMap;

use super::Rank;
use crate::front::{Front, Need};
use crate::tree::Tree;

/// A line of jobs for each group, beside the jobs of the queue that were not put aside.
///
/// A search asks the shown lines by the rank of their first job, and ends at the first line behind a job that it has found:
/// O(lines + log n) at best, and O(lines · log n) if no job is found.
#[derive(Default)]
pub struct Lines<const K: usize> {
    all: Vec<Line<K>>,
    /// The lines that are shown and have jobs, by the rank of their first job.
    heads: SortedSet<(Rank, usize)>,
    line_of: FxHashMap<JobId, usize>,
    shown: usize,
}

#[derive(Default)]
struct Line<const K: usize> {
    jobs: Tree<Rank, Front<K>>,
    is_shown: bool,
}

impl<const K: usize> Lines<K> {
    pub fn len(&self) -> usize {
        self.shown
    }

    /// Adds a job to a line; the first job of a line finds it hidden.
    pub fn insert(&mut self, group: usize, rank: Rank, need: Need<K>) {
        if self.all.len() <= group {
            self.all.resize_with(group + 1, Line::default);
        }
        self.change(group, |line| line.jobs.insert(rank, need));
        self.line_of.insert(rank.job(), group);
    }

    pub fn remove(&mut self, rank: Rank) -> bool {
        let Some(group) = self.line_of.remove(&rank.job()) else { return false };
        self.change(group, |line| {
            line.jobs.remove(rank);
        });
        true
    }

    pub fn show(&mut self, group: usize, is_shown: bool) {
        if group < self.all.len() {
            self.change(group, |line| line.is_shown = is_shown);
        }
    }

    /// Changes a line, and its place among the lines that are shown.
    fn change(&mut self, group: usize, change: impl FnOnce(&mut Line<K>)) {
        let line = &mut self.all[group];
        let (before, had) = (line.head(), line.count());
        change(line);
        let (after, has) = (line.head(), line.count());
        self.shown = self.shown + has - had;
        if before != after {
            if let Some(head) = before {
                self.heads.remove(&(head, group));
            }
            self.heads.extend(after.map(|head| (head, group)));
        }
    }

    pub fn first(&self) -> Option<Rank> {
        self.heads.first().map(|&(head, _)| head)
    }

    /// Returns the last job of the lines that are shown. O(lines · log n).
    pub fn last(&self) -> Option<Rank> {
        self.trees().filter_map(|jobs| jobs.find_last(|_| true, |_| true)).max()
    }

    /// Returns the first job that satisfies `is`, at or after a rank if given; `found` if it comes earlier. `may` is as in
    /// [`Tree::find_first`].
    pub fn find(
        &self,
        found: Option<Rank>,
        from: Option<Rank>,
        may: &dyn Fn(&Front<K>) -> bool,
        is: &dyn Fn(&Need<K>) -> bool,
    ) -> Option<Rank> {
        let mut best = found;
        for &(head, group) in &self.heads {
            if best.is_some_and(|best| best < head) {
                break;
            }
            let other = self.all[group].jobs.find_first(from, may, is);
            best = best.into_iter().chain(other).min();
        }
        best
    }

    /// Calls a function with the jobs of a tree and of the lines that are shown, in order, as [`Tree::visit_where`].
    pub fn visit_where(
        &self,
        rest: &Tree<Rank, Front<K>>,
        from: Option<Rank>,
        may: &dyn Fn(&Front<K>) -> bool,
        visit: &mut dyn FnMut(Rank, &Need<K>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let trees: Vec<&Tree<Rank, Front<K>>> = std::iter::once(rest).chain(self.trees()).collect();
        let mut next: Vec<Option<(Rank, Need<K>)>> =
            trees.iter().map(|tree| first(tree, from, may)).collect();
        let rank = |next: &Option<(Rank, Need<K>)>| next.map(|(rank, _)| rank);
        let mut heads: BinaryHeap<Reverse<(Rank, usize)>> =
            next.iter().enumerate().filter_map(|(at, next)| Some(Reverse((rank(next)?, at)))).collect();
        while let Some(Reverse((_, at))) = heads.pop() {
            let Some((job, need)) = next[at] else { continue };
            if visit(job, &need).is_break() {
                return ControlFlow::Break(());
            }
            next[at] = first(trees[at], Some(job.next()), may);
            heads.extend(rank(&next[at]).map(|rank| Reverse((rank, at))));
        }
        ControlFlow::Continue(())
    }

    fn trees(&self) -> impl Iterator<Item = &Tree<Rank, Front<K>>> {
        self.heads.iter().map(|&(_, group)| &self.all[group].jobs)
    }
}

impl<const K: usize> Line<K> {
    /// Returns the first job, if the line is shown.
    fn head(&self) -> Option<Rank> {
        self.jobs.first().filter(|_| self.is_shown)
    }

    fn count(&self) -> usize {
        if self.is_shown { self.jobs.len() } else { 0 }
    }
}

/// Returns the first job of a tree at or after a rank, and its need, in ranges that `may` admits.
fn first<const K: usize>(
    tree: &Tree<Rank, Front<K>>,
    from: Option<Rank>,
    may: &dyn Fn(&Front<K>) -> bool,
) -> Option<(Rank, Need<K>)> {
    let mut found = None;
    let _ = tree.visit_where(from, may, |rank, need| {
        found = Some((rank, *need));
        ControlFlow::Break(())
    });
    found
}

#[cfg(test)]
mod tests {
    use batchlab_traces::Time;
    use proptest::prelude::*;

    use super::*;
    use crate::front::Room;

    fn rank(job: u32) -> Rank {
        Rank::new(true, 0.0, JobId(job))
    }

    fn need(procs: i64) -> Need<1> {
        Need { demand: [procs], time: Time::SECOND }
    }

    proptest! {
        /// What is shown is found as in one tree with the same jobs.
        #[test]
        fn lines_that_are_shown_are_as_one(
            jobs in prop::collection::vec((0usize..4, 1i64..9), 1..60),
            shown in prop::collection::vec(any::<bool>(), 4),
            gone in prop::collection::vec(any::<bool>(), 60),
            (from, free) in (0u32..60, 0i64..9),
        ) {
            let (mut lines, mut rest, mut whole) = (Lines::<1>::default(), Tree::default(), Tree::default());
            for (job, &(group, procs)) in (0u32..).zip(&jobs) {
                if group == 0 {
                    rest.insert(rank(job), need(procs));
                } else {
                    lines.insert(group, rank(job), need(procs));
                }
                if group == 0 || shown[group] {
                    whole.insert(rank(job), need(procs));
                }
            }
            (1..4).for_each(|group| lines.show(group, shown[group]));
            for (job, _) in (0u32..).zip(&jobs).filter(|(job, _)| gone[*job as usize]) {
                prop_assert!(lines.remove(rank(job)) || rest.remove(rank(job)));
                whole.remove(rank(job));
            }
            let room = Room::unreserved([free]);
            let (may, is) = (|front: &Front<1>| front.may_fit(&room), |need: &Need<1>| need.fits(&room));
            for from in [None, Some(rank(from))] {
                let found = lines.find(rest.find_first(from, may, is), from, &may, &is);
                prop_assert_eq!(found, whole.find_first(from, may, is));
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                let _ = lines.visit_where(&rest, from, &|_| true, &mut |rank, need| {
                    ours.push((rank, *need));
                    ControlFlow::Continue(())
                });
                let _ = whole.visit_where(from, |_| true, |rank, need| {
                    theirs.push((rank, *need));
                    ControlFlow::Continue(())
                });
                prop_assert_eq!(ours, theirs);
            }
            prop_assert_eq!(rest.len() + lines.len(), whole.len());
            prop_assert_eq!(rest.first().into_iter().chain(lines.first()).min(), whole.first());
            let last = rest.find_last(|_| true, |_| true).max(lines.last());
            prop_assert_eq!(last, whole.find_last(|_| true, |_| true));
        }
    }
}
