//! Waiting jobs that were put aside in groups: a whole group is shown or hidden at once, or its jobs up to some processor-time are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedSet;
use rustc_hash::FxHashMap;

use super::Rank;
use crate::front::{Front, Need, Room};
use crate::tree::{Summary, Tree};

/// A line of jobs for each group, beside the jobs of the queue that were not put aside.
///
/// A search asks the shown lines by the rank of their first job, and ends at the first line behind a job that it has found:
/// O(lines + log n) at best, and O(lines · log n) if no job is found.
#[derive(Default)]
pub struct Lines<const K: usize> {
    all: Vec<Line<K>>,
    /// The lines that are shown and have jobs, by the rank of their first job.
    heads: SortedSet<(Rank, usize)>,
    line_of: FxHashMap<JobId, (usize, i128)>,
    shown: usize,
}

#[derive(Default)]
struct Line<const K: usize> {
    jobs: Tree<Rank, Range<K>>,
    is_shown: bool,
    part: Option<Part<K>>,
}

/// What is shown of a line.
struct Part<const K: usize> {
    /// The most processor-time of the jobs that are shown.
    reach: i128,
    /// All jobs by processor-time.
    jobs: Tree<(i128, u32), Range<K>>,
}

/// A job of a line.
#[derive(Clone, Copy, Default)]
pub struct Portion<const K: usize> {
    pub need: Need<K>,
    /// The processor-time that it requests.
    pub work: i128,
    pub rank: Rank,
}

/// A range of jobs: lower bounds on their needs, processor-time and ranks.
#[derive(Clone, Copy)]
struct Range<const K: usize> {
    front: Front<K>,
    work: i128,
    rank: Rank,
}

impl<const K: usize> Summary for Range<K> {
    type Entry = Portion<K>;
    const EMPTY: Range<K> = Range { front: Front::EMPTY, work: i128::MAX, rank: Rank::LAST };

    fn add(&mut self, job: &Portion<K>) {
        self.front.add(&job.need);
        (self.work, self.rank) = (self.work.min(job.work), self.rank.min(job.rank));
    }

    fn join(&mut self, other: &Range<K>) {
        self.front.join(&other.front);
        (self.work, self.rank) = (self.work.min(other.work), self.rank.min(other.rank));
    }

    fn remove(&mut self, job: &Portion<K>) -> bool {
        self.front.remove(&job.need) && job.work > self.work && job.rank > self.rank
    }
}

impl<const K: usize> Lines<K> {
    /// Returns the number of jobs of the lines of which some are shown.
    pub fn count(&self) -> usize {
        self.shown
    }

    /// Adds a job to a line; the first job of a line finds it hidden.
    pub fn insert(&mut self, group: usize, job: Portion<K>) {
        self.change(group, |line| {
            line.jobs.insert(job.rank, job);
            if let Some(part) = &mut line.part {
                part.jobs.insert((job.work, job.rank.job().0), job);
            }
        });
        self.line_of.insert(job.rank.job(), (group, job.work));
    }

    pub fn remove(&mut self, rank: Rank) -> bool {
        let Some((group, work)) = self.line_of.remove(&rank.job()) else { return false };
        self.change(group, |line| {
            line.jobs.remove(rank);
            if let Some(part) = &mut line.part {
                part.jobs.remove((work, rank.job().0));
            }
        });
        true
    }

    pub fn show(&mut self, group: usize, is_shown: bool) {
        self.change(group, |line| line.is_shown = is_shown);
    }

    /// Shows of a line only the jobs up to some processor-time; the line is empty at the first call.
    pub fn reach(&mut self, group: usize, work: i128) {
        self.change(group, |line| {
            debug_assert!(line.part.is_some() || line.jobs.is_empty(), "the jobs are in both indexes");
            line.part.get_or_insert_with(|| Part { reach: work, jobs: Tree::default() }).reach = work;
        });
    }

    /// Returns the least processor-time beyond the reach of a line of a job that ranks before a job or has room.
    pub fn beyond(&self, group: usize, before: Rank, room: &Room<K>) -> Option<i128> {
        let part = self.all.get(group)?.part.as_ref()?;
        let may = |range: &Range<K>| range.rank < before || range.front.may_fit(room);
        let is = |job: &Portion<K>| job.rank < before || job.need.fits(room);
        part.jobs.find_first(Some((part.reach.saturating_add(1), 0)), may, is).map(|(work, _)| work)
    }

    /// Changes a line, and its place among the lines that are shown.
    fn change(&mut self, group: usize, change: impl FnOnce(&mut Line<K>)) {
        if self.all.len() <= group {
            self.all.resize_with(group + 1, Line::default);
        }
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
        self.shown().filter_map(Line::last).max()
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
            let other = self.all[group].find(from, may, is);
            best = best.into_iter().chain(other.map(|job| job.rank)).min();
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
        let lines: Vec<&Line<K>> = self.shown().collect();
        // The tree comes last: the lines are before it.
        let next_of = |at: usize, from: Option<Rank>| match lines.get(at) {
            Some(line) => line.find(from, may, &|_| true).map(|job| (job.rank, job.need)),
            None => first(rest, from, may),
        };
        let mut next: Vec<Option<(Rank, Need<K>)>> = (0..=lines.len()).map(|at| next_of(at, from)).collect();
        let rank = |next: &Option<(Rank, Need<K>)>| next.map(|(rank, _)| rank);
        let mut heads: BinaryHeap<Reverse<(Rank, usize)>> =
            next.iter().enumerate().filter_map(|(at, next)| Some(Reverse((rank(next)?, at)))).collect();
        while let Some(Reverse((_, at))) = heads.pop() {
            let Some((job, need)) = next[at] else { continue };
            if visit(job, &need).is_break() {
                return ControlFlow::Break(());
            }
            next[at] = next_of(at, Some(job.next()));
            heads.extend(rank(&next[at]).map(|rank| Reverse((rank, at))));
        }
        ControlFlow::Continue(())
    }

    fn shown(&self) -> impl Iterator<Item = &Line<K>> {
        self.heads.iter().map(|&(_, group)| &self.all[group])
    }
}

impl<const K: usize> Line<K> {
    fn reach(&self) -> i128 {
        self.part.as_ref().map_or(i128::MAX, |part| part.reach)
    }

    /// Returns the first job that is shown and satisfies `is`, at or after a rank if given; the line is shown.
    fn find(
        &self,
        from: Option<Rank>,
        may: &dyn Fn(&Front<K>) -> bool,
        is: &dyn Fn(&Need<K>) -> bool,
    ) -> Option<Portion<K>> {
        let (reach, mut found) = (self.reach(), None);
        let may = |range: &Range<K>| match self.part {
            None => may(&range.front),
            Some(_) => range.work <= reach && range.front.up_to(reach).is_some_and(|front| may(&front)),
        };
        let _ = self.jobs.visit_where(from, may, |_, job| {
            if job.work > reach || !is(&job.need) {
                return ControlFlow::Continue(());
            }
            found = Some(*job);
            ControlFlow::Break(())
        });
        found
    }

    /// Returns the first job that is shown.
    fn head(&self) -> Option<Rank> {
        let reach = self.reach();
        let first = || self.jobs.find_first(None, |range| range.work <= reach, |job| job.work <= reach);
        self.is_shown.then(first)?
    }

    /// Returns the last job that is shown; the line is shown.
    fn last(&self) -> Option<Rank> {
        let reach = self.reach();
        self.jobs.find_last(|range| range.work <= reach, |job| job.work <= reach)
    }

    fn count(&self) -> usize {
        self.head().map_or(0, |_| self.jobs.len())
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

    fn portion(job: u32, procs: i64, time: i64) -> Portion<1> {
        let time = Time::from_secs(time);
        let (need, work) = (Need { demand: [procs], time }, i128::from(procs * time.ticks()));
        Portion { need, work, rank: Rank::new(true, 0.0, JobId(job)) }
    }

    proptest! {
        /// What is shown is found as in one tree with the same jobs, and what a line hides by its processor-time.
        #[test]
        fn lines_that_are_shown_are_as_one(
            jobs in prop::collection::vec((0usize..4, 1i64..9, 1i64..9), 1..60),
            shown in prop::collection::vec(any::<bool>(), 4),
            gone in prop::collection::vec(any::<bool>(), 60),
            (from, free, window, extra) in (0u32..60, 0i64..9, 0i64..9, 0i64..9),
            reach in 0i64..80,
        ) {
            let (mut lines, mut rest, mut whole) = (Lines::<1>::default(), Tree::default(), Tree::default());
            let (reach, mut hidden) = (i128::from(Time::from_secs(reach).ticks()), Vec::new());
            lines.reach(3, 0);
            for (number, &(group, procs, time)) in (0u32..).zip(&jobs) {
                let job = portion(number, procs, time);
                if group == 0 {
                    rest.insert(job.rank, job.need);
                } else {
                    lines.insert(group, job);
                }
                let is_gone = gone[number as usize];
                if group == 3 && job.work > reach {
                    hidden.extend(Some(job).filter(|_| !is_gone));
                } else if !is_gone && (group == 0 || shown[group]) {
                    whole.insert(job.rank, job.need);
                }
            }
            (1..4).for_each(|group| lines.show(group, shown[group]));
            let rank = |job| portion(job, 1, 1).rank;
            for job in (0..jobs.len() as u32).filter(|job| gone[*job as usize]) {
                prop_assert!(lines.remove(rank(job)) || rest.remove(rank(job)));
            }
            lines.reach(3, reach);
            let room = Room { free: [free], window: Time::from_secs(window), extra: [extra.min(free)] };
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
            prop_assert!(rest.len() + lines.count() >= whole.len());
            prop_assert_eq!(rest.is_empty() && lines.count() == 0, whole.is_empty());
            prop_assert_eq!(rest.first().into_iter().chain(lines.first()).min(), whole.first());
            let last = rest.find_last(|_| true, |_| true).max(lines.last());
            prop_assert_eq!(last, whole.find_last(|_| true, |_| true));
            let counts = |job: &&Portion<1>| job.rank < rank(from) || job.need.fits(&room);
            let least = hidden.iter().filter(counts).map(|job| job.work).min();
            prop_assert_eq!(lines.beyond(3, rank(from), &room), least);
        }
    }
}
