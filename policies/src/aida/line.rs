//! The queue of Figure 10, ordered by where each arrival stops, with an index that finds the next job a search
//! must examine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Time};

use crate::support::amounts::within;
use crate::support::tree::{Summary, Tree};
use crate::view::JobView;

/// Which jobs an arrival walks past on its way from the tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sorting {
    /// None: arrivals stay at the tail.
    Arrival,
    /// Jobs that ask for fewer processors.
    MostFirst,
    /// Jobs that ask for more processors.
    LeastFirst,
}

/// A place in the queue: stretch, size, submission.
///
/// While no job over its limit stops an arrival, the queue is sorted by size: it is one *stretch*. A stretch
/// ends where an arrival had to stop behind a job that it would otherwise have passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinePlace(u128);

impl LinePlace {
    fn new(stretch: u32, size: i64, job: JobId) -> LinePlace {
        // Flips the sign, so that negative sizes come first.
        let size = (size as u64) ^ 1 << 63;
        LinePlace(u128::from(stretch) << 96 | u128::from(size) << 32 | u128::from(job.0))
    }

    fn stretch(self) -> u32 {
        (self.0 >> 96) as u32
    }

    pub fn job(self) -> JobId {
        JobId(self.0 as u32)
    }

    /// Returns the least place after this one.
    #[must_use]
    pub fn next(self) -> LinePlace {
        LinePlace(self.0 + 1)
    }
}

/// The waiting jobs in the order in which they are served.
#[derive(Clone, Debug)]
pub struct SortedQueue<const K: usize> {
    sorting: Sorting,
    tree: Tree<LinePlace, Range<K>>,
    /// The stretch of each waiting job outside the first stretch.
    stretches: SortedMap<JobId, u32>,
    last_stretch: u32,
    /// When jobs reach their limits, earliest first; may contain jobs that have left the queue.
    due: BinaryHeap<Reverse<(Time, JobId)>>,
    over: SortedSet<JobId>,
}

impl<const K: usize> SortedQueue<K> {
    pub fn new(sorting: Sorting) -> SortedQueue<K> {
        SortedQueue {
            sorting,
            tree: Tree::default(),
            stretches: SortedMap::new(),
            last_stretch: 0,
            due: BinaryHeap::new(),
            over: SortedSet::new(),
        }
    }

    /// Inserts an arrival at its place; `due` is the instant at which it reaches its limit, if any.
    pub fn insert<'a>(&mut self, job: JobView<'a>, due: Option<Time>, view: impl Fn(JobId) -> JobView<'a>) {
        if let Some(due) = due {
            self.due.push(Reverse((due, job.id())));
        }
        let place = match self.sorting {
            Sorting::Arrival => self.place(job, 0),
            _ => self.stop(job, view),
        };
        self.put(place, job, false);
    }

    pub fn remove(&mut self, job: JobView<'_>) -> bool {
        let known = self.tree.remove(self.place_of(job));
        if !self.stretches.is_empty() {
            self.stretches.remove(&job.id());
        }
        if !self.over.is_empty() {
            self.over.remove(&job.id());
        }
        known
    }

    /// Marks the jobs that have reached their limits by an instant.
    pub fn age<'a>(&mut self, now: Time, view: impl Fn(JobId) -> JobView<'a>) {
        while let Some(&Reverse((due, id))) = self.due.peek()
            && due <= now
        {
            self.due.pop();
            let job = view(id);
            let place = self.place_of(job);
            if self.tree.remove(place) {
                self.put(place, job, true);
                self.over.insert(id);
            }
        }
    }

    pub fn head(&self) -> Option<LinePlace> {
        self.tree.first()
    }

    /// Returns the first job, at or after a place if given, that fits or has reached its limit. O(log n).
    #[inline]
    pub fn find(&self, from: Option<LinePlace>, free: &[i64; K]) -> Option<LinePlace> {
        let may = |range: &Range<K>| range.over > 0 || within(&range.least, free);
        self.tree.find_first(from, may, |one| one.over || within(&one.demand, free))
    }

    /// Returns the first job at or after a place.
    pub fn at_or_after(&self, place: LinePlace) -> Option<LinePlace> {
        self.tree.find_first(Some(place), |_| true, |_| true)
    }

    pub fn is_over(&self, job: JobId) -> bool {
        self.over.contains(&job)
    }

    /// Returns the place at which an arrival stops on its way from the tail.
    fn stop<'a>(&mut self, job: JobView<'a>, view: impl Fn(JobId) -> JobView<'a>) -> LinePlace {
        if self.tree.is_empty() {
            self.last_stretch = 0;
        }
        let (most_first, procs) = (self.sorting == Sorting::MostFirst, job.procs());
        let before = self.tree.find_last(
            |range| range.over > 0 || if most_first { range.most >= procs } else { range.least[0] <= procs },
            |one| one.over || if most_first { one.demand[0] >= procs } else { one.demand[0] <= procs },
        );
        let behind = before.map_or_else(|| self.tree.first(), |place| self.at_or_after(place.next()));
        let between = |place: &LinePlace| {
            before.is_none_or(|before| before < *place) && behind.is_none_or(|behind| *place < behind)
        };
        let stretches = [before.map_or(0, LinePlace::stretch), behind.map_or(0, LinePlace::stretch)];
        let sorted_with = stretches.map(|stretch| self.place(job, stretch)).into_iter().find(between);
        sorted_with.unwrap_or_else(|| {
            let mut moved = behind;
            self.last_stretch += 1;
            let place = self.place(job, self.last_stretch);
            // The jobs behind keep their order after it: each of their stretches becomes a new stretch.
            let mut stretch = None;
            while let Some(old) = moved.filter(|old| old.stretch() < place.stretch()) {
                if stretch.replace(old.stretch()) != Some(old.stretch()) {
                    self.last_stretch += 1;
                }
                self.tree.remove(old);
                let one = view(old.job());
                self.put(self.place(one, self.last_stretch), one, false);
                moved = self.at_or_after(old);
            }
            place
        })
    }

    fn put(&mut self, place: LinePlace, job: JobView<'_>, over: bool) {
        if place.stretch() > 0 {
            self.stretches.insert(job.id(), place.stretch());
        }
        self.tree.insert(place, One { demand: job.demands(), over });
    }

    fn place_of(&self, job: JobView<'_>) -> LinePlace {
        let stretch = if self.stretches.is_empty() { None } else { self.stretches.get(&job.id()) };
        self.place(job, stretch.copied().unwrap_or(0))
    }

    fn place(&self, job: JobView<'_>, stretch: u32) -> LinePlace {
        let size = match self.sorting {
            Sorting::Arrival => 0,
            Sorting::MostFirst => -job.procs(),
            Sorting::LeastFirst => job.procs(),
        };
        LinePlace::new(stretch, size, job.id())
    }
}

#[derive(Clone, Copy, Debug)]
struct One<const K: usize> {
    demand: [i64; K],
    over: bool,
}

/// A summary of a range of waiting jobs.
#[derive(Clone, Copy, Debug)]
struct Range<const K: usize> {
    least: [i64; K],
    /// Processors of the widest job.
    most: i64,
    /// Number of jobs that have reached their limits.
    over: u32,
}

impl<const K: usize> Default for One<K> {
    fn default() -> One<K> {
        One { demand: [0; K], over: false }
    }
}

impl<const K: usize> Summary for Range<K> {
    type Entry = One<K>;
    const EMPTY: Range<K> = Range { least: [i64::MAX; K], most: i64::MIN, over: 0 };

    fn add(&mut self, one: &One<K>) {
        self.join(&Range { least: one.demand, most: one.demand[0], over: one.over.into() });
    }

    fn join(&mut self, other: &Range<K>) {
        for (least, amount) in self.least.iter_mut().zip(other.least) {
            *least = (*least).min(amount);
        }
        self.most = self.most.max(other.most);
        self.over += other.over;
    }

    fn remove(&mut self, one: &One<K>) -> bool {
        self.over -= u32::from(one.over);
        one.demand[0] < self.most && one.demand.iter().zip(self.least).all(|(amount, least)| *amount > least)
    }
}
